// Nothing that somebody wrote is overwritten, also when it was written after the command had looked.

import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { IN_THE_WAY, leftAsPut } from "../ledger/in-the-way.ts";
import { atCluster, codesIn } from "./cluster.ts";

const partsIn = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.endsWith(".part"));

const OUT = [
  ["import", "--env", "home"],
  ["observe", "--env", "home"],
  ["plan", "--env", "home"],
] as const;

for (const [kind, put] of Object.entries(IN_THE_WAY)) {
  test(`${kind} at --out stays, whether it was there before or appears while the provider answers`, async () => {
    let appear = (): void => undefined;
    await atCluster(
      async ({ folder, simulator, value }) => {
        for (const words of OUT) {
          const [name] = words;
          put(join(folder, `${name}-before`));
          const asked = simulator.requests().length;
          assert.deepEqual(codesIn(await value(...words, "--out", `${name}-before`)), ["file-exists"]);
          assert.equal(simulator.requests().length, asked, "it is said before anybody is asked");
          leftAsPut(kind, join(folder, `${name}-before`));
          const path = join(folder, `${name}-meanwhile`);
          appear = () => {
            appear = () => undefined;
            put(path);
          };
          assert.deepEqual(codesIn(await value(...words, "--out", `${name}-meanwhile`)), ["file-exists"], name);
          leftAsPut(kind, path);
        }
        assert.deepEqual(partsIn(folder), []);
      },
      { onRequest: () => appear() },
    );
  });

  test(`${kind} that appears at a file of init stays, and nothing is left of what init wrote`, async () => {
    for (const [file, codes] of [
      ["dedalus.yaml", ["file-exists"]],
      ["keys/ledger.key", ["file-exists"]],
      // One of somebody's own is left as it is, and stops nothing.
      [".gitignore", []],
    ] as const) {
      let folder = "";
      let isPut = false;
      const path = (): string => join(folder, "lab", file);
      const answer = (): string => {
        if (!isPut) {
          mkdirSync(dirname(path()), { recursive: true });
          put(path());
        }
        isPut = true;
        return "yes";
      };
      await atCluster(
        async (cluster) => {
          folder = cluster.folder;
          const words = ["init", "lab", "--operator", "alice", "--from", cluster.simulator.url, "--observe-env", "A"];
          assert.deepEqual(codesIn(await cluster.value(...words, "--apply-env", "B")), codes, file);
          leftAsPut(kind, path());
          const [top = ""] = file.split("/");
          const left = readdirSync(join(folder, "lab")).filter((name) => !name.startsWith(top));
          assert.deepEqual(left.sort(), codes.length === 0 ? ["dedalus.yaml", "keys"] : [], file);
        },
        { answer },
      );
    }
  });
}

test("a free name, and an earlier file of the same kind, are written whole and for their owner alone", async () => {
  await atCluster(async ({ dedalus, folder }) => {
    for (const words of OUT) {
      const [name] = words;
      const path = join(folder, `${name}.out`);
      const first = await dedalus(...words, "--out", `${name}.out`);
      assert.ok(existsSync(path), first.err);
      assert.equal(lstatSync(path).mode & 0o777, 0o600);
      const again = await dedalus(...words, "--out", `${name}.out`);
      assert.equal(again.code, name === "import" ? 2 : first.code, again.err);
      assert.match(readFileSync(path, "utf8"), /\n$/);
    }
    writeFileSync(join(folder, "plan.out"), "{}");
    assert.equal((await dedalus("plan", "--env", "home", "--out", "plan.out")).code, 2);
    assert.equal(readFileSync(join(folder, "plan.out"), "utf8"), "{}");
    assert.deepEqual(partsIn(folder), []);
  });
});
