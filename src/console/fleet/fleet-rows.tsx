// The VMs of a fleet, one row each: what is desired beside what was observed, and why the two differ or cannot be told.

import type { ReactNode } from "react";
import { seenBytes } from "../../boundary/contract/seen-text.ts";
import { actionWord } from "../action-word.ts";
import { Link } from "../parts/link.tsx";
import { LongTable, type TableColumn } from "../parts/long-table.tsx";
import { RuleLink } from "../parts/problem.tsx";
import { Quoted, Sentence } from "../parts/quoted.tsx";
import { StateSign } from "../parts/state-sign.tsx";
import { type FleetRow, nodeOf, type VmRead } from "./narrow-fleet.ts";

const sizes = (cpus: number | undefined, memory: number | undefined): string =>
  [
    ...(cpus === undefined ? [] : [`${cpus} ${cpus === 1 ? "CPU" : "CPUs"}`]),
    ...(memory === undefined ? [] : [seenBytes(memory)]),
  ].join(", ");

const Sizes = ({ cpus, memory }: { readonly cpus?: number; readonly memory?: number }): ReactNode => {
  const text = sizes(cpus, memory);
  return text === "" ? undefined : <div className="soft">{text}</div>;
};

const COLUMNS: readonly TableColumn<FleetRow>[] = [
  {
    cell: ({ environment, vm }) => (
      <>
        <Link to={{ page: "vm", parts: { environment, vmid: String(vm.vmid) }, query: {} }}>
          <span className="machine">{vm.vmid}</span>
        </Link>{" "}
        <Quoted text={vm.name} />
      </>
    ),
    head: "VM",
    isHeader: true,
    share: 17,
  },
  { cell: ({ environment }) => <Quoted text={environment} />, head: "Environment", share: 11 },
  { cell: ({ state }) => <StateSign state={state} />, head: "State", share: 10 },
  {
    cell: ({ vm }) => (
      <>
        <StateSign state={vm.target} />
        <Sizes {...vm} />
      </>
    ),
    head: "Desired",
    share: 12,
  },
  {
    cell: ({ vm: { lastObserved, vmStatus } }) => (
      <>
        <StateSign state={vmStatus} />
        {lastObserved === undefined ? undefined : (
          <Sizes
            {...(lastObserved.cpus !== undefined && { cpus: lastObserved.cpus })}
            {...(lastObserved.maxmem !== undefined && { memory: lastObserved.maxmem })}
          />
        )}
      </>
    ),
    head: "Observed",
    share: 12,
  },
  {
    cell: (row) => {
      const node = nodeOf(row);
      return node === undefined ? <span className="soft">not known</span> : <Quoted text={node} />;
    },
    head: "Node",
    share: 10,
  },
  { cell: ({ vm }) => <Why vm={vm} />, head: "Why", share: 28 },
];

/** What stands between the two, in the words of a plan; and what is under way. */
const Why = ({ vm }: { readonly vm: VmRead }): ReactNode => {
  const { appliedSince, approvalsAwaited = [], blockedBy, judged, mends, openIntent, refusals = [] } = vm;
  return (
    <>
      {judged === "in-sync" ? "as desired" : undefined}
      {mends === undefined ? undefined : <Sentence text={mends.detail} />}
      {refusals.map(({ code, rule, text }) => (
        <span key={code}>
          <Sentence text={`${text.summary}: ${text.detail}`} /> (<RuleLink rule={rule} />)
        </span>
      ))}
      {blockedBy === undefined ? undefined : (
        <div>
          Blocked: the outcome of intent <span className="machine">{blockedBy}</span> is unknown
        </div>
      )}
      {openIntent === undefined ? undefined : (
        <div>
          Intent <span className="machine">{openIntent}</span> is open
        </div>
      )}
      {appliedSince === undefined ? undefined : (
        <div className="soft">
          {actionWord(appliedSince.action)} was applied since it was observed:{" "}
          {appliedSince.end?.outcome ?? "not ended"}
        </div>
      )}
      {approvalsAwaited.map(({ planId, step }) => (
        <div key={`${planId} ${step}`}>
          <Link to={{ page: "step", parts: { plan: planId, step: String(step) }, query: {} }}>
            A step waits for approval
          </Link>
        </div>
      ))}
    </>
  );
};

/** So many are on the screen at once, about: what a longer fleet costs is what a short one costs. */
const WHOLE = 50;

export const FleetTable = ({ rows }: { readonly rows: readonly FleetRow[] }): ReactNode => (
  <LongTable
    caption="Desired VMs, and how each was observed last"
    columns={COLUMNS}
    keyOf={({ environment, vm }) => `${environment} ${vm.vmid}`}
    rows={rows}
    whole={WHOLE}
  />
);
