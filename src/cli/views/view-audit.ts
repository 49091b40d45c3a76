// What a verification found, as text for people.

import { visible } from "../../formats/field-path.ts";
import type { Audit } from "../../ledger/verify/verify-ledger.ts";

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const auditLines = (name: string, { blobs, checkpointsMet, head, records, root }: Audit): readonly string[] => [
  `${name} holds: ${counted(records, "record")}, ${counted(checkpointsMet, "signed checkpoint")}, ${counted(blobs, "blob")}`,
  `head ${head.hash}`,
  `root ${root}`,
  ...(checkpointsMet === 0
    ? ["No checkpoint was there to hold it against: a cut or rewritten ledger would look the same."]
    : []),
];

const SHOWN_MAX = 10;

/** What comes after the first finding, which the refusal names. */
export const brokenLines = ({ findings, findingsCount }: Audit): readonly string[] => {
  const others = findings.slice(1, SHOWN_MAX);
  return [
    ...others.map(({ because, seq, what }) =>
      visible(`  also: ${seq === undefined ? "" : `record ${seq}, `}${what}: ${because}`),
    ),
    ...(findingsCount > others.length + 1 ? [`  and ${findingsCount - others.length - 1} more`] : []),
  ];
};
