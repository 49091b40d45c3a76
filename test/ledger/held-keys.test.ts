// The table of used keys against the lines, with tables that no engine would write: what is judged, counted and left
// out.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Engine, KeyUse } from "../../src/ledger/engine.ts";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { verifyKeys } from "../../src/ledger/verify/verify-keys.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { chain, chained, draft, linesOf, ulid } from "./drafts.ts";
import { ledgersFor } from "./holding.ts";

const ledgerOf = ledgersFor({ after });
const CHAIN = chain(5);
const LINES = linesOf(CHAIN);
const USES = CHAIN.map(({ record }) => keyUseOf(record));
const [FIRST] = USES;

const found = async (keys: readonly KeyUse[], lines = LINES, changes: Partial<Engine> = {}) => {
  const { findings, findingsCount, records, uses } = await verifyKeys({
    ...(await ledgerOf(lines, { keys })),
    ...changes,
  });
  assert.equal(findings.length, Math.min(100, findingsCount));
  assert.equal(records, lines.length);
  return { findings: findings.map(({ cause, facts, seq, what }) => [seq, what, cause, facts]), uses };
};

test("a table in any order that is the lines' own has no finding", async () => {
  assert.deepEqual(await found(USES), { findings: [], uses: 5 });
  const falling = chained(Array.from({ length: 5 }, (_, at) => draft(at, { idempotencyKey: ulid(9 - at) })));
  const uses = falling.map(({ record }) => keyUseOf(record));
  assert.deepEqual(await found(uses, linesOf(falling)), { findings: [], uses: 5 });
  assert.deepEqual(await found([], []), { findings: [], uses: 0 });
});

test("each difference is told by its seq, with what it is", async () => {
  assert.ok(FIRST);
  const missing = [0, "use-missing", "key-unlisted", {}];
  assert.deepEqual(await found(USES.slice(1)), { findings: [missing], uses: 4 });
  const moved = [{ ...FIRST, seq: 3 }, ...USES.slice(1)];
  assert.deepEqual((await found(moved)).findings, [[0, "use-misplaced", "key-misplaced", { other: 3 }]]);
  const asked = [{ ...FIRST, request: sha256("another") }, ...USES.slice(1)];
  assert.deepEqual((await found(asked)).findings, [[0, "use-differs", "key-of-other-request", {}]]);
  const stray = { caller: "mallory", key: ulid(9), request: sha256("x"), seq: 2 };
  const facts = { caller: "mallory", key: ulid(9) };
  assert.deepEqual((await found([...USES, stray])).findings, [[2, "use-stray", "key-stray", facts]]);
  for (const seq of [5, 99])
    assert.deepEqual((await found([...USES, { ...stray, seq }])).findings, [[seq, "use-stray", "key-stray", facts]]);
});

test("a line that is no record has no key, and a use at its place is left to verify", async () => {
  const torn = LINES.with(2, Buffer.from("nonsense"));
  assert.deepEqual(await found(USES, torn), { findings: [], uses: 5 });
  assert.deepEqual((await found(USES.toSpliced(2, 1), torn)).findings, []);
  assert.deepEqual((await found(USES.toSpliced(3, 1), torn)).findings, [[3, "use-missing", "key-unlisted", {}]]);
});

test("only the first hundred findings are listed, and all are counted", async () => {
  const many = linesOf(chain(102));
  const { findings, findingsCount } = await verifyKeys(await ledgerOf(many));
  assert.deepEqual([findings.length, findingsCount], [100, 102]);
});

test("a table that cannot be read is a finding at its seq, and at the end where it has none; a bug rises", async () => {
  const failing = (error: Error): Partial<Engine> => ({
    // biome-ignore lint/correctness/useYield: it fails before the first.
    keys: async function* () {
      throw error;
    },
  });
  const unreadable = new LedgerDamage(3, { cause: "key-unreadable", facts: {} });
  assert.deepEqual((await found([], LINES, failing(unreadable))).findings, [
    [3, "use-unreadable", "key-unreadable", {}],
  ]);
  const beside = new LedgerDamage(undefined, { cause: "head-unreadable", facts: {} });
  assert.deepEqual((await found([], LINES, failing(beside))).findings, [[5, "use-unreadable", "head-unreadable", {}]]);
  await assert.rejects(found([], LINES, failing(new TypeError("a bug"))), /a bug/);
});
