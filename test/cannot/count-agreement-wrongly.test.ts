// P7-A2, B2: whose approval counts, until when, and who somebody is at which door.
//
// Nobody here asks or applies with a token that one of the approvers made.

import assert from "node:assert/strict";
import { test } from "node:test";
import { get } from "../../src/kernel/state/persistent-map.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Instant, Refusal } from "../../src/spine/model.ts";
import { instantOf, msOf } from "../../src/spine/values/instant.ts";
import { cannot } from "../cannot.ts";
import {
  ALICE,
  type Ask,
  apply,
  approve,
  BOB,
  CAROL,
  DAN,
  explanationHash,
  type Mode,
  planned,
  refusalsOf,
  type Setting,
  type Story,
  story,
  tokenOf,
  tokenRequest,
} from "../kernel/story.ts";
import { coded, NAME, OBSERVED_AT, state as vmState, wantStopped } from "../spine/world.ts";

const STOP: Setting = { vms: [vmState()], entries: [wantStopped("power-off")] };
const DELETE: Setting = {
  action: { kind: "vm.delete" },
  vms: [vmState({ status: "stopped" })],
  entries: [wantStopped("power-off")],
};
const SERVICE: Ask = { door: "service" };

/** dan asks; these approve and that one applies, all through the service. */
const fourEyes = (setting: Setting, approvers: readonly Actor[], applier: Actor): readonly Refusal[] => {
  const told = story("four-eyes");
  const { of } = planned(told, { ...setting, by: DAN });
  for (const by of approvers) approve(told, of, by, SERVICE);
  return refusalsOf(apply(told, of, applier, { door: "service", name: NAME }));
};

cannot("B2", "count the applier among the two who approve what cannot be undone", {
  neighbour: () => fourEyes(DELETE, [BOB, CAROL], DAN),
  offence: () => coded("approval-own", fourEyes(DELETE, [BOB, CAROL], CAROL)),
});
cannot("B2", "count the applier as the other person of a high step", {
  neighbour: () => fourEyes(STOP, [CAROL], DAN),
  offence: () => coded("approval-own", fourEyes(STOP, [CAROL], CAROL)),
});
cannot("P7-A2", "delete on the approval of one where four eyes are required", {
  neighbour: () => fourEyes(DELETE, [BOB, CAROL], DAN),
  offence: () => coded("approval-missing", fourEyes(DELETE, [BOB], DAN)),
});
cannot("P7-A2", "count one person who approves twice as two", {
  neighbour: () => fourEyes(DELETE, [BOB, CAROL], DAN),
  offence: () => coded("approval-missing", fourEyes(DELETE, [BOB, BOB], DAN)),
});

/** alice alone; she approves where the test says so, and types what it says. */
const alone = (setting: Setting, isApproved: boolean, name?: string): readonly Refusal[] => {
  const told = story("single-operator");
  const { of } = planned(told, setting);
  if (isApproved) approve(told, of, ALICE);
  return refusalsOf(apply(told, of, ALICE, name === undefined ? {} : { name }));
};
cannot("P7-A2", "delete where one operates alone without an approval given before", {
  neighbour: () => alone(DELETE, true, NAME),
  offence: () => coded("approval-missing", alone(DELETE, false, NAME)),
});
for (const [what, typed] of [
  ["without its name", undefined],
  ["on another VM's name", "web-02"],
] as const) {
  cannot("P7-A2", `delete a VM ${what}`, {
    neighbour: () => alone(DELETE, true, NAME),
    offence: () => coded("name-not-typed", alone(DELETE, true, typed)),
  });
}
cannot("P7-A2", "delete a VM without its name where four eyes are required", {
  neighbour: () => fourEyes(DELETE, [BOB, CAROL], DAN),
  offence: () => {
    const told = story("four-eyes");
    const { of } = planned(told, { ...DELETE, by: DAN });
    for (const by of [BOB, CAROL]) approve(told, of, by, SERVICE);
    return coded("name-not-typed", refusalsOf(apply(told, of, DAN, { door: "service" })));
  },
});

