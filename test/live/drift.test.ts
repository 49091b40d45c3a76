// drift against a simulated cluster: the plan's judgement without a plan, an exit code for each way it ends, and no
// trace.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sha256 } from "../../src/spine/values/hash.ts";
import { atCluster, type Cluster, codesIn, type PlanValue, type StatusValue, WANTED } from "./cluster.ts";

type DriftValue = {
  readonly answers: PlanValue["plan"]["answers"];
  readonly complete: boolean;
  readonly desiredFile?: { readonly changes: readonly { readonly vmid: number }[]; readonly kind: string };
  readonly environment: string;
  readonly unanswered?: { readonly code: string };
  readonly verdict: { readonly kind: string };
};

const IN_SYNC = WANTED.replace("web-01, target: running", "web-01, target: stopped, stop: shutdown");
const records = async ({ value }: Cluster): Promise<number> => (await value<StatusValue>("status")).size;
const edit = ({ folder }: Cluster, from: string | RegExp, to: string): void => {
  const file = join(folder, "dedalus.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
};

test("drift exits 4 with the answers of the plan, records nothing and closes no plan", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, mutations, value } = cluster;
    const plan = await value<PlanValue>("plan", "--env", "home");
    const before = await records(cluster);
    const printed = await dedalus("drift", "--json");
    assert.equal(printed.code, 4, printed.err);
    const drift: DriftValue = JSON.parse(printed.out);
    assert.deepEqual(drift.answers, plan.plan.answers);
    assert.deepEqual([drift.environment, drift.complete, drift.verdict.kind], ["home", true, "clear"]);
    assert.equal(await records(cluster), before);
    assert.deepEqual(mutations(), []);
    const [open] = (await value<{ readonly plans: readonly { readonly closed?: string }[] }>("plans")).plans;
    assert.equal(open?.closed, undefined);
  });
});

test("drift exits 0 when everything is as it is registered", async () => {
  await atCluster(
    async ({ dedalus }) => {
      const { code, err, out } = await dedalus("drift", "--env", "home");
      assert.equal(code, 0, err);
      assert.match(out, /^home: 0 drifted, 0 refused, 5 in sync, observed /);
    },
    { wanted: IN_SYNC },
  );
});

test("drift exits 3 where the only difference is a refusal", async () => {
  await atCluster(
    async ({ dedalus, value }) => {
      assert.equal((await dedalus("drift")).code, 3);
      assert.deepEqual(codesIn((await value<DriftValue>("drift")).answers), ["vm-missing"]);
    },
    { wanted: `${IN_SYNC}  - { vmid: 999, name: gone-01, target: running }\n` },
  );
});

test("drift exits 8 when the provider does not answer, and 3 when nothing is registered", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, simulator, value } = cluster;
    edit(cluster, /^ {2}home:/m, "  other:");
    assert.deepEqual([(await dedalus("drift")).code, codesIn(await value("drift"))], [3, ["desired-unregistered"]]);
    edit(cluster, /^ {2}other:/m, "  home:");
    await simulator.stop();
    assert.equal((await dedalus("drift")).code, 8);
    assert.equal((await value<DriftValue>("drift")).unanswered?.code, "list-not-seen");
  });
});

test("drift of several environments asks which, and of an unknown one names those there are", async () => {
  await atCluster(async (cluster) => {
    const file = join(cluster.folder, "dedalus.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      `${text}${text.slice(text.indexOf("  home:")).replace("  home:", "  away:").replaceAll("secrets/", "secrets/away-")}`,
    );
    const { code } = await cluster.dedalus("drift");
    assert.deepEqual([code, codesIn(await cluster.value("drift"))], [2, ["environment-unknown"]]);
    assert.equal((await cluster.dedalus("drift", "--env", "home")).code, 4);
    assert.equal((await cluster.dedalus("drift", "--env", "nowhere")).code, 2);
  });
});

test("an edited desired file is told beside the drift, and changes neither answers nor exit code", async () => {
  await atCluster(
    async ({ dedalus, folder, value }) => {
      const desired = join(folder, "desired.yaml");
      const seen = async (): Promise<readonly unknown[]> => {
        const { answers, desiredFile } = await value<DriftValue>("drift");
        const { code, out } = await dedalus("drift");
        assert.deepEqual([code, answers.filter(({ kind }) => kind !== "in-sync")], [0, []]);
        return [desiredFile?.kind, desiredFile?.changes.map(({ vmid }) => vmid), out.trimEnd().split("\n").length];
      };
      assert.deepEqual(await seen(), [undefined, undefined, 1], "the file says what is registered");
      writeFileSync(desired, IN_SYNC.replace("web-01, target: stopped, stop: shutdown", "web-01, target: running"));
      assert.deepEqual(await seen(), ["differs", [101], 2]);
      assert.match((await dedalus("drift")).out, /1 VM; next: dedalus plan --env home\n$/);
      writeFileSync(desired, "version: 1\nvms: none\n");
      assert.deepEqual(await seen(), ["unreadable", [], 2]);
      writeFileSync(desired, IN_SYNC.replace("environment: home", "environment: away"));
      assert.deepEqual(await seen(), ["unreadable", [], 2], "of another environment");
      rmSync(desired);
      assert.deepEqual(await seen(), ["absent", [], 2]);
    },
    { wanted: IN_SYNC },
  );
});

test("before the first record nothing is registered: import and register are the next steps, and reading makes no ledger", async () => {
  await atCluster(async ({ dedalus, folder }) => {
    for (const name of ["ledger", "anchor"]) rmSync(join(folder, name), { recursive: true });
    for (const words of [["drift"], ["list"], ["history", "101"], ["start", "101"]]) {
      const { code, out } = await dedalus(...words, "--json");
      const [refusal] = JSON.parse(out).error.refusals;
      assert.deepEqual([code, refusal.code, refusal.facts], [3, "desired-unregistered", { environment: "home" }], out);
      const next = refusal.nextSteps.map(({ ask }: { readonly ask: string }) => ask);
      assert.deepEqual(next, ["inventory", "register"], out);
    }
    assert.equal((await dedalus("drift", "--env", "hmoe")).code, 2);
    const status = await dedalus("status", "--json");
    const [absent] = JSON.parse(status.out).error.refusals;
    assert.deepEqual([status.code, absent.code, absent.nextSteps[0]?.ask], [2, "ledger-absent", "register"]);
    assert.ok(!readdirSync(folder).includes("ledger"));
    assert.equal((await dedalus("register")).code, 0);
    assert.equal((await dedalus("drift")).code, 4);
  });
});

test("a ledger that is lost is not taken for one that never was", async () => {
  await atCluster(async ({ folder, value }) => {
    rmSync(join(folder, "ledger"), { recursive: true });
    assert.notDeepEqual(codesIn(await value("drift")), ["desired-unregistered"]);
  });
});

const filesIn = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(shm|wal)$/.test(entry.name))
    .map(({ name, parentPath }) => join(parentPath, name))
    .sort()
    .map((file) => [file, sha256(readFileSync(file, "latin1"))] as const);

test("drift leaves every file of the installation as it was", async () => {
  await atCluster(async (cluster) => {
    const before = filesIn(cluster.folder);
    assert.equal((await cluster.dedalus("drift")).code, 4);
    assert.deepEqual(filesIn(cluster.folder), before);
    await cluster.dedalus("observe", "--env", "home");
    assert.notDeepEqual(filesIn(cluster.folder), before, "what records would show");
  });
});
