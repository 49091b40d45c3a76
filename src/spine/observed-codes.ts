// What an observation may say besides states: why a provider forbids something (blockers), why a state is not known
// (doubts), and what was not seen (gaps). Closed tables: each code with the facts that it carries.
//
// Adapters choose from here, and hashes cover code and facts. What a provider, a file or the system said is `said`:
// quoted, never judged; why nothing could be had from the provider is a diagnostic (diagnostic-codes.ts). "stated" is
// for observations that people write: all there is to it was said. Not here: the sentences
// (words/causes/observation-words.ts).

import type { Diagnostic } from "./diagnostic-codes.ts";
import type { Fact, Facts } from "./model.ts";

type Table = Readonly<Record<string, readonly string[]>>;

export const BLOCKERS = {
  "action-not-offered": [],
  "containers-lack-it": [],
  "guest-halted": ["state"],
  "ha-at-work": ["state"],
  "ha-managed": [],
  hibernated: [],
  "identity-not-shown": [],
  locked: ["lock"],
  "memory-moving": ["state"],
  "monitor-silent": [],
  "name-not-shown": [],
  "process-not-shown": [],
  "protected-at-provider": [],
  "quorum-lost": [],
  "quorum-not-seen": [],
  "revision-not-shown": [],
  "running-container-sizes": [],
  "size-removal-pending": [],
  "sizes-mixed": [],
  "snapshot-name-reserved": ["snapshot"],
  "snapshot-name-unfit": ["max", "min"],
  stated: [],
  "task-at-work": ["task"],
  template: [],
} as const satisfies Table;

export const DOUBTS = {
  "configuration-unreadable": [],
  "entry-key-missing": ["key"],
  "entry-key-misspelt": ["key", "meant"],
  "entry-key-unknown": ["key"],
  "entry-malformed": ["field", "found", "foundAs"],
  "entry-not-number": ["field", "found", "foundAs", "max", "min"],
  "entry-not-text": ["field", "found", "foundAs", "max", "min"],
  "entry-not-word": ["field", "found", "foundAs", "words"],
  "kind-not-shown": [],
  "listed-twice": ["times"],
  "name-changed": [],
  "name-unreadable": [],
  "node-impossible": [],
  "node-offline": ["lastReport", "node"],
  "node-refused": ["node"],
  "node-silent": ["lastReport", "node"],
  "not-at-node": ["node"],
  "not-seen": [],
  "not-told": [],
  "provider-silent": [],
  "reply-unreadable": [],
  "right-missing": ["path"],
  stated: [],
  "status-of-another": [],
  "status-undefined": [],
  "status-unreadable": [],
  "tags-unreadable": [],
} as const satisfies Table;

export const GAPS = {
  "bare-list": [],
  "credential-limited": [],
  "credential-unusable": [],
  "entries-unreadable": ["more"],
  "entry-unreadable": ["entry"],
  "list-not-seen": [],
  "more-not-visible": ["more"],
  "quorum-lost": [],
  "quorum-not-seen": [],
  "rights-not-seen": [],
  "rights-unreadable": [],
  "rows-unreadable": ["rows"],
  stated: [],
  "visibility-not-seen": ["vm"],
  "vm-not-visible": ["path", "right", "vm"],
} as const satisfies Table;

export type BlockerCode = keyof typeof BLOCKERS;
export type DoubtCode = keyof typeof DOUBTS;
export type GapCode = keyof typeof GAPS;

/** One code with its facts, what came between us and the provider, and what was said word for word. */
export type Stated<Code extends string> = {
  readonly code: Code;
  readonly diagnostic?: Diagnostic;
  readonly facts?: Facts;
  readonly said?: string;
};
export type Doubt = Stated<DoubtCode>;
export type Gap = Stated<GapCode>;

/** The compiler asks for the facts of the code. */
type About<T extends Table, C extends keyof T> = (T[C] extends readonly []
  ? unknown
  : { readonly facts: { readonly [K in T[C][number]]: Fact } }) & {
  readonly diagnostic?: Diagnostic;
  readonly said?: string;
};
export type Given<T extends Table, C extends keyof T> = T[C] extends readonly []
  ? readonly [about?: About<T, C>]
  : readonly [about: About<T, C>];

export const doubt = <C extends DoubtCode>(code: C, ...[about]: Given<typeof DOUBTS, C>): Doubt => ({ code, ...about });
export const gap = <C extends GapCode>(code: C, ...[about]: Given<typeof GAPS, C>): Gap => ({ code, ...about });
export const blocking = <C extends BlockerCode>(code: C, ...[about]: Given<typeof BLOCKERS, C>): Stated<C> => ({
  code,
  ...about,
});

/** Keys in order, so that it can be hashed, whoever wrote it. */
export const inOrderOfKeys = <Code extends string>({ code, diagnostic, facts, said }: Stated<Code>): Stated<Code> => ({
  code,
  ...(diagnostic === undefined ? {} : { diagnostic: inOrderOfKeys(diagnostic) }),
  ...(facts === undefined
    ? {}
    : { facts: Object.fromEntries(Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1))) }),
  ...(said === undefined ? {} : { said }),
});
