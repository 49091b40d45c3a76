// Acts on the ledger's own files, asked as values: each with the neighbour that is refused, and what its answer stands
// on.

import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { MoveRequest, SealAnswer, SealAsked } from "../../src/service/ledger/move.ts";
import { bearerAtFiles, codes, OPERATOR, ok, type Serving, serving } from "./serving.ts";

const ANCHOR = "anchor/checkpoints.txt";
const MARK = "ledger/dedalus.db-read-only";

const lastOf = async ({ records }: Serving) => (await records()).at(-1) ?? assert.fail("there are records");

const tokenFor = async ({ open }: Serving, role: "approver" | "operator"): Promise<string> => {
  const service = open();
  const made = await service.createToken(OPERATOR, { days: 1, kind: "person", name: role, roles: [role] });
  await service.close();
  return ok(made).value.token ?? assert.fail("it is shown once");
};

test("a read-only ledger is unlocked by one record, and one that takes writes is not", async (t) => {
  const at = await serving(t);
  assert.deepEqual(codes(await at.ledger.unlock(OPERATOR, { reason: "to be sure" })), ["ledger-not-read-only"]);
  writeFileSync(join(at.folder, MARK), "the disk was full\n");
  const { head, record, value } = ok(await at.ledger.unlock(OPERATOR, { reason: "disk enlarged" }));
  assert.deepEqual([record?.kind, record?.seq, value.reason], ["ledger.unlock", value.seq, "disk enlarged"]);
  assert.equal(head.size, (await at.records()).length);
  assert.equal(existsSync(join(at.folder, MARK)), false);
});

test("a reason that is no text is named by its field, and nothing is recorded", async (t) => {
  const at = await serving(t);
  const before = await lastOf(at);
  for (const act of [at.ledger.unlock, at.ledger.reAnchor]) {
    const answer = await act(OPERATOR, { reason: "a\u0007b" });
    assert.ok(answer.kind === "refused");
    assert.deepEqual([answer.domain, answer.outcome], ["input", "not_executed"]);
    assert.deepEqual(
      answer.refusals.map(({ cause, facts }) => [cause, facts]),
      [["not-a-text", { argument: "reason" }]],
    );
  }
  assert.deepEqual(await lastOf(at), before);
});

test("whoever may not operate leaves a read-only ledger as it is; whoever may, unlocks it", async (t) => {
  const at = await serving(t);
  const [approver, operator] = [await tokenFor(at, "approver"), await tokenFor(at, "operator")];
  writeFileSync(join(at.folder, MARK), "the disk was full\n");
  assert.deepEqual(codes(await at.ledger.unlock(bearerAtFiles(approver), { reason: "mended" })), ["role-missing"]);
  assert.deepEqual(codes(await at.ledger.unlock(bearerAtFiles("dedalus_x"), { reason: "mended" })), ["actor-unknown"]);
  assert.equal(existsSync(join(at.folder, MARK)), true);
  const { record } = ok(await at.ledger.unlock(bearerAtFiles(operator), { reason: "mended" }));
  assert.equal(record?.actor?.id, "operator");
});

const moving = (at: Serving, answer: SealAnswer) => {
  const asked: SealAsked[] = [];
  const request: MoveRequest = {
    confirm: async (one) => {
      asked.push(one);
      return answer;
    },
    to: { address: "moved/dedalus.db", folder: at.folder },
  };
  return { asked, request };
};

test("a ledger moves when somebody says yes to its seal; the same move again finishes, and asks nobody", async (t) => {
  const at = await serving(t);
  const before = (await at.records()).length;
  const declined = moving(at, "declined");
  const refused = await at.ledger.move(OPERATOR, declined.request);
  assert.deepEqual([codes(refused), declined.asked.map(({ records }) => records)], [["seal-unconfirmed"], [before]]);
  assert.equal((await at.records()).length, before);
  const agreed = moving(at, "yes");
  const { head, record, value } = ok(await at.ledger.move(OPERATOR, agreed.request));
  assert.deepEqual([record?.kind, value.seal, value.size, head.size], ["ledger.seal", before, before + 1, before + 1]);
  assert.equal((await lastOf(at)).kind, "ledger.seal");
  const again = moving(at, "declined");
  assert.deepEqual(ok(await at.ledger.move(OPERATOR, again.request)).value, value);
  assert.deepEqual(again.asked, []);
});

test("an address whose secret is not there is bad input, and nobody is asked", async (t) => {
  const at = await serving(t);
  const { asked, request } = moving(at, "yes");
  const answer = await at.ledger.move(OPERATOR, { ...request, to: { ...request.to, address: { file: "none" } } });
  assert.ok(answer.kind === "refused");
  assert.deepEqual([answer.domain, codes(answer), asked], ["input", ["secret-absent"], []]);
});

test("a sealed ledger goes on frozen when its copy is gone, and one without a seal has nothing to go on from", async (t) => {
  const at = await serving(t);
  const request = { isCopyGone: true, reason: "the disk died" } as const;
  assert.deepEqual(codes(await at.ledger.unseal(OPERATOR, request)), ["ledger-unsealed"]);
  const moved = ok(await at.ledger.move(OPERATOR, moving(at, "yes").request)).value;
  const { record, value } = ok(await at.ledger.unseal(OPERATOR, request));
  assert.deepEqual([record?.kind, value.seal, value.seq], ["ledger.unseal", moved.seal, moved.seal + 1]);
  const { freezes } = ok(await at.open().status(OPERATOR, {})).value;
  assert.deepEqual(
    freezes.map(({ where }) => where),
    ["everything"],
  );
});

test("a lost anchor begins again by one record, and one that holds does not", async (t) => {
  const at = await serving(t);
  const request = { reason: "the disk of the anchor is lost" };
  assert.deepEqual(codes(await at.ledger.reAnchor(OPERATOR, request)), ["anchor-holds"]);
  rmSync(join(at.folder, ANCHOR));
  const records = await at.records();
  const { head, record, value } = ok(await at.ledger.reAnchor(OPERATOR, request));
  assert.deepEqual([record?.kind, value.found, value.size], ["ledger.re-anchor", "anchor-absent", records.length]);
  assert.deepEqual([head.size, value.seq, at.notes()], [records.length + 1, records.length, 1]);
  assert.equal("kept" in value, false);
  assert.equal(ok(await at.open().status(OPERATOR, {})).value.reAnchored?.count, 1);
});

test("what is left of an anchor is kept beside the new one, under the name that the answer has", async (t) => {
  const at = await serving(t);
  writeFileSync(join(at.folder, ANCHOR), "");
  const { value } = ok(await at.ledger.reAnchor(OPERATOR, { reason: "emptied" }));
  assert.equal(value.kept, `${ANCHOR}.before-${value.seq}`);
  assert.equal(existsSync(join(at.folder, value.kept)), true);
});
