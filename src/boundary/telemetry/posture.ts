// How things stand, in numbers: what /metrics shows and nothing that names a VM or a person.
//
// Not here: how it is read (the service's status), what /readyz says of it (boundary/http).

import type { LedgerStatus } from "../../service/read/status.ts";

export type EnvironmentPosture = {
  readonly blocked: number;
  readonly freezes: number;
  readonly name: string;
  readonly open: number;
};

export type Posture = {
  readonly environments: readonly EnvironmentPosture[];
  /** Absent of a ledger without a record. */
  readonly headAgeSeconds?: number;
  readonly isReadOnly: boolean;
  /** Absent where the process has folded nothing yet. */
  readonly lagRecords?: number;
  readonly overdue: number;
  readonly records: number;
};

/** Of every environment that is configured, also where nothing happens, so that an alert finds its series. */
export const environmentPostures = (
  configured: readonly string[],
  { blocked, freezes, open }: Pick<LedgerStatus, "blocked" | "freezes" | "open">,
): readonly EnvironmentPosture[] => {
  const known = [...configured, ...[...blocked, ...open].map(({ environment }) => environment)];
  const names = [...new Set([...known, ...freezes.map(({ where }) => where)])].toSorted();
  const of = (list: readonly { readonly environment: string }[], name: string): number =>
    list.filter(({ environment }) => environment === name).length;
  return names.map((name) => ({
    blocked: of(blocked, name),
    freezes: freezes.filter(({ where }) => where === name).length,
    name,
    open: of(open, name),
  }));
};
