// Where four eyes are required, who asks is known as well as who approves: not at the ledger's own files, and not by a
// token where people sign in.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { by, serve, servedConfigOf, signIn, someone } from "../kernel/signing-in.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  CAROL,
  configOf,
  type Mode,
  planned,
  ROBO,
  refusalsOf,
  type Setting,
  story,
} from "../kernel/story.ts";
import { coded, state as vmState, wantStopped } from "../spine/world.ts";

const STOP: Setting = { entries: [wantStopped("power-off")], vms: [vmState()] };

const approving = (setting: Setting, mode: Mode = "four-eyes"): readonly Refusal[] => {
  const told = story(mode);
  const { of } = planned(told, { ...STOP, ...setting });
  return refusalsOf(approve(told, of, BOB, { door: "service" }));
};
const applying = (setting: Setting, mode: Mode = "four-eyes"): readonly Refusal[] => {
  const told = story(mode);
  const { of } = planned(told, setting);
  return refusalsOf(apply(told, of, CAROL, { door: "service" }));
};

cannot("B2", "approve what was asked for at the ledger's own files where four eyes are required", {
  neighbour: () => [...approving({ by: CAROL }), ...approving({ by: ALICE }, "single-operator")],
  offence: () => coded("service-needed", approving({ by: ALICE })),
});
cannot("B2", "approve what was asked for with a token at the ledger's own files", {
  neighbour: () => approving({ by: CAROL, door: "service" }),
  offence: () => coded("service-needed", approving({ by: CAROL, door: "local" })),
});
cannot("B2", "approve what an agent asked for at the ledger's own files", {
  neighbour: () => approving({ by: ROBO, door: "service" }),
  offence: () => coded("service-needed", approving({ by: ROBO, door: "local" })),
});
cannot("B2", "apply what was asked for at the ledger's own files where four eyes are required", {
  neighbour: () => [...applying({ by: CAROL }), ...applying({ by: ALICE }, "single-operator")],
  offence: () => coded("service-needed", applying({ by: ALICE })),
});

test("a plan that was asked for at the local door says why it cannot be applied, and is no answer at the other", () => {
  const told = story("four-eyes");
  const local = planned(told, { by: CAROL, door: "local" });
  assert.equal(recall(told.state().plans, local.id)?.bars, "local-door");
  const served = planned(told, { by: CAROL, door: "service" });
  assert.equal(served.result.kind, "planned");
  assert.equal(recall(told.state().plans, served.id)?.bars, undefined);
});

const WITHOUT: RecordedConfig = { ...configOf("four-eyes"), service: { sessions: { hours: 12, idleMinutes: 30 } } };
const WITH = servedConfigOf("four-eyes");

/** Somebody asks and bob approves by a token; then people sign in: eve, who approves, and olga, who applies. */
const changed = (asks: typeof CAROL, approves: typeof BOB): readonly Refusal[] => {
  const told = story("four-eyes");
  serve(told, WITHOUT);
  const isToken = approves === BOB;
  const asked = (): ReturnType<typeof planned> =>
    planned(told, { ...STOP, by: asks, config: isToken ? WITHOUT : WITH, door: "service" });
  const before = isToken ? asked() : undefined;
  if (before !== undefined) approve(told, before.of, BOB, { config: WITHOUT, door: "service" });
  serve(told, WITH);
  signIn(told, by("eve", ["eyes"]));
  signIn(told, by("olga", ["ops"]));
  const { of } = before ?? asked();
  const given = isToken ? [] : refusalsOf(approve(told, of, approves, { config: WITH, door: "service" }));
  return given.length > 0
    ? given
    : refusalsOf(apply(told, of, someone("olga", "operator"), { config: WITH, door: "service" }));
};
cannot("P7-A2", "count the approval of a token once people sign in", {
  neighbour: () => changed(someone("olga", "operator"), someone("eve", "approver")),
  offence: () => coded("approval-missing", changed(CAROL, BOB)),
});

const approvedAfter = (asks: typeof CAROL): readonly Refusal[] => {
  const told = story("four-eyes");
  serve(told, WITHOUT);
  const before =
    asks.id === "olga" ? undefined : planned(told, { ...STOP, by: asks, config: WITHOUT, door: "service" });
  serve(told, WITH);
  signIn(told, by("eve", ["eyes"]));
  signIn(told, by("olga", ["ops"]));
  const { of } = before ?? planned(told, { ...STOP, by: asks, config: WITH, door: "service" });
  return refusalsOf(approve(told, of, someone("eve", "approver"), { config: WITH, door: "service" }));
};
cannot("B2", "approve what a person asked for by a token once people sign in", {
  neighbour: () => [...approvedAfter(someone("olga", "operator")), ...approvedAfter(ROBO)],
  offence: () => coded("people-by-oidc", approvedAfter(CAROL)),
});
