// What a walk over the whole ledger came to: whether it holds, from where on nothing is proven, and each finding.

import type { ReactNode } from "react";
import { flawText } from "../../boundary/contract/seen-flaw.ts";
import { Hash } from "../parts/hash.tsx";
import { Link } from "../parts/link.tsx";
import { Quoted, Sentence } from "../parts/quoted.tsx";
import type { WalkFinding, WalkReport } from "../verify/walk-service.ts";
import { recordsText } from "./record-table.tsx";
import { ServiceBroken } from "./service-broken.tsx";

export const VerifyReport = ({ report }: { readonly report: WalkReport }): ReactNode => {
  const { checkpoints, checkpointsHeld, findings, findingsCount, hash, key, records, root } = report;
  return (
    <>
      {verdictOf(report)}
      {findings.length === 0 ? undefined : (
        <ul>
          {findings.map((finding) => (
            <li key={`${finding.what} ${finding.seq} ${"note" in finding ? finding.note : ""}`}>
              {findingShown(finding)}
            </li>
          ))}
        </ul>
      )}
      {findingsCount > findings.length ? (
        <p>{findingsCount - findings.length} more findings are not listed.</p>
      ) : undefined}
      <dl>
        <dt>Records</dt>
        <dd>{records}</dd>
        <dt>Head</dt>
        <dd>
          <Hash name="Hash of the last record" of={hash} />
        </dd>
        <dt>Root</dt>
        <dd>
          <Hash name="Root of the tree" of={root} />
        </dd>
        <dt>Checkpoints</dt>
        <dd>
          {checkpointsHeld} of {checkpoints} are signed and have the root of these records
        </dd>
        <dt>Key</dt>
        <dd>
          <Quoted text={key.name} />{" "}
          <span className="soft">{key.from === "person" ? "pasted" : "named by the service"}</span>
        </dd>
      </dl>
    </>
  );
};

/** A ledger has a key for each of its instances: one that signed none of these checkpoints accuses nobody. */
const isOfAnotherKey = ({ findings }: WalkReport): boolean =>
  findings.some(({ what }) => what === "key-differs") &&
  findings.every(({ what }) => what === "key-differs" || what === "note-unproven");

const verdictOf = (report: WalkReport): ReactNode => {
  const { brokeOff, checkpointsHeld, findings, findingsCount, heldTo, key, records, signatures, size } = report;
  if (isOfAnotherKey(report))
    return (
      <p role="alert">
        <strong>Not proven.</strong> The key you pasted has signed none of these checkpoints. The records are linked to
        each other, and nothing of them is proven.
      </p>
    );
  if (findingsCount > 0) {
    const from = Math.min(...findings.map(({ unprovenFrom }) => unprovenFrom));
    return (
      <p className="broken" role="alert">
        <strong>The ledger does not hold.</strong> {findingsCount} {findingsCount === 1 ? "finding" : "findings"}.{" "}
        {from >= size
          ? `Nothing is proven of what follows record ${from - 1}.`
          : `${recordsText(from, size - 1)} unproven.`}
      </p>
    );
  }
  if (brokeOff !== undefined)
    return (
      <p role="alert">
        <strong>Not finished.</strong> The service gave no answer after {records} of {size} records. Nothing is said of
        the rest.
      </p>
    );
  const uncovered =
    heldTo < records ? ` ${recordsText(heldTo, records - 1)}: linked, and under no signed checkpoint yet.` : "";
  if (signatures === "uncheckable")
    return (
      <p>
        <strong>Consistent; origin not proven.</strong> This browser cannot check Ed25519 signatures.
      </p>
    );
  if (checkpointsHeld === 0)
    return (
      <p role="alert">
        <strong>Consistent; nothing proven.</strong> All {records} records are linked, and no signed checkpoint covers
        any of them.
      </p>
    );
  if (key.from === "service")
    return (
      <p>
        <strong>Consistent; origin not proven.</strong> All {records} records are linked, and their roots are signed by
        the key which the service itself names.{uncovered}
      </p>
    );
  return (
    <p>
      <strong>{heldTo < records ? `Proven up to record ${heldTo - 1}.` : "Proven."}</strong> The key you pasted has
      signed the root of {heldTo} records, and they are these.
      {uncovered}
    </p>
  );
};

const findingShown = (finding: WalkFinding): ReactNode => {
  switch (finding.what) {
    case "answer-short":
      return `The service gave no record ${finding.seq}, though it says that it has ${finding.size} records.`;
    case "answer-long":
      return `The service gave more records than it was asked for: record ${finding.seq - 1} is beyond them.`;
    case "answer-torn":
      return `The answer was cut off before record ${finding.seq}.`;
    case "shorter-than-shown":
      return `The ledger has ${finding.seq} records; this tab was shown one of ${finding.size}.`;
    case "shown-otherwise":
      return (
        <>
          <RecordLink seq={finding.seq} /> is another than this tab was shown before.
        </>
      );
    case "service-refused":
      return <ServiceBroken refused={finding.refused} seq={finding.seq} />;
    case "key-differs":
      return (
        <>
          The key you pasted is named <Quoted text={finding.pasted} />, and the service signs with{" "}
          <Quoted text={finding.named} />.
        </>
      );
    case "notes-missing":
      return `The service says that it has ${finding.size} checkpoints, and gave ${finding.given} of them.`;
    case "note-unproven":
      return (
        <>
          Checkpoint {finding.note + 1} proves nothing: <Sentence text={flawText(finding.flaw)} />.
        </>
      );
    default:
      return (
        <>
          <RecordLink seq={finding.seq} />: <Sentence text={flawText(finding)} />.{" "}
          {finding.unprovenFrom < finding.seq
            ? `Something from record ${finding.unprovenFrom} to record ${finding.seq} was altered.`
            : undefined}
        </>
      );
  }
};

const RecordLink = ({ seq }: { readonly seq: number }): ReactNode => (
  <Link to={{ page: "record", parts: { seq: String(seq) }, query: {} }}>Record {seq}</Link>
);
