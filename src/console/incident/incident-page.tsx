// Incident: what happened to a VM, in an undertaking or in a span of records, in chain order, with the stages of each
// step; to read, to remark on, to print, and to hand on as one file with proofs.

import { type ReactNode, useId, useState } from "react";
import { flowsIn } from "../../boundary/contract/seen-flow.ts";
import { seenText } from "../../boundary/contract/seen-text.ts";
import { againstAct } from "../ask/read-allowances.ts";
import { RecordTable } from "../ledger/record-table.tsx";
import { RemarkAct } from "../ledger/remark-act.tsx";
import { RemarkList } from "../ledger/remark-list.tsx";
import { ServiceBroken } from "../ledger/service-broken.tsx";
import { pathTo } from "../page-address.ts";
import type { PageProps } from "../pages.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SearchForm } from "../parts/search-form.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { useSeenRecords } from "../seen-records.ts";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";
import { FlowShown } from "./flow-shown.tsx";
import { type IncidentAsked, type IncidentShown, incidentPath, isIncident, loadIncident } from "./load-incident.ts";
import { SaveIncident } from "./save-incident-part.tsx";

export const IncidentPage = ({ address, go, session }: PageProps<"incident">): ReactNode => (
  <>
    <h1>Incident</h1>
    <SearchForm
      fields={FIELDS}
      key={pathTo(address)}
      label="Incident"
      query={address.query}
      show={(query) => go(pathTo({ page: "incident", parts: {}, query }))}
    />
    {isIncident(address.query) ? (
      <IncidentAt address={address} key={`of ${pathTo(address)}`} session={session} />
    ) : (
      <p className="soft">Enter a VM, a correlation or a range of records.</p>
    )}
  </>
);

const IncidentAt = ({ address, session }: Omit<PageProps<"incident">, "go">): ReactNode => {
  const { query } = address;
  const seen = useSeenRecords();
  const [snapshot, readAgain] = useSnapshot(pathTo(address), (signal) => loadIncident(query, seen, signal));
  return (
    <>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {(shown, head) => (
          <>
            <SnapshotHead
              {...(query.environment && { environment: query.environment })}
              head={head}
              readAgain={readAgain}
            />
            <Told query={query} shown={shown} />
            <SaveIncident head={head} query={query} shown={shown} />
            <RemarkOn session={session} shown={shown} />
          </>
        )}
      </SnapshotShown>
      <SameElsewhere commands={[spellCommand("records", query)]} paths={[incidentPath(query)]} />
    </>
  );
};

const Told = ({ query, shown }: { readonly query: IncidentAsked; readonly shown: IncidentShown }): ReactNode => {
  const { entries, hadBefore, isCut, isStuck, others, records, refused, remarks, remarksLack, torn } = shown;
  const end = (records.at(-1)?.record.seq ?? -1) + 1;
  const flows = flowsIn(records.map(({ record }) => record));
  return (
    <>
      {hadBefore === undefined ? undefined : (
        <p className="broken" role="alert">
          <strong>The ledger is shorter than it was.</strong> It had {hadBefore} records when this tab last read it.
        </p>
      )}
      <RecordTable caption={`${countText(records.length)}${aboutText(query)}`} entries={entries} others={others} />
      {isCut ? (
        <p role="alert">There are more records after record {end - 1}. Narrow the range to see them.</p>
      ) : undefined}
      {isStuck ? (
        <p className="broken" role="alert">
          <strong>The last row that came cannot be read.</strong> What follows it was not asked for. Name a smaller span
          to see it.
        </p>
      ) : undefined}
      {torn === undefined ? undefined : (
        <p className="broken" role="alert">
          <strong>The answer was cut off.</strong> Nothing is known of what follows record {end - 1}.
        </p>
      )}
      {refused === undefined ? undefined : <ServiceBroken refused={refused} seq={end} />}
      <h2>Stages</h2>
      {flows.length === 0 ? <p className="soft">No plan and no step is among these records.</p> : undefined}
      {flows.map((flow) => (
        <FlowShown flow={flow} key={`${flow.plan} ${flow.step ?? ""}`} />
      ))}
      <h2>Remarks</h2>
      <RemarkList lack={remarksLack} remarks={remarks} />
    </>
  );
};

const countText = (count: number): string =>
  count === 0 ? "No record" : count === 1 ? "1 record" : `${count} records in chain order`;

/** On paper nothing else says what was asked about. */
const aboutText = (query: IncidentAsked): string =>
  FIELDS.flatMap(([name, title]) => (query[name] ? [`${title} ${seenText(query[name])}`] : []))
    .map((text) => `, ${text}`)
    .join("");

/** Which record it is about is chosen by whoever writes it: none is beforehand. */
const RemarkOn = ({
  session,
  shown: { allowances, records },
}: { readonly shown: IncidentShown } & Pick<PageProps<"incident">, "session">): ReactNode => {
  const [chosen, choose] = useState("");
  const id = useId();
  if (records.length === 0) return undefined;
  const about = records.find(({ record }) => String(record.seq) === chosen)?.record;
  return (
    <div className="unprinted">
      <label htmlFor={id}>Remark on a record</label>
      <select id={id} onChange={({ target }) => choose(target.value)} value={chosen}>
        <option value="">none</option>
        {records.map(({ record }) => (
          <option key={record.seq} value={record.seq}>
            Record {record.seq}
          </option>
        ))}
      </select>
      {about === undefined ? undefined : (
        <RemarkAct
          against={againstAct(allowances, "annotate", about.environment)}
          key={about.seq}
          seq={about.seq}
          session={session}
        />
      )}
    </div>
  );
};

const FIELDS = [
  ["vm", "VM"],
  ["environment", "Environment"],
  ["correlation", "Correlation"],
  ["from", "From record"],
  ["to", "To record"],
] as const;
