// N7 and P7-A2: one more instance joins a ledger on the word of an operator and a checkpoint of an instance that is
// there; it voids nothing, and is no way on for an instance that lost its anchor.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestOf } from "../../src/kernel/command/request.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import { FIRST_KEY, joinOf, SECOND_KEY, startsWith } from "../kernel/joining.ts";
import { apply, planned, refusalsOf, type Story, story } from "../kernel/story.ts";
import { coded } from "../spine/world.ts";

type Join = RequestOf<"ledger.join">;

const joins = (
  change: (told: Story) => Partial<Join> = () => ({}),
  before: (told: Story) => void = () => undefined,
): readonly Refusal[] => {
  const told = story();
  startsWith(told);
  before(told);
  return refusalsOf(told.ask(joinOf(told, change(told))));
};
const neighbour = (): readonly Refusal[] => joins();
const held = (told: Story, changed: Partial<Join["held"]>): Partial<Join> => ({
  held: { ...joinOf(told).held, ...changed },
});

cannot("P7-A2", "join without a reason", { neighbour, offence: () => joins(() => ({ reason: " " })) });
cannot("N7", "join more records than the ledger has", {
  neighbour,
  offence: () =>
    coded(
      "value-altered",
      joins(({ state }) => ({ size: state().size + 1 })),
    ),
});
cannot("N7", "join a ledger of which no record was verified", {
  neighbour,
  offence: () =>
    coded(
      "value-altered",
      joins(() => ({ size: 0 })),
    ),
});
cannot("N7", "join in the place of an instance that lost its anchor", {
  neighbour,
  offence: () =>
    coded(
      "join-unfounded",
      joins(() => ({ key: FIRST_KEY })),
    ),
});
cannot("N7", "join again when the instance has named its anchor since", {
  neighbour: () =>
    joins(
      () => ({}),
      (told) => refusalsOf(told.ask(joinOf(told))),
    ),
  offence: () =>
    coded(
      "join-unfounded",
      joins(
        () => ({}),
        (told) => startsWith(told, SECOND_KEY),
      ),
    ),
});
cannot("N7", "join on the checkpoint of nobody at the ledger", {
  neighbour,
  offence: () =>
    coded(
      "join-unfounded",
      joins((told) => held(told, { key: sha256("a stranger") })),
    ),
});
cannot("N7", "join on a checkpoint that covers no record", {
  neighbour: () => joins((told) => held(told, { size: 1 })),
  offence: () =>
    coded(
      "join-unfounded",
      joins((told) => held(told, { size: 0 })),
    ),
});
cannot("N7", "join on a checkpoint over more than was verified", {
  neighbour: () => joins((told) => held(told, { size: told.state().size })),
  offence: () =>
    coded(
      "join-unfounded",
      joins((told) => held(told, { size: told.state().size + 1 })),
    ),
});

test("joining voids no plan, no approval and no token, and ends no intent", () => {
  const told = story();
  startsWith(told);
  const { id, of } = planned(told);
  apply(told, of);
  const before = told.state();
  refusalsOf(told.ask(joinOf(told)));
  const after = told.state();
  assert.deepEqual(recall(after.plans, id), recall(before.plans, id));
  assert.deepEqual([after.open, after.tokens, after.freezes], [before.open, before.tokens, before.freezes]);
  assert.equal(after.reAnchored, undefined);
});
