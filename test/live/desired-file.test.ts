// A plan reads the environment's desired file: what differs is registered first, on record; a loosening never is, nor
// anything by somebody who may not; and then the plan is made on what is registered, and says so.

import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { atCluster, type Cluster, codesIn, type PlanValue, WANTED } from "./cluster.ts";

type Compared = {
  readonly changes: readonly {
    readonly attributes?: readonly object[];
    readonly change: string;
    readonly vmid: number;
  }[];
  readonly kind: string;
  readonly loosenings?: readonly { readonly kind: string; readonly vmid: number }[];
};
type Planned = PlanValue & { readonly desiredFile?: Compared };

const write = ({ folder }: Cluster, text: string): void => writeFileSync(join(folder, "desired.yaml"), text);
const plan = ({ value }: Cluster, ...more: readonly string[]): Promise<Planned> =>
  value("plan", "--env", "home", ...more);
const stepsOf = ({ steps }: PlanValue): readonly number[] => steps.map(({ vmid }) => vmid);
const registrations = async ({ dedalus }: Cluster): Promise<number> =>
  (await dedalus("ledger", "show", "--json")).out.match(/"kind":"register","prev/g)?.length ?? 0;

const STOPS = WANTED.replace("name: batch-01, target: running", "name: batch-01, target: stopped, stop: shutdown");

test("what differs is registered first, on record, and planned; what does not differ is not said", async () => {
  await atCluster(async (cluster) => {
    assert.equal((await plan(cluster)).desiredFile, undefined);
    assert.equal(await registrations(cluster), 1);
    write(cluster, STOPS);
    const made = await plan(cluster);
    assert.equal(made.desiredFile?.kind, "registered");
    assert.deepEqual(
      made.desiredFile?.changes.map(({ change, vmid }) => [change, vmid]),
      [["changed", 102]],
    );
    assert.deepEqual(made.desiredFile?.changes[0]?.attributes, [
      { attribute: "target", now: "stopped", was: "running" },
      { attribute: "stop", now: "shutdown" },
    ]);
    assert.deepEqual(stepsOf(made), [101, 102]);
    assert.equal(await registrations(cluster), 2);
  });
});

test("--only knows a VM by the name that the file gives it, and a name that it does not give is refused", async () => {
  await atCluster(async (cluster) => {
    write(cluster, WANTED.replace("name: batch-01,", "name: jobs-01,"));
    const made = await plan(cluster, "--only", "jobs-01");
    assert.equal(made.desiredFile?.kind, "registered");
    assert.deepEqual(
      made.plan.answers.map(({ vmid }) => vmid),
      [102],
    );
    assert.deepEqual(codesIn(await plan(cluster, "--only", "batch-01")), ["usage"]);
  });
});

test("--registered reads no file", async () => {
  await atCluster(async (cluster) => {
    write(cluster, STOPS);
    const made = await plan(cluster, "--registered");
    assert.deepEqual([made.desiredFile, stepsOf(made)], [undefined, [101]]);
    assert.equal(await registrations(cluster), 1);
    const fromFiles = ["--desired", "desired.yaml", "--replay", "current.json"] as const;
    assert.equal(
      (await cluster.dedalus("plan", "--registered", ...fromFiles)).code,
      2,
      "a plan from files is of files",
    );
  });
});

const LOOSENED: Readonly<Record<string, { readonly from?: string; readonly kind: string; readonly to: string }>> = {
  "a removed entry": { kind: "entry-removed", to: STOPS.replace(/.*dns-01.*\n/, "") },
  "a removed prod- name": { kind: "production-name-removed", to: STOPS.replace("prod-db", "db") },
  "a removed protection": {
    from: WANTED.replace("name: cache-01,", "name: cache-01, protected: true,"),
    kind: "protection-removed",
    to: STOPS,
  },
  "a removed identity": {
    from: WANTED.replace("name: cache-01,", 'name: cache-01, identity: "uuid a",'),
    kind: "identity-removed",
    to: STOPS,
  },
};

for (const [what, { from, kind, to }] of Object.entries(LOOSENED)) {
  test(`N2 a plan registers nothing with ${what}, and register does`, async () => {
    await atCluster(
      async (cluster) => {
        write(cluster, to);
        const made = await plan(cluster);
        assert.equal(made.desiredFile?.kind, "loosens");
        assert.deepEqual(
          made.desiredFile?.loosenings?.map((one) => one.kind),
          [kind],
        );
        assert.ok(!stepsOf(made).includes(102), "nothing of the file was planned");
        assert.equal(await registrations(cluster), 1);
        const { out } = await cluster.dedalus("plan", "--env", "home");
        assert.match(out, /^ {2}dedalus register --env home$/m);
        const register = ["register", "--env", "home", "desired.yaml"];
        assert.deepEqual(codesIn(await cluster.value(...register)), ["loosening-unconfirmed"]);
        assert.equal(await registrations(cluster), 1, "nobody said that it is meant");
        assert.equal((await cluster.dedalus(...register, "--yes")).code, 0);
        const after = await plan(cluster);
        assert.deepEqual([after.desiredFile, stepsOf(after).includes(102)], [undefined, true]);
      },
      from === undefined ? {} : { wanted: from },
    );
  });
}

test("B2 whoever may not register plans against what is registered, and is told", async () => {
  await atCluster(async (cluster) => {
    const { token } = await cluster.value<{ readonly token: string }>(
      ...["token", "create", "--name", "robo", "--role", "agent", "--days", "1"],
    );
    write(cluster, STOPS);
    process.env["DEDALUS_TOKEN"] = token;
    try {
      const made = await plan(cluster);
      assert.deepEqual([made.desiredFile?.kind, stepsOf(made)], ["may-not-register", [101]]);
      const requested = await plan(cluster, "--action", "vm.start", "--vm", "101");
      assert.deepEqual([requested.desiredFile?.kind, stepsOf(requested)], ["may-not-register", [101]]);
    } finally {
      delete process.env["DEDALUS_TOKEN"];
    }
    assert.equal(await registrations(cluster), 1);
    assert.equal((await plan(cluster)).desiredFile?.kind, "registered", "the operator may");
  });
});

test("a file that cannot be read as one is refused; one that is gone is said, and what is registered stands", async () => {
  await atCluster(async (cluster) => {
    write(cluster, `${STOPS}surprise: 1\n`);
    assert.equal((await cluster.dedalus("plan", "--env", "home")).code, 2);
    write(cluster, STOPS.replace("environment: home", "environment: away"));
    assert.deepEqual(codesIn(await plan(cluster)), ["desired-foreign"]);
    rmSync(join(cluster.folder, "desired.yaml"));
    const made = await plan(cluster);
    assert.deepEqual([made.desiredFile?.kind, stepsOf(made)], ["absent", [101]]);
    assert.equal(await registrations(cluster), 1);
  });
});

test("a requested action registers what differs first, and --registered reads no file", async () => {
  await atCluster(async (cluster) => {
    write(cluster, STOPS);
    const start = ["--action", "vm.start", "--vm", "101"] as const;
    const unread = await plan(cluster, ...start, "--registered");
    assert.deepEqual([unread.desiredFile, stepsOf(unread)], [undefined, [101]]);
    assert.equal(await registrations(cluster), 1);
    const made = await plan(cluster, ...start);
    assert.deepEqual([made.desiredFile?.kind, stepsOf(made)], ["registered", [101]]);
    assert.equal(await registrations(cluster), 2);
  });
});

test("each difference is shown as the attribute with what it was and what it is", async () => {
  await atCluster(async (cluster) => {
    write(cluster, WANTED.replace("name: web-01,", "name: web-01, memory: 4 GiB, protected: true,"));
    assert.match((await cluster.dedalus("register")).out, /^ ~ 101 {2}web-01 {2}memory 4 GiB added, protected added\n/);
    write(cluster, WANTED.replace("name: web-01,", "name: web-01, memory: 8 GiB,"));
    const { out } = await cluster.dedalus("register", "--yes");
    assert.match(out, /^ ~ 101 {2}web-01 {2}memory 4 GiB → 8 GiB, protected removed\n/);
  });
});
