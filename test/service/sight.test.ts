// What somebody sees of a state is worked out once for all who see the same, and for nobody else. Keeps B3.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Grants } from "../../src/kernel/command/role-grants.ts";
import type { Reader } from "../../src/kernel/decide/actors.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { stateFor } from "../../src/service/hold/sight.ts";
import { planned, story } from "../kernel/story.ts";

const reader = (id: string, kind: "agent" | "person", ...grants: Grants): Reader => ({ actor: { id, kind }, grants });
const AT_HOME = { environments: ["home"], roles: ["observer"] } as const;
const AWAY = { environments: ["away"], roles: ["observer"] } as const;

test("a state is looked through once for each sight of it, and anew when it moved on", () => {
  const told = story();
  const { id } = planned(told);
  const state = told.state();
  const seen = stateFor(state, reader("eve", "person", AT_HOME));
  assert.notEqual(seen, state);
  assert.ok(recall(seen.plans, id) !== undefined);
  assert.equal(stateFor(state, reader("finn", "person", AT_HOME)), seen, "another who sees the same");
  const away = stateFor(state, reader("eve", "person", AWAY));
  assert.equal(recall(away.plans, id), undefined, "the same caller with another sight");
  // A sensor reads nothing, and an agent with the same words in its grants is another reader than a person.
  assert.equal(recall(stateFor(state, reader("p", "agent", { ...AT_HOME, roles: ["sensor"] })).plans, id), undefined);
  assert.notEqual(stateFor(state, reader("robo", "agent", AT_HOME)), seen);
  const all = { environments: "all", roles: ["auditor"] } as const;
  assert.equal(stateFor(state, reader("audra", "person", all)), state, "who sees the whole reads it as it is");
  told.ask({ kind: "freeze", reason: "incident" });
  const later = stateFor(told.state(), reader("eve", "person", AT_HOME));
  assert.notEqual(later, seen);
  assert.equal(later.freezes.size, 1);
});

test("more sights than are kept are still each their own", () => {
  const told = story();
  const { id } = planned(told);
  const sightOf = (at: number) =>
    reader("eve", "person", { environments: [`env-${at}`, ...(at % 2 === 0 ? ["home"] : [])], roles: ["observer"] });
  for (const round of [1, 2])
    for (let at = 0; at < 200; at += 1) {
      const plan = recall(stateFor(told.state(), sightOf(at)).plans, id);
      assert.equal(plan !== undefined, at % 2 === 0, `${round} ${at}`);
    }
});
