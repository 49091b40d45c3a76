// explain believes a plan.json only when its hashes and its verdict hold.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { atDesk, current, DESIRED, vm } from "./desk.ts";

const FILES = {
  "current.json": current([vm(101, "web-01", "stopped"), vm(102, "web-02", "running")]),
  "desired.yaml": DESIRED,
};
const PLAN = ["plan", "--desired", "desired.yaml", "--replay", "current.json", "--out", "plan.json"] as const;

test("an explanation names facts, effect, rules and who must agree", async () => {
  await atDesk(FILES, async (dedalus) => {
    await dedalus(...PLAN);
    const { code, out } = await dedalus("explain", "plan.json", "--vm", "101");
    assert.equal(code, 0);
    for (const part of ["observed status: stopped", "effect:  The VM is started.", "PASS  N1", "tier low"])
      assert.ok(out.includes(part), part);
  });
});

test("a VM in sync is explained too", async () => {
  await atDesk(FILES, async (dedalus) => {
    await dedalus(...PLAN);
    assert.match((await dedalus("explain", "plan.json", "--vm", "102")).out, /VM 102: in sync/);
  });
});

test("a VM that the plan does not answer for is bad input", async () => {
  await atDesk(FILES, async (dedalus) => {
    await dedalus(...PLAN);
    const { code, err } = await dedalus("explain", "plan.json", "--vm", "999");
    assert.equal(code, 2);
    assert.match(err, /P7-A1, vm-not-desired/);
  });
});

test("an edited plan fails verification with exit code 7", async () => {
  await atDesk(FILES, async (dedalus, folder) => {
    await dedalus(...PLAN);
    const path = join(folder, "plan.json");
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace(`"observedStatus": "stopped"`, `"observedStatus": "running"`),
    );
    const { code, err } = await dedalus("explain", "plan.json", "--vm", "101");
    assert.equal(code, 7);
    assert.match(err, /N7, plan-altered/);
  });
});
