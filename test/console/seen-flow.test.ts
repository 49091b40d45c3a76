// The stages of steps, as they are read out of records; and two states side by side.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type FlowSeen, flowsIn } from "../../src/boundary/contract/seen-flow.ts";
import type { RecordSeen } from "../../src/boundary/contract/seen-record.ts";
import { compareStates, membersTold } from "../../src/console/ledger/compare-states.ts";
import type { StateBody } from "../../src/console/ledger/load-then.ts";
import { ROOT } from "../../tools/sources.ts";

const RECORDS: readonly RecordSeen[] = readFileSync(join(ROOT, "test/histories/1/records.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));

const told = ({ stages, step }: FlowSeen): string =>
  [
    step ?? "plan",
    ...stages.map(({ records, stage }) =>
      records.length === 0
        ? `-${stage}`
        : `${stage} ${records.map(({ isRefused, kind }) => `${kind}${isRefused ? "!" : ""}`).join("+")}`,
    ),
  ].join(" · ");

const flowsOf = (kind: string): readonly string[] => {
  const plans = new Set(
    RECORDS.filter((record) => record.kind === kind).map(
      ({ body }) => (Object(body["request"]) as { readonly of?: { readonly plan: string } }).of?.plan,
    ),
  );
  return flowsIn(RECORDS)
    .filter(({ plan }) => plans.has(plan))
    .map(told);
};

test("a step is followed from its observation to its outcome, and what was refused on the way is marked", () => {
  const flows = flowsIn(RECORDS);
  assert.ok(flows.length > 3);
  assert.ok(
    flowsOf("apply").includes(
      "1 · observe observe · plan plan · -request · -approve · challenge challenge+challenge! · apply apply!+apply · dispatched dispatched · outcome outcome",
    ),
    flowsOf("apply").join("\n"),
  );
  assert.ok(flowsOf("apply").some((flow) => /outcome recover!\+.*recover/.test(flow)));
});

test("stages that are not among the records are named, and a plan without a step has its own row", () => {
  const plan = RECORDS.find(({ kind }) => kind === "plan") ?? assert.fail("a plan");
  assert.deepEqual(flowsIn([plan]).map(told), [
    "plan · -observe · plan plan! · -request · -approve · -challenge · -apply · -dispatched · -outcome",
  ]);
  const [outcome] = RECORDS.filter(({ kind }) => kind === "outcome");
  assert.ok(outcome !== undefined);
  assert.deepEqual(flowsIn([outcome]), [], "without its apply nothing says of which step it is");
});

test("flows stand in the order of their first record", () => {
  const firsts = flowsIn(RECORDS).map(({ stages }) =>
    Math.min(...stages.flatMap(({ records }) => records.map(({ seq }) => seq))),
  );
  assert.deepEqual(
    firsts,
    firsts.toSorted((one, other) => one - other),
  );
});

const EMPTY: StateBody = { blocked: [], freezes: [], last: [], observations: [], open: [], size: 1 };
const freeze = (reason: string, environment?: string) => ({ by: "alice", reason, ...(environment && { environment }) });

test("two states are compared member by member: the same, changed, only then, only now", () => {
  const observation = (id: string, environment: string) => ({ environment, id });
  const was = { ...EMPTY, observations: [observation("1", "a"), observation("2", "b"), observation("3", "c")] };
  const now = { ...EMPTY, observations: [observation("1", "a"), observation("9", "b"), observation("4", "d")] };
  const rows = compareStates("observations", was as StateBody, now as StateBody);
  assert.deepEqual(
    rows.map(({ key, what }) => `${key} ${what}`),
    ["a same", "b changed", "c only then", "d only now"],
  );
  assert.deepEqual(membersTold({ at: { deep: 1 }, ok: true }), [
    ["at.deep", "1"],
    ["ok", "true"],
  ]);
});

test("two freezes of one place are two rows", () => {
  const state = { ...EMPTY, freezes: [freeze("one"), freeze("two"), freeze("one", "home")] };
  assert.equal(compareStates("freezes", { ...EMPTY, ...state } as StateBody, EMPTY).length, 3);
});
