// What a page shows, as the command that shows or does the same: one table, held against the command line's own parser
// by a test.
//
// Each names its service, so that it works where it is pasted; what is asked of no service names none.

import { seenCommand } from "../boundary/contract/seen-command.ts";

type Somewhere = { readonly environment?: string | undefined };
type OfVm = Somewhere & { readonly vm: string };
type OfPlan = { readonly plan: string };
type OfStep = OfPlan & { readonly step: string };
type OfRecord = { readonly seq: string };
type OfRecords = {
  readonly [F in "correlation" | "environment" | "from" | "kind" | "to" | "vm"]?: string | undefined;
};

const option = (name: string, value: string | undefined): readonly string[] =>
  value === undefined || value === "" ? [] : [`--${name}`, value];
/** Whoever copies it writes their own. */
const REASON = ["--reason", "REASON"] as const;
const env = ({ environment }: Somewhere): readonly string[] => option("env", environment);

export const SPELLINGS = {
  apply: ({ plan, step }: OfStep) => ["apply", plan, "--step", step],
  approve: ({ plan, step }: OfStep) => ["approve", plan, "--step", step, ...REASON],
  deny: ({ plan, step }: OfStep) => ["deny", plan, "--step", step, ...REASON],
  doctor: (_: Readonly<Record<never, never>>) => ["doctor"],
  environments: (_: Readonly<Record<never, never>>) => ["environments"],
  explain: ({ plan, step }: OfStep) => ["explain", plan, "--step", step],
  fleet: (of: Somewhere) => ["list", ...env(of)],
  freeze: (of: Somewhere) => ["freeze", ...env(of), ...REASON],
  history: (of: OfVm) => ["history", of.vm, ...env(of)],
  importVms: (of: Somewhere) => ["import", ...env(of), "--out", "desired.yaml"],
  init: (_: Readonly<Record<never, never>>) => ["init", "FOLDER", "--from", "https://pve.example:8006"],
  observe: (of: Somewhere) => ["observe", ...env(of)],
  plan: (of: Somewhere) => ["plan", ...env(of)],
  planShown: ({ plan }: OfPlan) => ["plan", "show", plan],
  plans: (_: Readonly<Record<never, never>>) => ["plans"],
  proof: ({ seq }: OfRecord) => ["ledger", "prove", seq],
  reconcile: (of: OfVm) => ["reconcile", "--vm", of.vm, ...env(of)],
  records: ({ correlation, environment, from, kind, to, vm }: OfRecords) => [
    "ledger",
    "show",
    ...option("correlation", correlation),
    ...option("env", environment),
    ...option("from", from),
    ...option("kind", kind),
    ...option("to", to),
    ...option("vm", vm),
  ],
  register: (of: Somewhere) => ["register", "desired.yaml", ...env(of)],
  rules: (_: Readonly<Record<never, never>>) => ["rules"],
  stateAt: ({ seq }: OfRecord) => ["state", "--at", seq],
  status: (of: Somewhere) => ["status", ...env(of)],
  statusOfVm: (of: OfVm) => ["status", "--vm", of.vm, ...env(of)],
  tokens: (_: Readonly<Record<never, never>>) => ["token", "list"],
  unfreeze: (of: Somewhere) => ["unfreeze", ...env(of), ...REASON],
  verify: (_: Readonly<Record<never, never>>) => ["ledger", "verify"],
  whoami: (_: Readonly<Record<never, never>>) => ["whoami"],
} as const satisfies Readonly<Record<string, (of: never) => readonly string[]>>;

export type Spelling = keyof typeof SPELLINGS;

/** Of the program itself, or of the machine that it is run on. */
const ASKS_NOBODY: ReadonlySet<Spelling> = new Set(["init", "rules"]);

export const spellCommandAt = <S extends Spelling>(
  server: string,
  command: S,
  of: Parameters<(typeof SPELLINGS)[S]>[0],
): string => {
  const words = (SPELLINGS[command] as (about: typeof of) => readonly string[])(of);
  return seenCommand(["dedalus", ...words, ...(ASKS_NOBODY.has(command) ? [] : ["--server", server])]);
};
