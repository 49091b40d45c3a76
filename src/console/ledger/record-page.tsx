// Record: one entry of the ledger, from the very bytes whose hash and proof were checked in this browser.

import type { ReactNode } from "react";
import { flawText } from "../../boundary/contract/seen-flaw.ts";
import { seenText } from "../../boundary/contract/seen-text.ts";
import { readPath } from "../ask/get.ts";
import type { PageProps } from "../pages.tsx";
import { CopyButton } from "../parts/copyable.tsx";
import { Hash } from "../parts/hash.tsx";
import { Link } from "../parts/link.tsx";
import { Quoted, Sentence } from "../parts/quoted.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { useSeenRecords } from "../seen-records.ts";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";
import { loadRecord, type RecordShown } from "./load-record.ts";
import { ResultShown } from "./record-table.tsx";
import { RemarkAct } from "./remark-act.tsx";
import { RemarkList } from "./remark-list.tsx";

export const RecordPage = ({ address, session }: PageProps<"record">): ReactNode => {
  const { seq: word } = address.parts;
  if (!/^(?:0|[1-9]\d{0,14})$/.test(word)) return <NoRecord word={word} />;
  return <RecordAt key={word} seq={Number(word)} session={session} />;
};

const NoRecord = ({ word }: { readonly word: string }): ReactNode => (
  <div className="notice">
    <h1>There is no such record</h1>
    <p>
      A record is named by its number, from 0 on, not by <Quoted text={word} />.
    </p>
    <p>
      <Link to={{ page: "ledger", parts: {}, query: {} }}>Back to the ledger</Link>
    </p>
  </div>
);

const RecordAt = ({ seq, session }: { readonly seq: number } & Pick<PageProps<"record">, "session">): ReactNode => {
  const seen = useSeenRecords();
  const [snapshot, readAgain] = useSnapshot(`record ${seq}`, (signal) => loadRecord(seq, seen, signal));
  return (
    <>
      <h1>Record {seq}</h1>
      <Ways seq={seq} size={snapshot.kind === "read" ? snapshot.head?.size : undefined} />
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {(shown, head) => (
          <>
            <SnapshotHead {...environmentIn(shown)} head={head} readAgain={readAgain} />
            <Proven shown={shown} />
            {shown.proven.kind === "proven" ? (
              <>
                <Contents proven={shown.proven} />
                <h2>Remarks</h2>
                <RemarkList lack={shown.remarksLack} remarks={shown.remarks} />
                <SameElsewhere
                  commands={[spellCommand("proof", { seq: String(seq) })]}
                  paths={[readPath("prove", { seq })]}
                />
                <RemarkAct against={shown.againstRemark} seq={seq} session={session} />
              </>
            ) : undefined}
          </>
        )}
      </SnapshotShown>
    </>
  );
};

/** To the records beside it, where there are any. */
const Ways = ({ seq, size }: { readonly seq: number; readonly size: number | undefined }): ReactNode => {
  if (size === undefined)
    return (
      <p className="pager">
        <Link to={{ page: "ledger", parts: {}, query: {} }}>Back to the ledger</Link>
      </p>
    );
  return (
    <p className="pager">
      <Link to={{ page: "ledger", parts: {}, query: { from: String(seq) } }}>In the ledger</Link>
      <Link to={{ page: "after", parts: { seq: String(seq) }, query: {} }}>The state after it</Link>
      {seq > 0 ? (
        <Link to={{ page: "record", parts: { seq: String(seq - 1) }, query: {} }}>Record {seq - 1}</Link>
      ) : undefined}
      {seq + 1 < size ? (
        <Link to={{ page: "record", parts: { seq: String(seq + 1) }, query: {} }}>Record {seq + 1}</Link>
      ) : undefined}
    </p>
  );
};

/** Whoever does not see all of the ledger hears of its environment. */
const environmentIn = ({ proven }: RecordShown): { readonly environment?: string } => {
  const environment = proven.kind === "proven" ? proven.record.environment : undefined;
  return environment === undefined ? {} : { environment };
};

