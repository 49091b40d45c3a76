// A short run of the fuzzer over the real parsers and planner, and proof that it can find, shrink and repeat.

import assert from "node:assert/strict";
import { test } from "node:test";
import { problem } from "../src/formats/problem.ts";
import { isAccepted, objectionTo } from "../tools/fuzz/checks.ts";
import { SECRET } from "../tools/fuzz/corpus.ts";
import { type Input, inputOf } from "../tools/fuzz/input.ts";
import { objectionsToPlanning } from "../tools/fuzz/judgement.ts";
import { objectionsToProblems } from "../tools/fuzz/objections.ts";
import { type FuzzOptions, fuzz } from "../tools/fuzz/run.ts";
import { NAME, observationOf, state, wantRunning } from "./spine/world.ts";

const SEED = 7;

const run = (options: Partial<FuzzOptions> & { readonly inputs: number }) => {
  const { inputs, ...more } = options;
  return fuzz({ goesOn: (index) => index < inputs, nowMs: () => 0, objectionTo, seed: SEED, ...more });
};

test("nonsense makes no parser and no planner throw, speak unprintably or plan on what is not certain", () => {
  const { failures, inputs } = run({ inputs: 700 });
  assert.equal(inputs, 700);
  assert.deepEqual(failures, []);
});

test("an input is the same one whenever its seed and number are given", () => {
  const again = (index: number): Input => inputOf(SEED, index);
  for (const index of [0, 1, 99]) assert.deepEqual(again(index), again(index));
  assert.notDeepEqual(again(0), again(1));
});

test("inputs of every kind come, some that are accepted and some that are not", () => {
  const kinds = Array.from({ length: 500 }, (_, index) => inputOf(SEED, index)).map(
    (input) => `${input.target} ${isAccepted(input) ? "accepted" : "refused"}`,
  );
  const expected = ["bare", "config", "current", "desired", "plan", "policy", "result"].flatMap((target) => [
    `${target} accepted`,
    `${target} refused`,
  ]);
  assert.deepEqual([...new Set(kinds)].sort(), expected);
});

test("a fault is found once, shrunk to what causes it, and named by its number", () => {
  const objecting = ({ text }: Input): string | undefined => (text.includes("vmid") ? "it says vmid" : undefined);
  const { failures } = run({ inputs: 200, objectionTo: objecting });
  const [failure, ...more] = failures;
  assert.deepEqual(more, []);
  assert.equal(failure?.smallest, "vmid");
  assert.equal(objecting(inputOf(SEED, failure?.index ?? -1)), "it says vmid");
});

test("an input that takes too long twice is a fault, and one that was slow by chance is none", () => {
  const ticking = (steps: readonly number[]) => {
    let [at, now] = [0, 0];
    return (): number => {
      now += steps[at++] ?? 0;
      return now;
    };
  };
  const silent = (): undefined => undefined;
  const slowOnce = run({ inputs: 1, nowMs: ticking([0, 9_000, 0, 1]), objectionTo: silent });
  assert.deepEqual(slowOnce.failures, []);
  const slowTwice = run({ inputs: 1, nowMs: ticking([0, 9_000, 0, 9_000]), objectionTo: silent });
  assert.equal(slowTwice.failures[0]?.objection, "it takes too long");
});

test("a problem with a wrong place, a control character or a secret is objected to", () => {
  const at = { column: 1, field: "", file: "desired.yaml", line: 1 };
  const objections = (position: Partial<typeof at>, because = "it is wrong") =>
    objectionsToProblems(
      [problem("value-wrong", { ...at, ...position }, { cause: "list", facts: { found: because, foundAs: "bare" } })],
      "one line",
    );
  assert.deepEqual(objections({}), []);
  assert.equal(objections({ line: 2 }).length, 1);
  assert.equal(objections({ column: 10 }).length, 1);
  assert.equal(objections({ field: "a\u009bb" }).length, 1);
  assert.equal(objections({}, "an \x1b[31m escape").length, 1);
  assert.equal(objections({}, `the text ${SECRET}`).length, 1);
  assert.equal(objectionsToProblems([], "one line").length, 1);
});

test("what the planner makes of a small world is objected to by nobody", () => {
  const desired = { environment: "home", vms: [wantRunning()] };
  for (const seen of [
    state(),
    state({ status: "stopped" }),
    state({ status: "unknown" }),
    state({ name: `${NAME}x` }),
  ]) {
    assert.deepEqual(objectionsToPlanning(desired, observationOf([seen])), []);
    assert.deepEqual(objectionsToPlanning(desired, observationOf([seen, seen])), []);
  }
});
