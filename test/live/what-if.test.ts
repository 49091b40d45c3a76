// dedalus whatif: what it says for people, that it records nothing, and its exit codes.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { applied, atCluster, planned } from "./cluster.ts";

test("whatif lists each step with what was decided and what would have been, and counts them", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, folder } = cluster;
    const { id } = await planned(cluster, "reboot", 105);
    await applied(cluster, id);
    const policy = (name: string, lines: string): void =>
      writeFileSync(join(folder, name), `version: 1\ntighten: [${lines}]\n`);
    policy("refused.yaml", "{ action: vm.reboot, to: refused }");
    policy("high.yaml", "{ action: vm.reboot, to: high }");
    policy("none.yaml", "");
    policy("bad.yaml", "{ action: vm.reboot, to: allow }");
    const before = (await dedalus("ledger", "show", "--json")).out;
    const refused = await dedalus("whatif", "--policy", "refused.yaml");
    assert.equal(refused.code, 0, refused.err);
    assert.match(refused.out, /^home: VM 105 reboot \S+, planned in record \d+\n {2}step 1 of plan /);
    assert.match(
      refused.out,
      /was medium with 0 approvals; would be refused:\n.*the policy refuses reboot \(P7-A2, policy-refuses\)/,
    );
    assert.match(refused.out, /1 step would have been refused, 0 would have needed more agreement\n$/);
    const high = await dedalus("whatif", "--policy", "high.yaml", "--env", "home");
    assert.match(high.out, /was medium with 0 approvals; would be high with 1 approval\n/);
    const none = await dedalus("whatif", "--policy", "none.yaml");
    assert.match(none.out, /^judged 1 plan and 1 attempt to apply: 0 steps would have been refused, 0 would/);
    const bad = await dedalus("whatif", "--policy", "bad.yaml");
    assert.deepEqual([bad.code, bad.out], [2, ""]);
    assert.match(bad.err, /bad\.yaml:2:36: tighten\[0\]\.to: /);
    assert.equal((await dedalus("whatif", "--policy", "none.yaml", "--env", "moon")).code, 2);
    assert.equal((await dedalus("whatif")).code, 2);
    assert.equal((await dedalus("ledger", "show", "--json")).out, before, "a read leaves no record");
  });
});
