// A ledger and what was handed on of it, verified as a value: whoever asks gets what was found, and a broken one is an
// answer.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { verifyProof } from "../../src/service/ledger/verify-evidence.ts";
import { tamper } from "../ledger/sqlite-files.ts";
import { bearer, codes, OPERATOR, ok, type Serving, serving } from "./serving.ts";

const DATABASE = "ledger/dedalus.db";
const ANCHOR = "anchor/checkpoints.txt";
const alter = ({ folder }: Serving) =>
  tamper(
    join(folder, DATABASE),
    "UPDATE lines SET line = CAST(replace(CAST(line AS TEXT), 'alice', 'alicf') AS BLOB) WHERE seq = 1",
  );

const auditorAt = async ({ open }: Serving) => {
  const service = open();
  const made = await service.createToken(OPERATOR, { days: 1, kind: "person", name: "eve", roles: ["auditor"] });
  await service.close();
  return bearer(ok(made).value.token ?? assert.fail("it is shown once"));
};

test("a whole ledger holds, for the service and at its own files alike", async (t) => {
  const at = await serving(t);
  const [served, own] = [ok(await at.open().verify(OPERATOR, {})), ok(await at.ledger.verify({}))];
  assert.deepEqual(served, own);
  const { audit, refusal } = own.value;
  assert.deepEqual([refusal, audit.findingsCount], [undefined, 0]);
  assert.equal(audit.records, (await at.records()).length);
  assert.deepEqual([own.head, audit.checkpointsMet], [audit.head, own.value.checkpoints]);
});

test("a record that was changed in its place is found, and the answer says where", async (t) => {
  const at = await serving(t);
  alter(at);
  const { value } = ok(await at.ledger.verify({}));
  assert.deepEqual([value.refusal?.code, value.refusal?.facts["seq"]], ["ledger-broken", value.audit.findings[0]?.seq]);
  assert.ok(value.audit.findingsCount > 0);
});

test("a ledger whose anchor is gone is told from a broken one: its records hold, and nothing proves them whole", async (t) => {
  const at = await serving(t);
  rmSync(join(at.folder, ANCHOR));
  const { value } = ok(await at.ledger.verify({}));
  assert.deepEqual([value.refusal?.code, value.loss?.code], ["anchor-absent", "anchor-absent"]);
  assert.deepEqual([value.audit.findingsCount, value.checkpoints], [0, 0]);
});

test("a token that may read all of it may have it verified; one that proves nobody may not, and neither on a ledger that cannot tell", async (t) => {
  const at = await serving(t);
  const observer = await auditorAt(at);
  const service = at.open();
  assert.equal(ok(await service.verify(observer, {})).value.refusal, undefined);
  assert.deepEqual(codes(await service.verify(bearer("dedalus_x"), {})), ["actor-unknown"]);
  await service.close();
  rmSync(join(at.folder, `${DATABASE}-saved-state`), { force: true });
  alter(at);
  assert.deepEqual(codes(await at.open().verify(observer, {})), ["ledger-rewritten"]);
  assert.equal(ok(await at.open().verify(OPERATOR, {})).value.refusal?.code, "ledger-broken");
});

test("another key or another anchor is named, and what cannot be one is bad input", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const { key } = ok(await service.prove(OPERATOR, { seq: 1 })).value;
  assert.equal(ok(await at.ledger.verify({ key })).value.refusal, undefined);
  const unread = await at.ledger.verify({ key: "no key" });
  assert.ok(unread.kind === "refused");
  assert.deepEqual([unread.domain, codes(unread)], ["input", ["usage"]]);
  const anchor = { name: "copy.txt", path: join(at.folder, "copy.txt") };
  assert.deepEqual(codes(await at.ledger.verify({ anchor })), ["file-unreadable"]);
  const own = { name: "anchor", path: join(at.folder, ANCHOR) };
  assert.equal(ok(await at.ledger.verify({ anchor: own })).value.refusal, undefined);
});

test("a proof is verified with the public key alone, and one that was changed is not", async (t) => {
  const at = await serving(t);
  const { key, seq, text } = ok(await at.open().prove(OPERATOR, { seq: 1 })).value;
  const owner = { key, kind: "given" } as const;
  const held = verifyProof({ name: "1.tlog-proof", owner, text });
  assert.equal(held.kind === "ok" ? held.value.record.seq : held, seq);
  const changed = verifyProof({ name: "1.tlog-proof", owner, text: text.replace("index 1", "index 0") });
  assert.ok(changed.kind === "refused");
  assert.deepEqual([changed.domain, changed.refusals.map(({ code }) => code)], ["validation", ["proof-broken"]]);
});

test("a record is proven to whoever sees it, an agent too, and no other is", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const made = ok(
    await service.createToken(OPERATOR, { days: 1, environments: ["home"], name: "robo", roles: ["agent"] }),
  );
  const robo = bearer(made.value.token ?? assert.fail("it is shown once"));
  const records = await at.records();
  const own = records.find(({ environment }) => environment === "home")?.seq ?? assert.fail("something is of home");
  assert.equal(ok(await service.prove(robo, { seq: own })).value.seq, own);
  const whole = records.find(({ environment }) => environment === undefined)?.seq ?? assert.fail("one is of none");
  for (const seq of [whole, records.length + 9])
    assert.deepEqual(codes(await service.prove(robo, { seq })), ["role-missing"]);
});
