// What can be asked for, and what its request is about: the operations of the service by name, for whoever is told what
// to do next.
//
// Not here: after which refusal it is told (next-step-table.ts), how a door spells it (cli/spell.ts).

import type { Fact } from "../model.ts";

/** What a request is about. */
export type Field =
  | "action"
  | "applyVariable"
  | "command"
  | "confirmation"
  | "cpus"
  | "desired"
  | "environment"
  | "explanation"
  | "export"
  | "file"
  | "fingerprint"
  | "gid"
  | "identity"
  | "key"
  | "memory"
  | "name"
  | "observeVariable"
  | "plan"
  | "proof"
  | "scope"
  | "server"
  | "snapshot"
  | "step"
  | "uid"
  | "vmid";

export type Fields = {
  readonly needs: readonly Field[];
  readonly takes: readonly Field[];
  /** What the asker was about, where that is known. */
  readonly about?: readonly Field[];
};

const of = <const N extends readonly Field[], const T extends readonly Field[]>(
  needs: N,
  takes: T,
): { readonly needs: N; readonly takes: T } => ({ needs, takes });

/**
 * Named as the service names them; `again` is the same request once more, `usage` how it is made, `narrow` the same
 * plan for a smaller scope, `planAction` and `reboot` a plan of one action, `help` the door's own; `closeFile` and
 * those that own or remove one are for the system, at the machine itself. What it needs comes from a fact or from what
 * the asker was about, and leaves the step out where nobody knows it; what it takes is a fact.
 */
export const ASKABLE = {
  acceptClock: of([], []),
  acceptIdentity: of(["environment", "vmid", "identity"], []),
  again: of([], ["fingerprint", "observeVariable", "applyVariable"]),
  againConfirmed: of([], []),
  apply: of(["plan"], ["step"]),
  // What was denied before is approved by whoever names the explanation that tells of it.
  approve: { ...of(["plan", "step"], ["explanation"]), about: ["explanation"] },
  challenge: of(["plan", "step"], []),
  checkpoint: of([], []),
  closeFile: of(["file"], []),
  createToken: of([], []),
  drift: of([], []),
  examine: of(["environment"], []),
  explain: of(["plan"], ["step"]),
  freeze: of([], ["environment"]),
  help: of([], ["command"]),
  init: of([], []),
  inventory: of([], ["environment"]),
  join: of([], []),
  login: of(["server"], []),
  makePlan: of(["environment"], []),
  narrow: { ...of([], ["scope"]), about: ["environment"] },
  observe: of(["environment"], []),
  ownFile: of(["file", "gid", "uid"], []),
  ownFolder: of(["file", "gid", "uid"], []),
  planAction: {
    ...of(["environment", "action", "vmid"], ["snapshot", "cpus", "memory"]),
    about: ["snapshot", "cpus", "memory"],
  },
  environments: of([], []),
  people: of([], []),
  plans: of([], []),
  reAnchor: of([], []),
  reboot: of(["environment", "vmid"], []),
  reconcile: of(["environment", "vmid"], []),
  records: of([], []),
  removeFile: of(["file"], []),
  register: { ...of([], ["environment", "desired"]), about: ["environment"] },
  requestApproval: of(["plan", "step"], []),
  restore: of([], []),
  revokeToken: of(["name"], []),
  rotateToken: of(["name"], []),
  rules: of([], []),
  showPlan: of(["plan"], []),
  signOut: of(["name"], []),
  status: of([], ["vmid"]),
  tokens: of([], []),
  unfreeze: of([], ["environment"]),
  unlock: of([], []),
  usage: of([], []),
  verify: of([], []),
  vms: of([], []),
  whoami: of([], []),
} as const satisfies Readonly<Record<string, Fields>>;

export type Asked = keyof typeof ASKABLE;
type FieldOf<A extends Asked> = (typeof ASKABLE)[A]["needs" | "takes"][number];

/** An operation that can be asked for, with what is known for its request. */
export type NextStep = { readonly ask: Asked; readonly with: Readonly<Partial<Record<Field, Fact>>> };

/** The same before there is a refusal: each field names the fact that it is taken from. */
export type Foreseen = { readonly ask: Asked; readonly from: Readonly<Partial<Record<Field, string>>> };

/** About what the asker was about. */
export const ask = <const A extends Asked>(asked: A) => ({ ask: asked, from: {} }) as const;
/** With facts of the refusal. */
export const askOf = <const A extends Asked, const F extends { readonly [K in FieldOf<A>]?: string }>(
  asked: A,
  from: F,
) => ({ ask: asked, from }) as const;
