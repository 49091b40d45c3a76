// What a verification found, as text for people.

import type { Audit, AuditFinding } from "../../ledger/verify/verify-ledger.ts";
import { visible } from "../../spine/values/invisible.ts";
import { failureText } from "../../spine/words/cause.ts";
import { FLAW_WORDS } from "../../spine/words/causes/flaw-words.ts";
import { counted } from "./counted.ts";
import { hashText, type TextStyle } from "./text-style.ts";

/** What a finding says of its record, or of what stands beside the records. */
const findingText = (finding: AuditFinding): string => failureText(FLAW_WORDS, finding);

export const auditLines = (
  name: string,
  { blobs, checkpointsMet, head, records, root }: Audit,
  style: TextStyle,
): readonly string[] => [
  `${name} holds: ${counted(records, "record")}, ${counted(checkpointsMet, "signed checkpoint")}, ${counted(blobs, "blob")}`,
  `head ${hashText(head.hash, style)}`,
  `root ${hashText(root, style)}`,
  ...(checkpointsMet === 0
    ? ["There was no checkpoint to compare it with: a cut or rewritten ledger would look the same."]
    : []),
];

const SHOWN_MAX = 10;

/** What comes after the first finding, which the refusal names. */
export const brokenLines = ({ findings, findingsCount }: Audit): readonly string[] => {
  const others = findings.slice(1, SHOWN_MAX);
  return [
    ...others.map((finding) => {
      const { seq, what } = finding;
      return visible(`  also: ${seq === undefined ? "" : `record ${seq}, `}${what}: ${findingText(finding)}`);
    }),
    ...(findingsCount > others.length + 1 ? [`  and ${findingsCount - others.length - 1} more`] : []),
  ];
};
