// Clocks that go wrong in a story: its time is moved ahead, something is recorded, and it is moved back.

import type { Result } from "../../src/kernel/command/result.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { observationOf, state as vmState } from "../spine/world.ts";
import { ALICE, apply, lastId, looked, planned, refusalsOf, type Seen, type Story } from "./story.ts";

export const MINUTE_MS = 60_000;
export const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;

export const observed = (told: Story, seen: Seen = {}): readonly Refusal[] => {
  looked(told, observationOf([vmState()], { observedAt: told.now() }), { seen });
  return resultOf(told);
};
export const resultOf = ({ records }: Story): readonly Refusal[] =>
  refusalsOf(records.at(-1)?.body["result"] as Result);

/** The clock ran ahead while something was recorded, and was set right. */
export const wasAhead = (told: Story, ms: number): void => {
  told.pass(ms);
  told.ask({ kind: "annotate", text: "recorded by a clock that is ahead" });
  told.pass(-ms);
};
export const accepted = (told: Story, by: Actor = ALICE, reason = "the clock was ahead"): readonly Refusal[] =>
  refusalsOf(
    told.ask(
      { kind: "accept-clock", reason, size: told.state().size },
      { by, door: by === ALICE ? "local" : "service" },
    ),
  );

export const blockedAt = (told: Story): void => {
  apply(told, planned(told).of);
  const intent = lastId(told);
  told.ask(
    { cause: "call-unanswered", intent, kind: "outcome", outcome: "unknown", said: "no reply" },
    { by: KERNEL_ACTOR },
  );
};
