// The sum over many worlds: what happened how often, and which kinds of event must have happened for a run to prove
// anything. A run that lacks one of them is INVALID, however green it is.

import type { OutcomeCause } from "../../src/spine/rules/outcome-causes.ts";
import { entriesOf, isKind } from "./checks/evidence.ts";
import type { Setting } from "./seeded-world.ts";
import type { Stage } from "./stage.ts";

export type Tally = { readonly worlds: number; readonly events: ReadonlyMap<string, number> };

export const NO_WORLDS: Tally = { events: new Map(), worlds: 0 };

/** What one world adds: what the scheduler counted, what is in the records, what the world's journal says. */
export const eventsOf = (stage: Stage, { isSkewed, mode }: Pick<Setting, "isSkewed" | "mode">): readonly string[] => {
  const ofRecords = entriesOf(stage).flatMap((entry): readonly string[] => {
    const { result } = entry;
    if (result.kind === "refused") return result.refusals.map(({ code }) => `refused: ${code}`);
    if (isKind(entry, "recover")) return [`recovered: ${entry.request.ground}`];
    const isLate = result.kind === "ended" && result.late;
    return isKind(entry, "outcome") ? [`outcome: ${entry.request.outcome}${isLate ? ", late" : ""}`] : [];
  });
  const ofPlace = stage.provider
    .world()
    .journal.flatMap((entry) => (entry.kind === "call" ? [`call: ${entry.fate ?? "plain"}`] : []));
  const ends = stage.traces.flatMap(({ isOver, progress }) => {
    const at = progress();
    return isOver() && at.at === "done" ? [NOT_SENT[at.end.cause] ?? []] : [];
  });
  return [`mode: ${mode}`, `clocks: ${isSkewed ? "jump" : "true"}`, ...ofRecords, ...ofPlace, ...ends.flat()];
};

const NOT_SENT: { readonly [C in OutcomeCause]?: string } = {
  "anchor-unwritable": "not sent: not anchored",
  frozen: "not sent: frozen",
  "grounds-changed": "not sent: grounds changed",
  "ledger-unreadable": "not sent: ledger not read",
  "owner-lock-lost": "not sent: lock lost",
  "send-late": "not sent: too late",
  "vm-changed": "not sent: the world moved",
  "vm-not-observed": "not sent: not seen",
};

export const added = ({ events, worlds }: Tally, stage: Stage, setting: Setting): Tally => {
  const sum = new Map(events);
  const add = (what: string, by: number): void => {
    sum.set(what, (sum.get(what) ?? 0) + by);
  };
  for (const [what, times] of stage.counts.all()) add(what, times);
  for (const what of eventsOf(stage, setting)) add(what, 1);
  return { events: sum, worlds: worlds + 1 };
};

export const together = (one: Tally, other: Tally): Tally => ({
  events: new Map(
    [...new Set([...one.events.keys(), ...other.events.keys()])].map((what) => [
      what,
      (one.events.get(what) ?? 0) + (other.events.get(what) ?? 0),
    ]),
  ),
  worlds: one.worlds + other.worlds,
});

/** Each of these happens in a run that is long enough. */
export const MUST_HAPPEN: readonly string[] = [
  "answer replayed",
  "append conflict",
  "append duplicate",
  "append ok, unheard",
  "append read-only",
  "append unknown",
  "applies tried",
  "apply: intended",
  "apply: refused",
  "approve: approved",
  "call: fails",
  "call: half-done",
  "call: late",
  "call: lies",
  "call: lost-reply",
  "call: plain",
  "call: slow",
  "call: unheard",
  "call: verdict-lost",
  "call: warns",
  "cancel: done",
  "challenge: challenged",
  "change",
  "clocks: jump",
  "clocks: true",
  "commands repeated",
  "configure",
  "crash",
  "deny: done",
  "register: done",
  "dispatched: done",
  "freeze: done",
  "accept-clock: clock-accepted",
  "accept-identity: identity-accepted",
  "annotate: key-reused",
  "lost-reply",
  "lost-request",
  "lost-sight",
  "lost-tail",
  "mode: four-eyes",
  "mode: single-operator",
  "no-read",
  "no-write",
  "not sent: frozen",
  "not sent: grounds changed",
  "not sent: ledger not read",
  "not sent: lock lost",
  "not sent: not anchored",
  "not sent: the world moved",
  "not sent: too late",
  "outcome: failed",
  "outcome: succeeded",
  "outcome: unknown",
  "outcome: unknown, late",
  "pause",
  "plan: planned",
  "plan: unchanged",
  "reconcile: done",
  "recovered: owner-ended",
  "recovered: owner-unlocked",
  "recovered: past-settle-by",
  "refused: agent-foreign-plan",
  "refused: approval-made",
  "refused: approval-missing",
  "refused: approval-own",
  "refused: clock-ahead",
  "refused: clock-not-ahead",
  "refused: configuration-differs",
  "refused: desired-changed",
  "refused: entry-unproven",
  "refused: frozen",
  "refused: owner-alive",
  "refused: policy-differs",
  "refused: policy-rate",
  "refused: policy-window",
  "refused: production-touched",
  "refused: role-elsewhere",
  "refused: service-needed",
  "refused: sign-in-refused",
  "refused: step-claimed",
  "refused: step-consumed",
  "refused: step-denied",
  "refused: step-expired",
  "refused: token-expired",
  "refused: vm-blocked",
  "refused: vm-busy",
  "refused: vm-not-desired",
  "restart",
  "resume",
  "revoke: done",
  "ring",
  "skew",
  "set-right",
  "sign-in: done",
  "sign-out: done",
  "token: done",
  "unfreeze: done",
];

export const absent = ({ events }: Tally): readonly string[] =>
  MUST_HAPPEN.filter((what) => (events.get(what) ?? 0) === 0);
