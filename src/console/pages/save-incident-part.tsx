// Saving and printing an incident. Both only read: the file is put together here, and every proof in it was checked.

import { type ReactNode, useState } from "react";
import { flawText } from "../../boundary/contract/seen-flaw.ts";
import { handOver } from "../hand-over.ts";
import { ProblemPart } from "../parts/problem.tsx";
import { Sentence } from "../parts/quoted.tsx";
import { useSeenRecords } from "../seen-records.ts";
import { SignedOut } from "../snapshot.tsx";
import type { IncidentAsked, IncidentShown } from "./load-incident.ts";
import { type IncidentSaved, saveIncident } from "./save-incident.ts";

/** Each proof is a request of its own: more of them are an export. */
const PROOFS_MAX = 200;

type Course =
  | { readonly kind: "idle" }
  | { readonly kind: "proving"; readonly proven: number }
  | Exclude<IncidentSaved, { readonly kind: "file" }>
  | { readonly kind: "saved"; readonly proven: number };

export const SaveIncident = ({
  query,
  shown,
}: {
  readonly query: IncidentAsked;
  readonly shown: IncidentShown;
}): ReactNode => {
  const seen = useSeenRecords();
  const [course, go] = useState<Course>({ kind: "idle" });
  const { entries, records, remarks } = shown;
  const isWhole = !shown.isCut && shown.torn === undefined && entries.every(({ kind }) => kind !== "broken");
  const isTooMany = records.length + remarks.length > PROOFS_MAX;
  const save = (): void => {
    go({ kind: "proving", proven: 0 });
    void saveIncident(query, shown, seen.key, (proven) => go({ kind: "proving", proven })).then((saved) => {
      if (saved.kind !== "file") return go(saved);
      const [first, last] = [records.at(0)?.record.seq, records.at(-1)?.record.seq];
      handOver(`incident-${first}-${last}.json`, saved.text);
      go({ kind: "saved", proven: records.length });
    });
  };
  if (records.length === 0) return undefined;
  return (
    <div className="unprinted">
      <p className="pager">
        <button disabled={!isWhole || isTooMany || course.kind === "proving"} onClick={save} type="button">
          Save as one file with proofs
        </button>
        <button onClick={() => print()} type="button">
          Print
        </button>
      </p>
      {isWhole ? undefined : <p>What does not hold, or is not all there, is not saved with proofs.</p>}
      {isTooMany ? (
        <p>These are more than {PROOFS_MAX} records: name a smaller span, or export the whole ledger.</p>
      ) : undefined}
      <div aria-live="polite">{courseShown(course)}</div>
    </div>
  );
};

const courseShown = (course: Course): ReactNode => {
  switch (course.kind) {
    case "idle":
      return undefined;
    case "proving":
      return <p>{course.proven} records proven…</p>;
    case "saved":
      return <p>Saved, with the proof of each of its records.</p>;
    case "differs":
      return (
        <p className="broken" role="alert">
          <strong>Not saved.</strong> The proof of record {course.seq} holds another record than the one that is shown.
        </p>
      );
    case "unproven":
      return (
        <p className="broken" role="alert">
          <strong>Not saved.</strong> The proof of record {course.seq} does not hold:{" "}
          <Sentence text={flawText(course.flaw)} />.
        </p>
      );
    case "unread":
      if (course.unheard.kind === "refused") return <ProblemPart problem={course.unheard.problem} />;
      if (course.unheard.kind === "signed-out") return <SignedOut />;
      return (
        <p role="alert">
          <strong>Not saved.</strong> No answer from the service.
        </p>
      );
  }
};
