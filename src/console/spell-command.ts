// What a page shows, as the command that shows or does the same: one table, held against the command line's own parser
// by a test.
//
// No server is named: a command line knows its own.

import { seenCommand } from "../boundary/contract/seen-command.ts";

type Given = Readonly<Record<string, string | undefined>>;
type OfRecord = { readonly seq: string };

const option = (name: string, value: string | undefined): readonly string[] =>
  value === undefined || value === "" ? [] : [`--${name}`, value];

export const SPELLINGS = {
  proof: ({ seq }: OfRecord) => ["ledger", "prove", seq],
  records: ({ correlation, environment, from, kind, to, vm }: Given) => [
    "ledger",
    "show",
    ...option("correlation", correlation),
    ...option("env", environment),
    ...option("from", from),
    ...option("kind", kind),
    ...option("to", to),
    ...option("vm", vm),
  ],
  stateAt: ({ seq }: OfRecord) => ["state", "--at", seq],
  verify: (_: Readonly<Record<never, never>>) => ["ledger", "verify"],
} as const satisfies Readonly<Record<string, (of: never) => readonly string[]>>;

export type Spelling = keyof typeof SPELLINGS;

export const spellCommand = <S extends Spelling>(command: S, of: Parameters<(typeof SPELLINGS)[S]>[0]): string =>
  seenCommand(["dedalus", ...(SPELLINGS[command] as (about: typeof of) => readonly string[])(of)]);
