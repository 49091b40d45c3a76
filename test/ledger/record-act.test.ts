// One act, one record: on a real ledger whose replies get lost and whose other writers are first.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Appended, Engine } from "../../src/ledger/engine.ts";
import { readChainState, START } from "../../src/ledger/verify/chain-state.ts";
import { copyLedger } from "../../src/ledger/write/copy.ts";
import { appendDraft } from "../../src/ledger/write/record-act.ts";
import type { Instant } from "../../src/spine/model.ts";
import { type Act, recordAt, recordNext } from "./acting.ts";
import { draft } from "./drafts.ts";
import { assertChain } from "./lines.ts";
import { ACTING, copyingOf, fill, ledgerFolderFor } from "./moving.ts";

const ACT: Act = { kind: "test.acted", request: { what: "this" }, result: {} };
const LOST: Appended = {
  failure: { cause: "connection-lost", facts: { name: "test" } },
  kind: "unknown",
  reading: "open",
};

/** A real engine whose replies get lost: of commits that it took, or with the commit itself. */
const losing = (engine: Engine, what: "reply" | "request"): Engine => ({
  ...engine,
  append: async (commit, expect) => {
    if (what === "reply") assert.equal((await engine.append(commit, expect)).kind, "ok");
    return LOST;
  },
});

test("an act is recorded where the ledger stands, with its key and the operator's name", async (t) => {
  const engine = await ledgerFolderFor(t).open("a.db");
  await fill(engine, 3);
  const acted = await recordNext(engine, ACTING, ({ tree }) => ({ ...ACT, result: { size: tree.size } }));
  assert.ok(acted.kind === "recorded");
  const { actor, body, idempotencyKey, seq } = acted.record;
  assert.deepEqual([actor, body, seq], [ACTING.actor, { request: ACT.request, result: { size: 3 } }, 3]);
  assert.equal((await engine.lookup("alice", idempotencyKey))?.seq, 3);
  assert.deepEqual(acted.chain, { ...(await readChainState(engine)), floor: acted.record.processTime });
  await assertChain(engine);
});

test("a lost reply is looked up: what is there is recorded, and what is not is unknown and not sent again", async (t) => {
  const engine = await ledgerFolderFor(t).open("a.db");
  await fill(engine, 1);
  assert.equal((await recordNext(losing(engine, "reply"), ACTING, () => ACT)).kind, "recorded");
  assert.equal((await engine.head()).size, 2);
  assert.deepEqual(await recordNext(losing(engine, "request"), ACTING, () => ACT), LOST);
  assert.equal((await engine.head()).size, 2);
});

test("a lost request whose place another writer took cannot come in any more: a conflict, not a doubt", async (t) => {
  const engine = await ledgerFolderFor(t).open("a.db");
  await fill(engine, 1);
  const overtaken: Engine = {
    ...engine,
    append: async () => {
      assert.equal((await recordNext(engine, ACTING, () => ACT)).kind, "recorded");
      return LOST;
    },
  };
  assert.deepEqual(await recordAt(overtaken, await readChainState(engine), ACTING, ACT), { kind: "conflict", size: 2 });
});

test("a copy whose seal may or may not be there says so, and the next one settles it", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [source, target] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  await fill(source, 2);
  const copy = (from: Engine) => copyLedger(copyingOf(from, target));
  const doubtful = await copy(losing(source, "request"));
  assert.ok(doubtful.kind === "refused");
  assert.equal(doubtful.refusal.code, "record-doubtful");
  assert.equal((await copy(losing(source, "reply"))).kind, "copied");
  assert.deepEqual(await source.head(), await target.head());
});

test("an act at a seq that another writer took is a conflict, and goes in behind it when it may", async (t) => {
  const engine = await ledgerFolderFor(t).open("a.db");
  await fill(engine, 2);
  assert.deepEqual(await recordAt(engine, START, ACTING, ACT), { kind: "conflict", size: 2 });
  let first = 0;
  const busy: Engine = {
    ...engine,
    append: async (commit, expect) => {
      first += 1;
      if (first <= 3) await recordNext(engine, ACTING, () => ACT);
      return engine.append(commit, expect);
    },
  };
  const acted = await recordNext(busy, ACTING, () => ACT);
  assert.ok(acted.kind === "recorded");
  assert.equal(acted.record.seq, 5);
  await assertChain(engine);
});

test("a clock that went back stamps nothing earlier than the record before", async (t) => {
  const engine = await ledgerFolderFor(t).open("a.db");
  await fill(engine, 1);
  const first = await recordNext(engine, ACTING, () => ACT);
  assert.ok(first.kind === "recorded");
  const earliest = "2000-01-01T00:00:00.000Z" as Instant;
  const late = await recordNext(engine, { ...ACTING, now: () => earliest }, () => ACT);
  assert.ok(late.kind === "recorded");
  assert.equal(late.record.processTime, first.record.processTime);
  assert.equal(late.record.eventTime, earliest);
});

test("what was decided by a clock that went back is not recorded", async (t) => {
  const engine = await ledgerFolderFor(t).open("a.db");
  await fill(engine, 1);
  const chain = await readChainState(engine);
  const processTime = "2000-01-01T00:00:00.000Z" as Instant;
  await assert.rejects(appendDraft(engine, chain, draft(1, { processTime })), /stamped earlier/);
  assert.equal((await engine.head()).size, 1);
  assert.equal((await appendDraft(engine, chain, draft(1))).kind, "recorded");
});
