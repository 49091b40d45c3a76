// Then: what was open, blocked and frozen after a record, beside the same as it is; what differs is marked, and both
// heads are named.

import type { ReactNode } from "react";
import { type ReadHead, readPath } from "../ask/get.ts";
import type { PageProps } from "../pages.tsx";
import { Hash } from "../parts/hash.tsx";
import { Link } from "../parts/link.tsx";
import { Quoted } from "../parts/quoted.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { useSeenRecords } from "../seen-records.ts";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";
import { compareStates, membersTold, STATE_PARTS, type StatePart, type StateRow } from "./compare-states.ts";
import { loadThen, type ThenShown } from "./load-then.ts";

const TITLES: Readonly<Record<StatePart, string>> = {
  blocked: "Blocked VMs",
  freezes: "Freezes",
  last: "Last of each VM",
  observations: "Observations",
  open: "Open intents",
};

export const ThenPage = ({ address }: PageProps<"after">): ReactNode => {
  const { seq: word } = address.parts;
  return /^(?:0|[1-9]\d{0,14})$/.test(word) ? (
    <ThenAt key={word} seq={Number(word)} />
  ) : (
    <div className="notice">
      <h1>There is no such record</h1>
      <p>
        A record is named by its number from 0 on, and <Quoted text={word} /> is none.
      </p>
      <p>
        <Link to={{ page: "ledger", parts: {}, query: {} }}>Back to the ledger</Link>
      </p>
    </div>
  );
};

const ThenAt = ({ seq }: { readonly seq: number }): ReactNode => {
  const seen = useSeenRecords();
  const [snapshot, readAgain] = useSnapshot(`then ${seq}`, (signal) => loadThen(seq, seen, signal));
  return (
    <>
      <h1>The state after record {seq}, beside now</h1>
      <p className="pager">
        <Link to={{ page: "ledger", parts: {}, query: {} }}>Back to the ledger</Link>
        <Link to={{ page: "record", parts: { seq: String(seq) }, query: {} }}>Record {seq}</Link>
        {seq > 0 ? (
          <Link to={{ page: "after", parts: { seq: String(seq - 1) }, query: {} }}>After record {seq - 1}</Link>
        ) : undefined}
        <Link to={{ page: "after", parts: { seq: String(seq + 1) }, query: {} }}>After record {seq + 1}</Link>
      </p>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {(shown, head) => (
          <>
            <SnapshotHead head={head} readAgain={readAgain} />
            <Heads head={head} shown={shown} />
            {STATE_PARTS.map((part) => (
              <Part key={part} part={part} seq={seq} shown={shown} />
            ))}
          </>
        )}
      </SnapshotShown>
      <SameElsewhere
        commands={[spellCommand("stateAt", { seq: String(seq) })]}
        paths={[readPath("stateAfter", { at: seq })]}
      />
    </>
  );
};

const Heads = ({
  head,
  shown: { hadBefore, isOther, now, was, wasHash },
}: {
  readonly head: ReadHead | undefined;
  readonly shown: ThenShown;
}): ReactNode => (
  <>
    {isOther ? (
      <p className="broken" role="alert">
        <strong>A different record was shown here before.</strong>
      </p>
    ) : undefined}
    {hadBefore === undefined ? undefined : (
      <p className="broken" role="alert">
        <strong>The ledger is shorter than it was.</strong> It had {hadBefore} records when this tab last read it.
      </p>
    )}
    <dl>
      <dt>Then</dt>
      <dd>
        {was.size} records, head{" "}
        {wasHash === undefined ? (
          <span className="soft">not shown to you</span>
        ) : (
          <Hash name="head then" of={wasHash} />
        )}
      </dd>
      <dt>Now</dt>
      <dd>
        {now.size} records, head{" "}
        {head === undefined ? <span className="soft">not named</span> : <Hash name="head now" of={head.hash} />}
      </dd>
    </dl>
  </>
);

const Part = ({
  part,
  seq,
  shown: { now, was },
}: {
  readonly part: StatePart;
  readonly seq: number;
  readonly shown: ThenShown;
}): ReactNode => {
  const rows = compareStates(part, was, now);
  return (
    <>
      <h2>{TITLES[part]}</h2>
      {rows.length === 0 ? (
        <p className="soft">None, then and now.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is scrolled by keyboard too
        <section aria-label={TITLES[part]} className="wide" tabIndex={0}>
          <table className="even">
            <thead>
              <tr>
                <th scope="col">{TITLES[part]}</th>
                <th scope="col">After record {seq}</th>
                <th scope="col">Now</th>
                <th scope="col">Difference</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr data-differs={row.what !== "same" || undefined} key={row.key}>
                  <th scope="row">
                    <span className="machine">
                      <Quoted text={row.key} />
                    </span>
                  </th>
                  <td>{sideOf(row.was, row.now)}</td>
                  <td>{sideOf(row.now, row.was)}</td>
                  <td>{row.what === "same" ? <span className="soft">same</span> : <strong>{row.what}</strong>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
};

/** Each member by its name; one that the other side has otherwise stands out. */
const sideOf = (told: StateRow["now"], other: StateRow["now"]): ReactNode => {
  if (told === undefined) return <span className="soft">none</span>;
  const others = new Map(other === undefined ? [] : membersTold(other));
  return (
    <ul className="members">
      {membersTold(told).map(([name, text]) => (
        <li className="machine" key={name}>
          <span className="soft">{name}</span>{" "}
          {other !== undefined && others.get(name) !== text ? (
            <mark>
              <Quoted text={text} />
            </mark>
          ) : (
            <Quoted text={text} />
          )}
        </li>
      ))}
    </ul>
  );
};
