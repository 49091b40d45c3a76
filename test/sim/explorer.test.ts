// Every interleaving of two kernels that apply one step, with one thing that goes wrong anywhere; and proof that the walk
// finds what is planted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { explore, type Scope } from "../../tools/sim/explore.ts";
import { REAL } from "../../tools/sim/parts.ts";
import { SHORT } from "../../tools/sim/scopes.ts";
import { nameOfWalk, verdictOfWalk } from "../../tools/sim/verdict.ts";
import { IN_THE_SMALL } from "./planted.ts";

for (const scope of SHORT) {
  test(`every interleaving holds: ${nameOfWalk(scope)}`, async (context) => {
    const walked = await explore(scope, REAL);
    const { because, kind } = verdictOfWalk(walked);
    assert.equal(kind, "HELD", because);
    context.diagnostic(because);
  });
}

test("a walk of nothing is invalid", () => {
  const nothing = { atRest: 0, failure: undefined, ledgers: 0, states: 1, transitions: 0 };
  assert.equal(verdictOfWalk(nothing).kind, "INVALID");
});

const NOTHING: Scope = {
  contest: "twins",
  crash: 0,
  freeze: 0,
  hasty: 0,
  isProvable: false,
  lost: 0,
  past: 0,
  together: 1,
};

for (const { bug, check, needs, parts } of IN_THE_SMALL) {
  test(`the walk finds a kernel that would ${bug}`, async (context) => {
    const scope: Scope = needs === "nothing" ? NOTHING : { ...NOTHING, [needs]: 1 };
    const { failure, states, transitions } = await explore(scope, parts);
    assert.ok(failure !== undefined, `${states} states did not show it`);
    const found = failure.objections.map((objection) => objection.check);
    assert.ok(found.includes(check), found.join());
    context.diagnostic(`${states} states, ${transitions} transitions: ${failure.path.join(", ")}`);
  });
}
