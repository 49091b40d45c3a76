// Damage and what is none: a line of a later format, a record of another time, and the seq of each.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { readChainState, recordOf } from "../../src/ledger/verify/chain-state.ts";
import { foldedAt, LedgerDamage, LedgerOfAnotherTime, newerRecordRefusal } from "../../src/ledger/verify/damage.ts";
import { readLineAt } from "../../src/ledger/verify/line-at.ts";
import { findingRefusal } from "../../src/ledger/verify/verify-ledger.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { damagedBy } from "./damaged.ts";
import { chain, linesOf } from "./drafts.ts";
import { ledgersFor } from "./holding.ts";

const ledgerOf = ledgersFor({ after });
const CHAIN = chain(5);
const LINES = linesOf(CHAIN);
const edited = (at: number, from: string | RegExp, to: string): readonly Uint8Array[] =>
  LINES.with(
    at,
    Buffer.from(
      Buffer.from(LINES[at] ?? [])
        .toString()
        .replace(from, to),
    ),
  );

const formatted = (format: number) => ({ cause: "other-format", facts: { format, known: 2 } }) as const;

test("only a format of later is no damage", () => {
  for (const [format, code] of [
    [1, "ledger-broken"],
    [2, "ledger-broken"],
    [3, "ledger-format"],
  ] as const) {
    assert.equal(new LedgerDamage(7, formatted(format)).refusal.code, code);
    assert.equal(findingRefusal({ ...formatted(format), seq: 7, what: "newer-format" }, 1).code, code);
    assert.equal(newerRecordRefusal(7, formatted(format))?.code, code === "ledger-format" ? code : undefined);
  }
  assert.equal(newerRecordRefusal(7, { cause: "not-utf8", facts: {} }), undefined);
});

test("damage of a record tells its seq, and damage beside the records none", () => {
  const { code, facts } = new LedgerDamage(7, { cause: "not-utf8", facts: {} }).refusal;
  assert.deepEqual([code, facts], ["ledger-broken", { seq: 7 }]);
  const beside = new LedgerDamage(undefined, { cause: "file-missing", facts: { file: "tile" } });
  assert.deepEqual([beside.refusal.code, beside.refusal.facts], ["ledger-broken", { file: "tile" }]);
  const finding = { cause: "file-missing", facts: { file: "tile" }, seq: undefined, what: "tile-differs" } as const;
  assert.deepEqual(findingRefusal(finding, 3).facts, { file: "tile", findings: 3, what: "tile-differs" });
  const ofOne = { cause: "not-utf8", facts: {}, seq: 7, what: "unreadable" } as const;
  assert.deepEqual(findingRefusal(ofOne, 3).facts, { findings: 3, seq: 7, what: "unreadable" });
});

test("a fold that stumbles over a record is damage there, unless the record is of another time", () => {
  const stumble = (error: Error) => () =>
    foldedAt(4, () => {
      throw error;
    });
  assert.throws(stumble(new TypeError("no such kind")), damagedBy(4, "body-unfit"));
  const other = new LedgerOfAnotherTime(refuse("ledger-broken", { cause: "not-utf8", facts: { seq: 4 } }));
  assert.throws(stumble(other), (error) => error === other);
  assert.equal(
    foldedAt(4, () => 7),
    7,
  );
});

test("a ledger stands where its last line is, or where it is asked to stop", async () => {
  const engine = await ledgerOf(LINES);
  for (const [to, size] of [
    [undefined, 5],
    [99, 5],
    [3, 3],
    [0, 0],
  ] as const) {
    const state = await readChainState(engine, undefined, to);
    const last = CHAIN[size - 1];
    assert.equal(state.tree.size, size);
    assert.equal(state.floor, last?.record.processTime);
    if (last !== undefined) assert.equal(state.hash, last.hash);
  }
  const half = await readChainState(engine, undefined, 3);
  assert.deepEqual(await readChainState(engine, half), await readChainState(engine));
  assert.deepEqual(await readChainState(engine, half, 3), half);
});

test("a chain that breaks is damage at its seq, with what is wrong there", async () => {
  for (const [lines, seq, cause] of [
    [edited(2, /"prev":"[0-9a-f]{64}/, `"prev":"${"f".repeat(64)}`), 2, "link-broken"],
    [edited(2, '"seq":2', '"seq":3'), 2, "out-of-order"],
    [LINES.with(2, Buffer.from("nonsense")), 2, "not-ended"],
    [LINES.with(2, Buffer.from('{"v":9}')), 2, "other-format"],
    [edited(4, '{"actor"', '{ "actor"'), 4, "not-canonical"],
  ] as const)
    await assert.rejects(readChainState(await ledgerOf(lines)), damagedBy(seq, cause), cause);
  assert.throws(() => recordOf(Buffer.from("nonsense"), 3), damagedBy(3, "not-an-object"));
  assert.equal(recordOf(LINES[3] ?? assert.fail(), 3).seq, 3);
});

test("one line is read by its seq, and none is past the end", async () => {
  const engine = await ledgerOf(LINES);
  for (const seq of [0, 3, 4]) assert.deepEqual(Buffer.from((await readLineAt(engine, seq)) ?? []), LINES[seq]);
  assert.equal(await readLineAt(engine, 5), undefined);
  assert.equal(await readLineAt(engine, -1), undefined);
});
