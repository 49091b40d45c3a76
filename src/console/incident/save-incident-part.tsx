// Saving and printing an incident. Both only read: the file is put together here, and every proof in it was checked.

import { type ReactNode, useState } from "react";
import { flawText } from "../../boundary/contract/seen-flaw.ts";
import type { ReadHead } from "../ask/get.ts";
import { handOver } from "../hand-over.ts";
import { recordsText } from "../ledger/record-table.tsx";
import { lackText } from "../ledger/remark-list.tsx";
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
  | { readonly kind: "saved"; readonly records: number; readonly remarks: number };

export const SaveIncident = ({
  head,
  query,
  shown,
}: {
  readonly head: ReadHead | undefined;
  readonly query: IncidentAsked;
  readonly shown: IncidentShown;
}): ReactNode => {
  const seen = useSeenRecords();
  const [course, go] = useState<Course>({ kind: "idle" });
  const { records, remarks } = shown;
  const lacks = lacksIn(shown);
  const isTooMany = records.length + remarks.length > PROOFS_MAX;
  const save = (): void => {
    go({ kind: "proving", proven: 0 });
    void saveIncident({ about: query, head }, shown, seen.key, (proven) => go({ kind: "proving", proven })).then(
      (saved) => {
        if (saved.kind !== "file") return go(saved);
        const [first, last] = [records.at(0)?.record.seq, records.at(-1)?.record.seq];
        handOver(`incident-${first}-${last}.json`, saved.text);
        go({ kind: "saved", records: records.length, remarks: remarks.length });
      },
    );
  };
  if (records.length === 0) return undefined;
  return (
    <div className="unprinted">
      <p className="pager">
        <button disabled={lacks.length > 0 || isTooMany || course.kind === "proving"} onClick={save} type="button">
          Save as one file with proofs
        </button>
        <button onClick={() => print()} type="button">
          Print
        </button>
      </p>
      {lacks.length === 0 ? undefined : (
        <>
          <p>It is not saved, because it is not whole:</p>
          <ul>
            {lacks.map((lack) => (
              <li key={lack}>{lack}</li>
            ))}
          </ul>
        </>
      )}
      {isTooMany ? (
        <p>These are more than {PROOFS_MAX} records: narrow the range, or export the whole ledger.</p>
      ) : undefined}
      <div aria-live="polite">{courseShown(course)}</div>
    </div>
  );
};

/** What keeps it from being the whole incident, with the proof of each record. */
const lacksIn = (shown: IncidentShown): readonly string[] => {
  const { entries, hadBefore, isCut, isStuck, others, records, refused, remarksLack, torn } = shown;
  const end = records.at(-1)?.record.seq;
  const after = end === undefined ? "" : ` after record ${end}`;
  return [
    ...(isCut ? [`There are more records${after}.`] : []),
    ...(isStuck || torn !== undefined || refused !== undefined ? [`Nothing is known of what stands${after}.`] : []),
    ...(hadBefore === undefined ? [] : ["The ledger is shorter than it was."]),
    ...entries.flatMap((entry) => {
      if (entry.kind === "broken") return [`Record ${entry.seq} does not hold.`];
      return entry.kind === "gap" && entry.why === "missing"
        ? [`${recordsText(entry.from, entry.to)}: not given by the service.`]
        : [];
    }),
    ...[...others].map((seq) => `Record ${seq} is another than this tab was shown before.`),
    ...(remarksLack === undefined ? [] : [`Not every remark is there. ${lackText(remarksLack)}`]),
  ];
};

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`;

const courseShown = (course: Course): ReactNode => {
  switch (course.kind) {
    case "idle":
      return undefined;
    case "proving":
      return <p>{course.proven} records proven…</p>;
    case "saved":
      return (
        <p>
          Saved: {counted(course.records, "record")} and {counted(course.remarks, "remark")} on them, each with its
          proof. What a filter or your roles leave out is not in the file.
        </p>
      );
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
