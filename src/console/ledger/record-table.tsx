// Records in chain order: who, when by both clocks, what, where, what it came to; and in their places the records that
// are not shown, are missing, or are not what they were.

import type { ReactNode } from "react";
import { flawText } from "../../boundary/contract/seen-flaw.ts";
import { cameTo, type RecordSeen, vmsIn } from "../../boundary/contract/seen-record.ts";
import { InstantShown } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import { RuleLink } from "../parts/problem.tsx";
import { Quoted, Sentence } from "../parts/quoted.tsx";
import { StateSign } from "../parts/state-sign.tsx";
import type { LedgerEntry } from "../verify/ledger-entries.ts";

const COLUMNS = ["Seq", "Happened", "Recorded", "Kind", "Actor", "Environment", "VM", "Result"] as const;

export const RecordTable = ({
  caption,
  entries,
  others,
}: {
  readonly caption: string;
  readonly entries: readonly LedgerEntry[];
  /** Those that are others than this tab was shown before. */
  readonly others: ReadonlySet<number>;
}): ReactNode =>
  entries.length === 0 ? (
    <p>{caption}</p>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is scrolled by keyboard too
    <section aria-label={caption} className="wide" tabIndex={0}>
      <table>
        <caption className="soft">{caption}</caption>
        <thead>
          <tr>
            {COLUMNS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{entries.map((entry) => rowOf(entry, others))}</tbody>
      </table>
    </section>
  );

const rowOf = (entry: LedgerEntry, others: ReadonlySet<number>): ReactNode => {
  if (entry.kind === "record")
    return <RecordRow entry={entry} isOther={others.has(entry.record.seq)} key={entry.record.seq} />;
  return (
    <tr className={entry.kind === "gap" && entry.why === "not-shown" ? "soft" : "broken"} key={keyOf(entry)}>
      <td colSpan={COLUMNS.length}>{placeText(entry)}</td>
    </tr>
  );
};

const keyOf = (entry: Exclude<LedgerEntry, { readonly kind: "record" }>): string =>
  entry.kind === "gap" ? `gap ${entry.from}` : `broken ${entry.seq} ${entry.flaw.cause}`;

/** "Record 12", "Records 12–15". */
export const recordsText = (from: number, to: number): string =>
  from === to ? `Record ${from}` : `Records ${from}–${to}`;

const placeText = (entry: Exclude<LedgerEntry, { readonly kind: "record" }>): ReactNode => {
  if (entry.kind === "broken") return <BrokenPlace flaw={entry.flaw} seq={entry.seq} />;
  const [verb, named] = [entry.from === entry.to ? "is" : "are", recordsText(entry.from, entry.to)];
  return entry.why === "not-shown"
    ? `${named} ${verb} not shown.`
    : `${named} ${verb} missing: the service has not given ${entry.from === entry.to ? "it" : "them"}.`;
};

/** What does not hold at one record, and since when nothing is proven. */
const BrokenPlace = ({
  flaw,
  seq,
}: {
  readonly flaw: Parameters<typeof flawText>[0];
  readonly seq: number;
}): ReactNode => {
  const from = flaw.cause === "link-broken" ? Number(flaw.facts["before"]) : seq;
  return (
    <>
      <strong>Record {seq} does not hold:</strong> <Sentence text={flawText(flaw)} />.{" "}
      {from < seq ? `Record ${from} or record ${seq} was altered. ` : undefined}
      Everything from record {from} on is unproven.
    </>
  );
};

const RecordRow = ({
  entry: { isUnproven, record },
  isOther,
}: {
  readonly entry: Extract<LedgerEntry, { readonly kind: "record" }>;
  readonly isOther: boolean;
}): ReactNode => {
  const { actor, environment, eventTime, kind, processTime, seq } = record;
  return (
    <tr data-row>
      <th scope="row">
        <Link to={{ page: "record", parts: { seq: String(seq) }, query: {} }}>
          <span className="machine">{seq}</span>
        </Link>
      </th>
      <td>
        <InstantShown at={eventTime} />
      </td>
      <td>
        <InstantShown at={processTime} />
      </td>
      <td>
        <span className="machine">
          <Quoted text={kind} />
        </span>
      </td>
      <td>
        <Quoted text={actor.id} /> <span className="soft">{actor.kind}</span>
      </td>
      <td>{environment === undefined ? <span className="soft">none</span> : <Quoted text={environment} />}</td>
      <td>{vmsText(vmsIn(record))}</td>
      <td>
        <ResultShown record={record} />
        {isUnproven ? <p className="broken">unproven</p> : undefined}
        {isOther ? <p className="broken">a different record was shown here before</p> : undefined}
      </td>
    </tr>
  );
};

const VMS_NAMED = 3;

const vmsText = (vms: readonly number[]): ReactNode => {
  if (vms.length === 0) return <span className="soft">none</span>;
  const more = vms.length - VMS_NAMED;
  return (
    <>
      <span className="machine">{vms.slice(0, VMS_NAMED).join(", ")}</span>
      {more > 0 ? ` and ${more} more` : ""}
    </>
  );
};

/** Granted, or refused with each code and its rule. */
export const ResultShown = ({ record }: { readonly record: RecordSeen }): ReactNode => {
  const came = cameTo(record);
  if (came === undefined) return <StateSign state="unknown" word="not said" />;
  if (came.kind === "granted") return <StateSign state="in sync" word="granted" />;
  return (
    <>
      <StateSign state="refused" />{" "}
      {came.refusals.map(({ code, rule }) => (
        <span className="machine" key={`${rule} ${code}`}>
          <Quoted text={code} /> (<RuleLink rule={rule} />){" "}
        </span>
      ))}
    </>
  );
};
