// A plan from files alone, judged as a value: its account, and the file that something is wrong with.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { accountOf, judgeRecorded, type RecordedFiles } from "../../src/service/judge-recorded.ts";
import type { ServiceProgress } from "../../src/service/progress.ts";
import { openReplay } from "../../src/wire.ts";
import { current, DESIRED, vm } from "../cli/desk.ts";

const filesFor = (t: TestContext): RecordedFiles => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-judge-"));
  t.after(() => rmSync(folder, { force: true, recursive: true }));
  writeFileSync(join(folder, "desired.yaml"), DESIRED);
  const vms = [vm(101, "web-01", "stopped"), vm(102, "web-02", "running"), vm(999, "other", "running")];
  writeFileSync(join(folder, "current.json"), current(vms));
  return { desired: "desired.yaml", folder, isComplete: false, observation: "current.json", scope: "all" };
};

const quiet = () => undefined;

test("files alone give a plan that cannot be applied, and an account of every desired VM", async (t) => {
  const heard: ServiceProgress["at"][] = [];
  const judged = await judgeRecorded(filesFor(t), openReplay, ({ at }) => void heard.push(at));
  assert.ok(judged.kind === "ok");
  assert.equal(judged.file.applicable, false);
  const { explanations, observedAndNotDesired } = accountOf(judged);
  assert.deepEqual([explanations.length, observedAndNotDesired], [judged.desired.entries.length, 1]);
  assert.deepEqual(heard, ["reading", "reading", "planning"]);
});

test("a file that is not there is bad input and named, and so is a claim that only a bare list can have", async (t) => {
  const files = filesFor(t);
  const judged = async (changed: Partial<RecordedFiles>) => {
    const answer = await judgeRecorded({ ...files, ...changed }, openReplay, quiet);
    assert.ok(answer.kind === "refused");
    assert.deepEqual([answer.domain, answer.outcome], ["input", "not_executed"]);
    return answer.refusals.map(({ cause, code }) => `${code} ${cause}`);
  };
  assert.deepEqual(await judged({ desired: "none.yaml" }), ["file-unreadable ENOENT"]);
  assert.deepEqual(await judged({ observation: "none.json" }), ["file-unreadable ENOENT"]);
  assert.deepEqual(await judged({ isComplete: true }), ["usage complete-of-file"]);
});
