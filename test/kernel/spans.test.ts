// How long things last: every action by name, so that none waits for longer or shorter unnoticed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, SEND_MS, SETTLE_MS, TOKEN_DAYS_MAX } from "../../src/kernel/state/spans.ts";
import { ACTION_KINDS } from "../../src/spine/rules/actions.ts";

test("what copies, moves or deletes is waited for for an hour, and everything else for ten minutes", () => {
  const MINUTE_MS = 60_000;
  const ofAnHour = ACTION_KINDS.filter((kind) => SETTLE_MS(kind) === 60 * MINUTE_MS);
  assert.deepEqual(ofAnHour.toSorted(), [
    "vm.clone",
    "vm.delete",
    "vm.migrate",
    "vm.snapshot.create",
    "vm.snapshot.delete",
    "vm.snapshot.rollback",
  ]);
  const others = ACTION_KINDS.filter((kind) => !ofAnHour.includes(kind));
  assert.ok(others.length > 0 && others.every((kind) => SETTLE_MS(kind) === 10 * MINUTE_MS));
});

test("a call leaves within half a minute, and a token lasts for a year at the most", () => {
  assert.deepEqual([SEND_MS, TOKEN_DAYS_MAX, DAY_MS], [30_000, 365, 86_400_000]);
});
