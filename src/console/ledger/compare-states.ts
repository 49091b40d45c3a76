// Two states side by side, part by part: what both have, what differs, what only one of them has. Values are compared
// as they were told, and nothing is judged.

import type { StateBody } from "./load-then.ts";

export const STATE_PARTS = ["freezes", "open", "blocked", "last", "observations"] as const;
export type StatePart = (typeof STATE_PARTS)[number];

type Told = Readonly<Record<string, unknown>>;
export type StateRow = {
  readonly key: string;
  readonly now?: Told;
  readonly was?: Told;
  readonly what: "changed" | "only now" | "only then" | "same";
};

/** What tells one member of a part from another. */
const KEYS: Readonly<Record<StatePart, (told: Told) => string>> = {
  blocked: ({ environment, vmid }) => `${environment} VM ${vmid}`,
  freezes: ({ environment, id, reason }) => `${environment ?? "everything"} ${id ?? reason ?? ""}`.trim(),
  last: ({ environment, vmid }) => `${environment} VM ${vmid}`,
  observations: ({ environment }) => `${environment}`,
  open: ({ id }) => `${id}`,
};

const sameText = (value: unknown): string => JSON.stringify(value);

export const compareStates = (part: StatePart, was: StateBody, now: StateBody): readonly StateRow[] => {
  const [before, after] = [was, now].map(
    (state) => new Map((state[part] as readonly Told[]).map((told) => [KEYS[part](told), told])),
  );
  const keys = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  return [...keys].map((key) => {
    const [old, is] = [before?.get(key), after?.get(key)];
    if (old === undefined) return { key, ...(is && { now: is }), what: "only now" };
    if (is === undefined) return { key, was: old, what: "only then" };
    return { key, now: is, was: old, what: sameText(old) === sameText(is) ? "same" : "changed" };
  });
};

/** The members of a value with their names, deeper ones by their path; those that differ from the other are marked. */
export const membersTold = (told: Told, prefix = ""): readonly (readonly [name: string, text: string])[] =>
  Object.entries(told).flatMap(([name, value]) =>
    typeof value === "object" && value !== null
      ? membersTold(value as Told, `${prefix}${name}.`)
      : [[`${prefix}${name}`, String(value)] as const],
  );
