// A person at a real terminal: what was typed before a question stood there answers nothing, and a question that was
// not answered with yes is answered by nobody later.

import assert from "node:assert/strict";
import { test } from "node:test";
import { atTerminal } from "./at-terminal.ts";
import { atCluster, codesIn, type Explained, type PlanValue, planned } from "./cluster.ts";

const WANTED = `version: 1
environment: home
vms:
  - { vmid: 101, name: web-01, target: running }
  - { vmid: 102, name: batch-01, target: stopped, stop: shutdown }
`;

test("P7-A2 a second yes that was typed before its question agrees to nothing", async () => {
  await atCluster(
    async (cluster) => {
      const { id } = await cluster.value<PlanValue>("plan", "--env", "home");
      const { code, printed } = await atTerminal(
        cluster.folder,
        ["apply", id],
        [
          { says: /Start web-01 \(VM 101\)\? \[y\/N\/e\/s\/q\] /, types: "y\n" },
          // While the step is performed, nobody has read the next one yet.
          { says: /1\/2 {2}VM 101: [a-z]+/, types: "y\ny" },
          { says: /Shut down batch-01 \(VM 102\)\? \[y\/N\/e\/s\/q\] /, types: "n\n" },
        ],
      );
      assert.equal(code, 5, printed);
      assert.match(printed, /stopped after 1 of 2 steps/);
      assert.deepEqual(cluster.mutations(), ["POST /api2/json/nodes/pve1/qemu/101/status/start"]);
    },
    { wanted: WANTED },
  );
});

test("P7-A2 a question that was answered with no is not answered by a script afterwards", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    const asked = await atTerminal(cluster.folder, ["apply", id], [{ says: /Start web-01 .VM 101.\?/, types: "no\n" }]);
    assert.equal(asked.code, 3, asked.printed);
    const {
      explanation: { hash },
    } = await cluster.value<Explained>("explain", id, "--step", "1");
    const words = ["apply", id, "--step", "1", "--confirm", hash];
    assert.deepEqual(codesIn(await cluster.value(...words)), ["confirmation-missing"]);
    assert.deepEqual(cluster.mutations(), []);
    const again = await atTerminal(
      cluster.folder,
      ["apply", id],
      [{ says: /Start web-01 .VM 101.\?/, types: "yes\n" }],
    );
    assert.equal(again.code, 0, again.printed);
  });
});

test("explain names the step of the VM that was asked for, or says that it has none", async () => {
  await atCluster(
    async (cluster) => {
      const { id } = await cluster.value<PlanValue>("plan", "--env", "home");
      const shown = await cluster.dedalus("explain", id, "--vm", "102");
      assert.match(shown.out, /^[+~-] VM 102: /);
      for (const wrong of [
        ["--vm", "103"],
        ["--vm", "102", "--step", "1"],
      ]) {
        assert.equal((await cluster.dedalus("explain", id, ...wrong)).code, 2, wrong.join(" "));
      }
    },
    { wanted: WANTED },
  );
});
