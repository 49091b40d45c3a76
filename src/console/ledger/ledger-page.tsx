// Ledger: what was asked, granted and refused, in chain order, page by page, each record from the bytes that were
// hashed here.

import type { ReactNode } from "react";
import { pathTo } from "../page-address.ts";
import type { PageProps } from "../pages.tsx";
import { Link } from "../parts/link.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SearchForm } from "../parts/search-form.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { useSeenRecords } from "../seen-records.ts";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";
import { isFiltered, type LedgerFilters, type LedgerShown, ledgerPath, loadLedger } from "./load-ledger.ts";
import { RecordTable, recordsText } from "./record-table.tsx";
import { ServiceBroken } from "./service-broken.tsx";

export const LedgerPage = ({ address, go }: PageProps<"ledger">): ReactNode => {
  const { query } = address;
  const seen = useSeenRecords();
  const [snapshot, readAgain] = useSnapshot(pathTo(address), (signal) => loadLedger(query, seen, signal));
  return (
    <>
      <h1>Ledger</h1>
      <SearchForm
        fields={FIELDS}
        key={pathTo(address)}
        label="Filters"
        query={query}
        show={(given) => go(pathTo({ page: "ledger", parts: {}, query: given }))}
      />
      {isFiltered(query) ? (
        <p className="pager">
          <Link to={{ page: "ledger", parts: {}, query: {} }}>Clear filters</Link>
        </p>
      ) : undefined}
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {(shown, head) => (
          <>
            <SnapshotHead
              {...(query.environment && { environment: query.environment })}
              head={head}
              readAgain={readAgain}
            />
            <Timeline query={query} shown={shown} />
          </>
        )}
      </SnapshotShown>
      <p className="pager">
        <Link to={{ page: "verify", parts: {}, query: {} }}>Verify the whole ledger in this browser</Link>
        <a download="dedalus-export.ndjson" href="/v1/export">
          Export the whole ledger
        </a>
      </p>
      <SameElsewhere commands={[spellCommand("records", commandOf(query))]} paths={[ledgerPath(query)]} />
    </>
  );
};

/** At a command line the last record of a span is named. */
const commandOf = ({ before = "", ...query }: LedgerFilters) =>
  /^[1-9]\d{0,14}$/.test(before) ? { ...query, to: String(Number(before) - 1) } : query;

const Timeline = ({ query, shown }: { readonly query: LedgerFilters; readonly shown: LedgerShown }): ReactNode => {
  const { entries, from, hadBefore, isStuck, next, others, refused, size, torn } = shown;
  const records = entries.filter((entry) => entry.kind === "record");
  const [first, last] = [records.at(0)?.record.seq, records.at(-1)?.record.seq];
  const end = (last ?? from - 1) + 1;
  const caption =
    first === undefined || last === undefined
      ? `No ${isFiltered(query) ? "matching " : ""}records; the ledger has ${size}`
      : `${recordsText(first, last)} of ${size}${isFiltered(query) ? `, ${records.length} matching` : ""}`;
  return (
    <>
      {hadBefore === undefined ? undefined : (
        <p className="broken" role="alert">
          <strong>The ledger is shorter than it was.</strong> It had {hadBefore} records when this tab last read it, and
          has {size}.
        </p>
      )}
      <RecordTable caption={caption} entries={entries} others={others} />
      {torn === undefined ? undefined : (
        <p className="broken" role="alert">
          <strong>The answer was cut off after record {end - 1}.</strong> Nothing is known of what follows.
        </p>
      )}
      {refused === undefined ? undefined : <ServiceBroken refused={refused} seq={end} />}
      {isStuck ? (
        <p className="broken" role="alert">
          <strong>The last row cannot be read.</strong> What follows is found without the filter.
        </p>
      ) : undefined}
      <nav aria-label="Pages of the ledger" className="pager">
        {from > 0 ? <To name="First records" place={{ from: "0" }} query={query} /> : undefined}
        {from > 0 ? (
          <To name="Earlier records" place={{ before: String(Math.min(first ?? from, size)) }} query={query} />
        ) : undefined}
        {next === undefined ? undefined : <To name="Later records" place={{ from: String(next) }} query={query} />}
        {next === undefined ? undefined : <To name="Newest records" place={{}} query={query} />}
      </nav>
    </>
  );
};

/** Another page of the same filter. */
const To = ({
  name,
  place,
  query: { before: _, from: __, ...filters },
}: {
  readonly name: string;
  readonly place: Pick<LedgerFilters, "before" | "from">;
  readonly query: LedgerFilters;
}): ReactNode => <Link to={{ page: "ledger", parts: {}, query: { ...filters, ...place } }}>{name}</Link>;

const FIELDS = [
  ["kind", "Kind"],
  ["environment", "Environment"],
  ["vm", "VM"],
  ["correlation", "Correlation"],
  ["from", "From record"],
] as const;
