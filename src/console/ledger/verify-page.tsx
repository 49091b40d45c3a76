// Verify: every record, link, root and signature of the ledger, checked in this browser and not by the service.
//
// It runs beside the page, which stays usable. Nothing is said of a ledger before the walk has ended but how far it is.

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { flawText } from "../../boundary/contract/seen-flaw.ts";
import { readPath } from "../ask/get.ts";
import { recordsPath } from "../ask/get-bytes.ts";
import { ProblemPart } from "../parts/problem.tsx";
import { Sentence } from "../parts/quoted.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { type SeenRecords, useSeenRecords } from "../seen-records.ts";
import { SignedOut } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";
import { startVerifier } from "../start-verifier.ts";
import type { VerifierSaid } from "../verifier.ts";
import { VerifyReport } from "./verify-report.tsx";

type Course = VerifierSaid | { readonly kind: "failed" | "idle" | "started" };

export const VerifyPage = (): ReactNode => {
  const seen = useSeenRecords();
  const [key, type] = useState(seen.key);
  const [course, hear] = useState<Course>({ kind: "idle" });
  const stop = useRef<() => void>(() => undefined);
  const id = useId();
  useEffect(() => () => stop.current(), []);
  const isRunning = course.kind === "started" || course.kind === "progress";
  const verify = (): void => {
    seen.key = key.trim();
    stop.current();
    hear({ kind: "started" });
    stop.current = startVerifier({ key: seen.key, shown: { hashes: seen.hashes, size: seen.size } }, (said) => {
      hear(said);
      if (said.kind === "ended") noteEnd(said, seen);
    });
  };
  const end = (): void => {
    stop.current();
    hear({ kind: "idle" });
  };
  return (
    <>
      <h1>Verify</h1>
      <p>
        This browser reads every record as it was written, works out every hash, follows every link, and compares the
        root with every signed checkpoint. Blobs and the table of used keys are not read here; the command below reads
        them too.
      </p>
      <label htmlFor={id}>Public key of the ledger, from somebody you trust and not from this service</label>
      <textarea
        className="machine"
        id={id}
        onChange={({ target }) => type(target.value)}
        placeholder="NAME+ID+KEY"
        rows={2}
        spellCheck={false}
        value={key}
      />
      <p className="soft">Without a key it is shown whether the ledger is consistent, and not whose it is.</p>
      <p>
        <button disabled={isRunning} onClick={verify} type="button">
          Verify
        </button>{" "}
        {isRunning ? (
          <button onClick={end} type="button">
            Stop
          </button>
        ) : undefined}
      </p>
      <div aria-live="polite">{courseShown(course)}</div>
      <SameElsewhere
        commands={[spellCommand("verify", {})]}
        paths={[readPath("checkpoints", {}), recordsPath({ from: 0 })]}
      />
    </>
  );
};

/** What was verified is what later pages are held against. */
const noteEnd = ({ end }: Extract<VerifierSaid, { readonly kind: "ended" }>, seen: SeenRecords): void => {
  if (end.kind === "report") seen.size = Math.max(seen.size, end.report.records);
};

const courseShown = (course: Course): ReactNode => {
  switch (course.kind) {
    case "idle":
      return undefined;
    case "started":
      return <p>Reading the checkpoints…</p>;
    case "progress":
      return (
        <>
          <progress aria-label="Records verified" max={course.size} value={course.records} />
          <p>
            {course.records} of {course.size} records, {course.findings}{" "}
            {course.findings === 1 ? "finding" : "findings"} so far
          </p>
        </>
      );
    case "failed":
      return (
        <p className="broken" role="alert">
          <strong>The verifier has failed.</strong> This is a bug in the console, and nothing is said of the ledger.
        </p>
      );
    case "ended":
      return endShown(course);
  }
};

const endShown = ({ end }: Extract<VerifierSaid, { readonly kind: "ended" }>): ReactNode => {
  switch (end.kind) {
    case "report":
      return <VerifyReport report={end.report} />;
    case "key-bad":
      return (
        <p className="broken" role="alert">
          <strong>This key cannot be used:</strong> <Sentence text={flawText(end.flaw)} />.
        </p>
      );
    case "refused":
      return <ProblemPart problem={end.problem} />;
    case "signed-out":
      return <SignedOut />;
    case "lost":
      return (
        <p role="alert">
          <strong>No answer from the service.</strong> Nothing is said of the ledger.
        </p>
      );
  }
};
