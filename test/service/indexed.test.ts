// What a service that lives long finds by its index: the same as whoever walks every record, also what is older than
// the state; and nothing by an index that does not fit the ledger.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openSeqIndex } from "../../src/ledger/terms/term-table.ts";
import type { LocalService } from "../../src/service/local-service.ts";
import type { RecordsRequest } from "../../src/service/read/records.ts";
import type { Service } from "../../src/service/service.ts";
import { soon, until } from "./bound.ts";
import { codes, keyed, OPERATOR, ok, readyToApply, type Serving, serving } from "./serving.ts";

const HOME = { environment: "home" };
const DAY_MS = 86_400_000;
const pathOf = ({ folder }: Serving): string => join(folder, "ledger/dedalus.db-saved-state.index");

const coveredIn = (at: Serving): number => {
  const index = existsSync(pathOf(at)) ? openSeqIndex(pathOf(at)) : undefined;
  const size = index?.head().size ?? 0;
  index?.close();
  return size;
};
const untilCovered = async (at: Serving, service: Service): Promise<void> => {
  const { size } = ok(await service.status(OPERATOR, {})).head;
  await until("the index", () => coveredIn(at) === size);
};

/** An apply to its end, and what people say about it. */
const applied = async (service: Service): Promise<{ readonly intent: string; readonly plan: string }> => {
  const { confirmation, ...step } = await readyToApply(service);
  const { record, value } = ok(await service.apply(keyed(), { ...step, confirmation }));
  const { intent, underway } = value;
  await soon("the outcome", underway?.ended ?? assert.fail("it is under way"));
  ok(await service.annotate(OPERATOR, { about: record?.seq ?? assert.fail("it is recorded"), text: "as agreed" }));
  ok(await service.observe(OPERATOR, HOME));
  return { intent, plan: step.plan };
};

const seqs = async (service: Service, request: Partial<RecordsRequest>): Promise<readonly number[]> => {
  const { pieces } = ok(await service.records(OPERATOR, { from: 0, ...request })).value;
  const found: number[] = [];
  for await (const piece of pieces) found.push(piece.kind === "record" ? piece.record.seq : assert.fail("broken"));
  return found;
};

const begun = async (service: LocalService): Promise<LocalService> => {
  assert.equal(await service.begin(), undefined);
  return service;
};

test("history and records are the same by the index as by walking, whatever is asked for", async (t) => {
  const at = await serving(t);
  const service = await begun(at.open());
  await applied(service);
  await untilCovered(at, service);
  const walking = at.open("one-request");
  assert.deepEqual(
    ok(await service.history(OPERATOR, { vm: "101" })).value,
    ok(await walking.history(OPERATOR, { vm: "101" })).value,
  );
  const [record] = (await at.records()).filter(({ kind }) => kind === "outcome");
  const all = await seqs(walking, {});
  for (const request of [
    { vmid: "101" },
    { vmid: "101", from: 4 },
    { kind: "plan" },
    { kind: "observe", from: 2 },
    { kind: "observe", to: 5 },
    { kind: "outcome", vmid: "101" },
    { correlationId: record?.correlationId ?? "" },
    { correlationId: record?.auditId ?? "" },
    { correlationId: record?.correlationId ?? "", vmid: "101" },
    { correlationId: "nobody's" },
  ]) {
    const expected = await seqs(walking, request);
    assert.deepEqual(await seqs(service, request), expected, JSON.stringify(request));
    assert.ok(expected.length < all.length, JSON.stringify(request));
  }
});

test("what came after the index is found too, and once", async (t) => {
  const at = await serving(t);
  const service = await begun(at.open());
  await applied(service);
  await untilCovered(at, service);
  const held = new DatabaseSync(pathOf(at));
  held.exec("BEGIN IMMEDIATE");
  const covered = coveredIn(at);
  ok(await service.observe(OPERATOR, HOME));
  ok(await service.annotate(OPERATOR, { text: "about 101" }));
  assert.equal(coveredIn(at), covered, "nobody can add to it");
  const walking = at.open("one-request");
  for (const request of [{ kind: "observe" }, { vmid: "101" }])
    assert.deepEqual(await seqs(service, request), await seqs(walking, request));
  held.exec("ROLLBACK");
  held.close();
});

test("a plan and an intent that the state has forgotten are shown as they were", async (t) => {
  const at = await serving(t);
  const service = await begun(at.open());
  const { intent, plan } = await applied(service);
  const [before, ended] = [
    ok(await service.showPlan(OPERATOR, { plan })).value,
    ok(await service.intent(OPERATOR, { intent })).value,
  ];
  for (let day = 1; day <= 3; day += 1) {
    at.clock.aheadMs = day * DAY_MS;
    ok(await service.observe(OPERATOR, HOME));
  }
  await untilCovered(at, service);
  const walking = at.open("one-request");
  assert.deepEqual(codes(await walking.showPlan(OPERATOR, { plan })), ["plan-unknown"], "the state does not keep it");
  assert.deepEqual(codes(await walking.intent(OPERATOR, { intent })), ["intent-unknown"]);
  const after = ok(await service.showPlan(OPERATOR, { plan })).value;
  assert.deepEqual([after.plan, after.verdict, after.id], [before.plan, before.verdict, before.id]);
  assert.deepEqual(
    after.steps.map(({ status }) => status),
    ["applied"],
  );
  assert.deepEqual(ok(await service.intent(OPERATOR, { intent })).value, ended);
  const explained = ok(await service.explain(OPERATOR, { plan, step: { number: 1 } })).value;
  assert.equal(explained.explanation.vmid, 101);
  assert.deepEqual(codes(await service.showPlan(OPERATOR, { plan: `${plan.slice(0, -1)}Z` })), ["plan-unknown"]);
  assert.deepEqual(codes(await service.approve(OPERATOR, { plan, reason: "late", step: { number: 1 } })), [
    "plan-unknown",
  ]);
});

test("an index that does not end where the ledger has that line is not used, and is made anew", async (t) => {
  const at = await serving(t);
  const first = await begun(at.open());
  await applied(first);
  await untilCovered(at, first);
  await first.close();
  const forged = new DatabaseSync(pathOf(at));
  forged.exec(`UPDATE covers SET hash = '${"a".repeat(64)}'; DELETE FROM terms;`);
  forged.close();
  const [unbegun, walking] = [at.open(), at.open("one-request")];
  assert.deepEqual(await seqs(unbegun, { vmid: "101" }), await seqs(walking, { vmid: "101" }));
  await unbegun.close();
  const again = await begun(at.open());
  await untilCovered(at, again);
  assert.deepEqual(await seqs(again, { vmid: "101" }), await seqs(walking, { vmid: "101" }));
  const made = openSeqIndex(pathOf(at));
  assert.ok((made?.related({ space: "vm", value: 101 }).length ?? 0) > 0);
  made?.close();
});

test("a record that the index leads to is held against its neighbours", async (t) => {
  const at = await serving(t);
  const service = await begun(at.open());
  await applied(service);
  await untilCovered(at, service);
  const [plan] = await seqs(service, { kind: "plan" });
  const ledger = new DatabaseSync(join(at.folder, "ledger/dedalus.db"));
  ledger.exec(
    `UPDATE lines SET line = CAST(replace(CAST(line AS TEXT), 'alice', 'elise') AS BLOB) WHERE seq = ${plan}`,
  );
  ledger.close();
  const { pieces } = ok(await service.records(OPERATOR, { from: 0, kind: "plan" })).value;
  const kinds: string[] = [];
  for await (const piece of pieces) kinds.push(piece.kind);
  assert.deepEqual(kinds, ["broken"]);
});