/** Whether it is what was written, and by whose word. */
const Proven = ({ shown }: { readonly shown: RecordShown }): ReactNode => {
  const { hadBefore, isOther, key, note, proof, proven } = shown;
  if (proven.kind === "bad")
    return (
      <div className="notice" role="alert">
        <p className="broken">
          <strong>The proof of this record does not hold:</strong> <Sentence text={flawText(proven.flaw)} />. Nothing of
          the record is shown.
        </p>
      </div>
    );
  return (
    <>
      {isOther ? (
        <p className="broken" role="alert">
          <strong>A different record was shown here before.</strong> This one has another hash than the one that this
          tab read at the same place.
        </p>
      ) : undefined}
      {hadBefore === undefined ? undefined : (
        <p className="broken" role="alert">
          <strong>The ledger is shorter than it was.</strong> It had {hadBefore} records when this tab last read it.
        </p>
      )}
      <p role="status">{originText(note, key)}</p>
      <dl>
        <dt>Hash</dt>
        <dd>
          <Hash name="Hash of the record" of={proven.hash} />
        </dd>
        <dt>Root</dt>
        <dd>
          <Hash name="Root of the checkpoint" of={proven.root} /> over {proven.size} records
        </dd>
        <dt>Key</dt>
        <dd>
          <span className="machine">
            <Quoted text={key.text} whole />
          </span>
        </dd>
        <dt>Proof</dt>
        <dd>
          <CopyButton name="the proof" text={proof} />
        </dd>
      </dl>
    </>
  );
};

const originText = (note: RecordShown["note"], key: RecordShown["key"]): ReactNode => {
  if (note.kind === "uncheckable")
    return (
      <>
        <strong>Consistent; origin not proven.</strong> The path leads to the root of a checkpoint, and this browser
        cannot check Ed25519 signatures.
      </>
    );
  if (note.kind === "bad")
    return (
      <span className="broken">
        <strong>Origin not proven:</strong> of the checkpoint, <Sentence text={flawText(note.flaw)} />.
      </span>
    );
  return key.from === "person" ? (
    <>
      <strong>Proven.</strong> The path leads to a root that the key you pasted has signed.
    </>
  ) : (
    <>
      <strong>Consistent; origin not proven.</strong> The path leads to a root that is signed by the key which the
      service itself names.{" "}
      <Link to={{ page: "verify", parts: {}, query: {} }}>Paste a key that you have from elsewhere.</Link>
    </>
  );
};

/** The fields in the order of the line, and then the line itself. */
const Contents = ({
  proven,
}: {
  readonly proven: Extract<RecordShown["proven"], { readonly kind: "proven" }>;
}): ReactNode => {
  const { record, text } = proven;
  return (
    <>
      <h2>Fields</h2>
      <dl>
        <dt>result</dt>
        <dd>
          <ResultShown record={record} />
        </dd>
        {Object.entries(record).map(([name, value]) => (
          <div key={name}>
            <dt className="machine">{name}</dt>
            <dd className="machine">
              <FieldShown name={name} value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <h2>As it was written</h2>
      <pre className="machine" data-line>
        {seenText(text)}
      </pre>
      <CopyButton name="the line" text={text} />
    </>
  );
};

const FieldShown = ({ name, value }: { readonly name: string; readonly value: unknown }): ReactNode => {
  if (name === "correlationId" && typeof value === "string")
    return (
      <Link to={{ page: "incident", parts: {}, query: { correlation: value } }}>
        <Quoted text={value} />
      </Link>
    );
  if (typeof value === "string" || typeof value === "number") return <Quoted text={String(value)} whole />;
  // Line by line: the line feeds are ours, and whatever cannot be seen is written as its code.
  return <pre>{JSON.stringify(value, undefined, 2).split("\n").map(seenText).join("\n")}</pre>;
};
