// What is recorded by another process, or done to the files, between the claim of a step and its call: what voids its
// plan ends it, and nothing is called.

import assert from "node:assert/strict";
import { copyFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { problem, wholeFile } from "../../src/formats/problem.ts";
import { OPERATOR, ok, readyToApply, type Serving, serving } from "./serving.ts";

/** How a start ends that was confirmed and claimed, when this is done before its call. */
const applyWhile = async (at: Serving, between: () => Promise<unknown>) => {
  const service = at.open();
  const request = await readyToApply(service);
  const go = at.provider.observing.close();
  const { value } = ok(await service.apply(OPERATOR, request));
  const { ended: end, stages } = value.underway ?? assert.fail("it is performed here");
  // From there on its intent is in the anchor.
  for await (const stage of stages) if (stage === "observe") break;
  await between();
  go();
  const ended = await end;
  return { calls: at.provider.counts.calls, cause: ended.file.cause, outcome: ended.file.outcome };
};

test("a new anchor between claim and call ends a step that was only confirmed, and nothing is called", async (t) => {
  const at = await serving(t);
  const told = await applyWhile(at, async () => {
    rmSync(join(at.folder, "anchor/checkpoints.txt"));
    ok(await at.ledger.reAnchor(OPERATOR, { reason: "the disk of the anchor died" }));
  });
  assert.deepEqual(told, { calls: 0, cause: "grounds-changed", outcome: "failed" });
});

test("a checkpoint between claim and call ends nothing", async (t) => {
  const at = await serving(t);
  const told = await applyWhile(at, () => at.open().checkpoint(OPERATOR, {}));
  assert.deepEqual(told, { calls: 1, cause: "provider-done", outcome: "succeeded" });
});

const ANCHOR = "anchor/checkpoints.txt";
const LEDGER = "ledger/dedalus.db";

for (const [what, move] of Object.entries({
  "an anchor that was moved away": (path) => renameSync(path(ANCHOR), path("anchor/gone")),
  "an anchor that was cut": (path) => truncateSync(path(ANCHOR), 10),
  "a copy in the place of the anchor": (path) => {
    copyFileSync(path(ANCHOR), path("anchor/copy"));
    renameSync(path("anchor/copy"), path(ANCHOR));
  },
  "a ledger that was moved away": (path) => renameSync(path(LEDGER), path("ledger/gone")),
  "a copy in the place of the ledger": (path) => {
    copyFileSync(path(LEDGER), path("ledger/copy"));
    renameSync(path("ledger/copy"), path(LEDGER));
  },
} satisfies Readonly<Record<string, (path: (name: string) => string) => void>>))
  test(`N1 cannot call for an intent of ${what} since the claim`, async (t) => {
    const at = await serving(t);
    const told = await applyWhile(at, async () => move((name) => join(at.folder, name)));
    assert.deepEqual(told, { calls: 0, cause: "ledger-unreadable", outcome: "failed" });
  });

const edits: Readonly<Record<string, (at: Serving) => void>> = {
  "was edited": ({ configuration: { config }, written }) => {
    written.config = { ...config, operator: "bob" };
  },
  "cannot be read": ({ written }) => {
    written.problems = [problem("file-empty", wholeFile("dedalus.yaml"), { cause: "blanks" })];
  },
  "names a policy it did not": ({ configuration: { config }, written }) => {
    const environments = new Map(config.environments);
    const home = environments.get("home") ?? assert.fail("it is configured");
    environments.set("home", { ...home, policy: "policy.yaml" });
    written.config = { ...config, environments };
    written.policies = new Map([["home", { tighten: [], version: 1 }]]);
  },
};

for (const [what, edit] of Object.entries(edits))
  test(`P7-A2 cannot call under a configuration that ${what} since the claim`, async (t) => {
    const at = await serving(t);
    const told = await applyWhile(at, async () => edit(at));
    assert.deepEqual(told, { calls: 0, cause: "grounds-changed", outcome: "failed" });
  });

test("a configuration that was written anew with the same text since the claim ends nothing", async (t) => {
  const at = await serving(t);
  const told = await applyWhile(at, async () => {
    at.written.config = structuredClone(at.configuration.config);
  });
  assert.deepEqual(told, { calls: 1, cause: "provider-done", outcome: "succeeded" });
});
