// Everything that must hold of a world, as one table by name: while it goes on, and when it has come to rest.

import { agreed } from "./checks/agreement.ts";
import {
  durable,
  inTime,
  notFrozen,
  notOver,
  observedAgain,
  once,
  owned,
  remembered,
  unprotected,
} from "./checks/calls.ts";
import { clocked } from "./checks/clocks.ts";
import { heeded } from "./checks/denials.ts";
import type { Check, Evidence } from "./checks/evidence.ts";
import { grounded, kept, stillGrounded } from "./checks/grounds.ts";
import { identified } from "./checks/identities.ts";
import { limited } from "./checks/limits.ts";
import { blocks, ended, neverThrows, recovered, trueFailure, trueRollback, trueSuccess } from "./checks/outcomes.ts";
import { placed } from "./checks/places.ts";
import { chain, keys, replayed } from "./checks/records.ts";
import { stillAgreed } from "./checks/still-agreed.ts";
import { proven } from "./checks/tokens.ts";

export const ALWAYS = {
  agreed,
  blocks,
  clocked,
  durable,
  grounded,
  heeded,
  identified,
  "in-time": inTime,
  kept,
  keys,
  limited,
  observedAgain,
  "never-throws": neverThrows,
  "not-frozen": notFrozen,
  "not-over": notOver,
  once,
  owned,
  placed,
  proven,
  recovered,
  remembered,
  "still-agreed": stillAgreed,
  "still-grounded": stillGrounded,
  "true-failure": trueFailure,
  "true-rollback": trueRollback,
  "true-success": trueSuccess,
  unprotected,
} as const satisfies Record<string, Check>;

export type CheckName = keyof typeof ALWAYS | "chain" | "ended" | "replayed";
export type Objection = { readonly check: CheckName; readonly what: string };

const named = (check: CheckName, whats: readonly string[]): readonly Objection[] =>
  whats.map((what) => ({ check, what }));

/** In every state. */
export const objectionsNow = (evidence: Evidence): readonly Objection[] =>
  Object.entries(ALWAYS).flatMap(([name, check]) => named(name as CheckName, check(evidence)));

/** On the records, once for each ledger that there is. */
export const objectionsToRecords = async ({ stage }: Evidence): Promise<readonly Objection[]> => [
  ...named("chain", await chain(stage)),
  ...named("replayed", await replayed(stage)),
];

/** When the world has come to rest. */
export const objectionsAtRest = async (evidence: Evidence): Promise<readonly Objection[]> => [
  ...objectionsNow(evidence),
  ...named("ended", ended(evidence)),
  ...(await objectionsToRecords(evidence)),
];
