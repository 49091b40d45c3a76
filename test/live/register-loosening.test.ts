// register loosens nothing that nobody said is meant: at a real terminal it shows what and asks, everywhere else it
// needs --yes.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { atTerminal } from "./at-terminal.ts";
import { atCluster, type Cluster, codesIn, WANTED } from "./cluster.ts";

const NOTHING = "version: 1\nenvironment: home\nvms: []\n";
const ASKS = /Register this for home\? \[y\/N\] /;

const registered = async ({ value }: Cluster): Promise<number> =>
  (await value<{ readonly vms: readonly object[] }>("list")).vms.length;

const write = ({ folder }: Cluster, text: string): void => writeFileSync(join(folder, "desired.yaml"), text);

test("N2 an empty list over what is registered is shown and asked about; no leaves everything, y registers it", async () => {
  await atCluster(async (cluster) => {
    write(cluster, NOTHING);
    for (const no of ["\n", "n\n", "maybe\n"]) {
      const { code, printed } = await atTerminal(cluster.folder, ["register"], [{ says: ASKS, types: no }]);
      assert.equal(code, 3, printed);
      assert.match(printed, /! 103 {2}prod-db: the entry is removed/);
      assert.equal(await registered(cluster), 5);
    }
    const { code, printed } = await atTerminal(cluster.folder, ["register"], [{ says: ASKS, types: "y\n" }]);
    assert.equal(code, 0, printed);
    assert.equal(await registered(cluster), 0);
  });
});

test("N2 without a terminal a loosening needs --yes, in JSON too, and the printed command has it", async () => {
  await atCluster(async (cluster) => {
    write(cluster, NOTHING);
    const { code, err } = await cluster.dedalus("register", "--env", "home");
    assert.equal(code, 3, err);
    assert.match(err, /^ *dedalus register --env home --yes$/m);
    assert.deepEqual(codesIn(await cluster.value("register")), ["loosening-unconfirmed"]);
    assert.equal(await registered(cluster), 5);
    assert.equal((await cluster.dedalus("register", "--env", "home", "--yes")).code, 0);
    assert.equal(await registered(cluster), 0);
  });
});

test("what loosens nothing is registered without a question", async () => {
  await atCluster(async (cluster) => {
    write(cluster, WANTED.replace("name: batch-01,", "name: batch-01, protected: true,"));
    const { code, printed } = await atTerminal(cluster.folder, ["register"], []);
    assert.equal(code, 0, printed);
    assert.doesNotMatch(printed, /\[y\/N\]/);
  });
});

test("whoever may not register is told that, and not asked", async () => {
  await atCluster(async (cluster) => {
    const { token } = await cluster.value<{ readonly token: string }>(
      ...["token", "create", "--name", "robo", "--role", "agent", "--days", "1"],
    );
    write(cluster, NOTHING);
    process.env["DEDALUS_TOKEN"] = token;
    try {
      const codes = codesIn(await cluster.value("register"));
      assert.ok(codes.length === 1 && codes[0] !== "loosening-unconfirmed", codes.join());
    } finally {
      delete process.env["DEDALUS_TOKEN"];
    }
  });
});