const MINUTE_MS = 60_000;
const after = (ms: number): Instant => instantOf(msOf(OBSERVED_AT) + ms);
/** Approved by bob until the fifth minute, and applied so long after the observation. */
const appliedAfter = (ms: number, until: Instant = after(5 * MINUTE_MS)): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, STOP);
  told.ask(
    { explanation: explanationHash(told, of), kind: "approve", of, reason: "seen and agreed", until },
    { by: BOB },
  );
  told.pass(ms);
  return refusalsOf(apply(told, of));
};
cannot("P7-A2", "use an approval at the instant at which it ends", {
  neighbour: () => appliedAfter(5 * MINUTE_MS - 1),
  offence: () => coded("approval-missing", appliedAfter(5 * MINUTE_MS)),
});
cannot("N1", "apply a high step at the instant at which it ends", {
  neighbour: () => appliedAfter(15 * MINUTE_MS - 1, after(60 * MINUTE_MS)),
  offence: () => coded("step-expired", appliedAfter(15 * MINUTE_MS, after(60 * MINUTE_MS))),
});
cannot("N1", "apply any step an hour after its observation", {
  neighbour: () => startedAfter(60 * MINUTE_MS - 1),
  offence: () => coded("step-expired", startedAfter(60 * MINUTE_MS)),
});
const startedAfter = (ms: number): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  told.pass(ms);
  return refusalsOf(apply(told, of));
};

const annotated = (by: Actor, asking: Ask = {}, mode: Mode = "single-operator"): readonly Refusal[] =>
  refusalsOf(story(mode).ask({ kind: "annotate", text: "seen" }, { by, ...asking }));

cannot("B2", "be the operator of the ledger's own files at the door of the service", {
  neighbour: () => annotated(ALICE, { door: "local" }),
  offence: () => coded("actor-unknown", annotated(ALICE, SERVICE)),
});
cannot("B2", "be the operator of the ledger's own files under another name", {
  neighbour: () => annotated(ALICE),
  offence: () => coded("actor-unknown", annotated({ ...ALICE, id: "alicia" })),
});
cannot("B2", "be the operator of the ledger's own files as an agent", {
  neighbour: () => annotated(ALICE),
  offence: () => coded("actor-unknown", annotated({ ...ALICE, kind: "agent" })),
});
for (const [what, roles] of [
  ["fewer", ["operator"]],
  ["other", ["agent", "auditor", "observer", "operator"]],
] as const) {
  cannot("B2", `be the operator of the ledger's own files with ${what} roles`, {
    neighbour: () => annotated(ALICE),
    offence: () => coded("actor-unknown", annotated({ ...ALICE, roles })),
  });
}
/** `of` is whose token it is the same as, in its secret and its public id; a fresh one where it is nobody's. */
const tokenFor = (id: string, of?: string): readonly Refusal[] => {
  const told = story();
  const made = tokenRequest(told, { id, kind: "person", roles: ["observer"] });
  const { hash, token } = (of === undefined ? undefined : get(told.state().subjects, of)) ?? made;
  return refusalsOf(told.ask({ ...made, hash, token }));
};
cannot("B2", "give a subject a second token", {
  neighbour: () => tokenFor("erin"),
  offence: () => coded("token-known", tokenFor("bob")),
});
cannot("B2", "give one token to two subjects", {
  neighbour: () => tokenFor("erin"),
  offence: () => coded("token-known", tokenFor("erin", "bob")),
});
const revoked = (token: (told: Story) => string): readonly Refusal[] => {
  const told = story();
  return refusalsOf(told.ask({ act: "revoke", kind: "token", token: token(told) }));
};
cannot("B2", "revoke a token that is not there", {
  neighbour: () => revoked((told) => tokenOf(told, "bob")),
  offence: () =>
    coded(
      "token-unknown",
      revoked(() => "t999999999"),
    ),
});
cannot("B2", "use a person's token as an agent", {
  neighbour: () => annotated(BOB, SERVICE),
  offence: () => coded("actor-unknown", annotated({ ...BOB, kind: "agent" }, SERVICE)),
});

test("an approval ends when it was told to, and never after its step", () => {
  const endOf = (until: Instant | undefined): Instant | undefined => {
    const told = story();
    const { of } = planned(told, STOP);
    const explanation = explanationHash(told, of);
    const asked = { explanation, kind: "approve", of, reason: "seen and agreed" } as const;
    const result = told.ask(until === undefined ? asked : { ...asked, until }, { by: BOB });
    return result.kind === "approved" ? result.expiresAt : undefined;
  };
  assert.equal(endOf(after(MINUTE_MS)), after(MINUTE_MS));
  assert.equal(endOf(after(60 * MINUTE_MS)), after(15 * MINUTE_MS));
  assert.equal(endOf(undefined), after(15 * MINUTE_MS));
});

test("a step that is over says when it ended", () => {
  assert.deepEqual(
    startedAfter(60 * MINUTE_MS).map(({ cause, facts }) => [cause, facts]),
    [["ended", { end: after(60 * MINUTE_MS) }]],
  );
});
