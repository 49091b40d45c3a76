// The chain as a browser checks it, held against our own verification: two readers of one format that share no code
// find the same, at the same places, in the same words.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { type ChainSeen, chainWalk, decodedPage } from "../../src/console/verify/chain-walk.ts";
import { dividePage, divideRecords } from "../../src/console/verify/divide-records.ts";
import { plainLineAfter } from "../../src/console/verify/plain-line.ts";
import { readLine } from "../../src/console/verify/read-line.ts";
import { readRecord } from "../../src/ledger/record/read-record.ts";
import { LINE_BYTES_MAX, type Sealed } from "../../src/ledger/record/record.ts";
import { recordHash } from "../../src/ledger/record/seal.ts";
import { verifyLines } from "../../src/ledger/verify/verify.ts";
import { ROOT } from "../../tools/sources.ts";
import { chain, chained, draft, linesOf, ORIGIN, treeRoot } from "../ledger/drafts.ts";

const CHAIN = chain(9);
const LINES = linesOf(CHAIN);
const HASHES = CHAIN.map(({ hash }) => hash);
const rootAt = (sealed: readonly Sealed[], size: number) => ({
  origin: ORIGIN,
  root: treeRoot(sealed.slice(0, size).map(({ hash }) => hash)),
  size,
});
const CHECKPOINTS = [9, 0, 3, 6].map((size) => rootAt(CHAIN, size));

const walked = (lines: readonly Uint8Array[], checkpoints = CHECKPOINTS): ChainSeen => {
  const walk = chainWalk(checkpoints);
  for (const line of lines) walk.take(line);
  return walk.end(true);
};
/** The same lines in one page, with what divides them. */
const walkedPage = (lines: readonly Uint8Array[], checkpoints = CHECKPOINTS): ChainSeen => {
  const walk = chainWalk(checkpoints);
  const page = decodedPage(pageOf(lines));
  const { torn } = dividePage(page.bytes, (start) => walk.takeFrom(page, start));
  assert.equal(torn, undefined);
  return walk.end(true);
};
const pageOf = (lines: readonly Uint8Array[], behind = ""): Uint8Array =>
  Buffer.concat([
    Buffer.from('{"records":['),
    ...lines.flatMap((line, at) => (at === 0 ? [line] : [Buffer.from(","), line])),
    Buffer.from(`]${behind}}`),
  ]);
/** Whether a page of these lines can be divided into them: some damage is to what divides it. */
const isDivided = (lines: readonly Uint8Array[]): boolean => {
  const divided = divideRecords(pageOf(lines));
  return divided.torn === undefined && divided.lines.map(textOf).join("\n") === lines.map(textOf).join("\n");
};
const linesHashes = (lines: readonly Uint8Array[]) => lines.map((line) => recordHash(line));
const textOf = (line: Uint8Array | undefined): string => Buffer.from(line ?? []).toString();
const rewritten = (at: number, change: (text: string) => string): readonly Uint8Array[] =>
  LINES.with(at, Buffer.from(change(textOf(LINES[at]))));

/** Everything that both say: places, causes and facts, counts, head and root. */
const assertAgreed = async (lines: readonly Uint8Array[], what: string, checkpoints = CHECKPOINTS): Promise<void> => {
  const ours = await verifyLines(lines, { checkpoints, mode: "full" });
  const seen = walked(lines, checkpoints);
  assert.deepEqual(
    seen.findings.map(({ unprovenFrom: _, ...finding }) => finding),
    ours.findings,
    what,
  );
  const { checkpointsMet, findingsCount, hash, records, root } = seen;
  assert.deepEqual(
    { checkpointsMet, findingsCount, hash, records, root },
    {
      checkpointsMet: ours.checkpointsMet,
      findingsCount: ours.findingsCount,
      hash: ours.head.hash,
      records: ours.records,
      root: ours.root,
    },
    what,
  );
  if (isDivided(lines)) assert.deepEqual(walkedPage(lines, checkpoints), seen, `${what}, in a page`);
};

test("a ledger that holds has no finding, and the root that was signed", async () => {
  await assertAgreed(LINES, "as it was written");
  const seen = walked(LINES);
  assert.deepEqual([seen.findingsCount, seen.heldTo, seen.checkpointsHeld], [0, 9, 4]);
  assert.equal(walked([], []).root, treeRoot([]));
});

test("a recorded history with every kind of record holds", async () => {
  const file = readFileSync(join(ROOT, "test/histories/1/records.jsonl"));
  const lines = file
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Buffer.from(line));
  assert.ok(lines.length > 50);
  await assertAgreed(lines, "the history", []);
  assert.equal(walked(lines, []).findingsCount, 0);
});

const DAMAGE: Readonly<Record<string, readonly Uint8Array[]>> = {
  "a field altered": rewritten(4, (text) => text.replace("record 4", "record X")),
  "a field of the first": rewritten(0, (text) => text.replace("record 0", "record X")),
  "a field of the last": rewritten(8, (text) => text.replace("record 8", "record X")),
  "a link of the first": rewritten(0, (text) => text.replace("0".repeat(64), "1".repeat(64))),
  "a link altered": rewritten(5, (text) => text.replace(/"prev":"./, '"prev":"x')),
  "another actor": rewritten(2, (text) => text.replace("alice", "mallory")),
  "a key twice": rewritten(2, (text) => text.replace('{"actor"', '{"actor":1,"actor"')),
  "a stranger among the fields": rewritten(2, (text) => text.replace('"auditId"', '"audit":1,"auditId"')),
  "no environment text": rewritten(2, (text) => text.replace('"environment":"home"', '"environment":""')),
  "another format": rewritten(2, (text) => text.replace('"v":1}', '"v":2}')),
  "white space": rewritten(2, (text) => text.replace('{"actor"', '{ "actor"')),
  "another escape": rewritten(2, (text) => text.replace("record 2", "record\\u0020 2")),
  "a number that is rounded": rewritten(2, (text) => text.replace('"n":2', '"n":2.0')),
  "too long": rewritten(2, (text) => text.replace("record 2", "a".repeat(LINE_BYTES_MAX))),
  "no object": rewritten(2, () => "nonsense"),
  "no bytes": rewritten(2, () => ""),
  "no UTF-8": LINES.with(2, Buffer.concat([Buffer.from(LINES[2] ?? []), Buffer.of(0xff)])),
  "another seq": rewritten(2, (text) => text.replace('"seq":2', '"seq":3')),
  "one left out": LINES.toSpliced(4, 1),
  "the first left out": LINES.toSpliced(0, 1),
  "one twice": LINES.toSpliced(4, 0, LINES[3] ?? new Uint8Array()),
  "two in each other's place": LINES.with(3, LINES[4] ?? new Uint8Array()).with(4, LINES[3] ?? new Uint8Array()),
  "the end cut off": LINES.slice(0, 7),
  "all cut off": [],
  "written anew with all its links": linesOf(
    chained(Array.from({ length: 9 }, (_, n) => draft(n, n === 4 ? { body: { n: "another" } } : {}))),
  ),
};

for (const [what, lines] of Object.entries(DAMAGE))
  test(`damage is found where our own verification finds it: ${what}`, async () => {
    await assertAgreed(lines, what);
    await assertAgreed(lines, what, []);
    assert.ok(walked(lines).findingsCount > 0);
  });

test("from the first record that may be another on, everything is unproven", () => {
  const from = (what: string, checkpoints = CHECKPOINTS) =>
    Math.min(...walked(DAMAGE[what] ?? [], checkpoints).findings.map(({ unprovenFrom }) => unprovenFrom));
  // Record 5 shows that record 4 is another; without a link behind it, the root over both does.
  assert.equal(from("a field altered", []), 4);
  assert.equal(from("a field altered"), 3);
  assert.equal(from("a field of the last"), 6);
  assert.equal(from("one left out", []), 4);
  assert.equal(from("the end cut off"), 7);
  // Every link is right, so that nothing behind the last root that held is known.
  assert.equal(from("written anew with all its links"), 3);
  assert.equal(walked(DAMAGE["written anew with all its links"] ?? []).heldTo, 3);
});

test("a root that holds behind a broken place proves nothing more", () => {
  const spaced = DAMAGE["white space"] ?? [];
  const leaves = linesHashes(spaced);
  const seen = walked(spaced, [
    { origin: ORIGIN, root: treeRoot(leaves.slice(0, 1)), size: 1 },
    { origin: ORIGIN, root: treeRoot(leaves), size: 9 },
  ]);
  assert.deepEqual([seen.checkpointsHeld, seen.heldTo], [2, 1]);
});

test("flipping any single byte of a ledger is found, as our own verification finds it", async () => {
  const lines = LINES.slice(0, 4);
  const checkpoints = [rootAt(CHAIN, 4)];
  for (const flip of [0x01, 0x80])
    for (const [seq, line] of lines.entries())
      for (let at = 0; at < line.length; at += 1) {
        const altered = Buffer.from(line);
        altered[at] = (altered[at] ?? 0) ^ flip;
        await assertAgreed(lines.with(seq, altered), `byte ${at} of record ${seq}, ${flip}`, checkpoints);
        assert.ok(walked(lines.with(seq, altered), checkpoints).findingsCount > 0);
      }
});

test("a page with other characters than ASCII is walked as its lines are, and so is a record that is altered in it", async () => {
  const sealed = chained(
    Array.from({ length: 6 }, (_, n) =>
      draft(n, { body: { é: "größer", note: n === 2 ? "\u{1f600}" : `record ${n}` } }),
    ),
  );
  const lines = linesOf(sealed);
  const checkpoints = [rootAt(sealed, 6)];
  await assertAgreed(lines, "as it was written", checkpoints);
  assert.equal(walkedPage(lines, checkpoints).findingsCount, 0);
  for (const [seq, line] of lines.entries()) {
    const altered = lines.with(seq, Buffer.from(textOf(line).replace("größer", "grösser")));
    assert.ok(isDivided(altered));
    await assertAgreed(altered, `record ${seq} altered`, checkpoints);
    assert.ok(walkedPage(altered, checkpoints).findingsCount > 0);
  }
});

test("a seq that is no number of the format is never taken for the next", () => {
  const place = { hash: HASHES[0] ?? "", next: Number.MAX_SAFE_INTEGER };
  const at = (seq: number) => textOf(LINES[1]).replace('"seq":1,', `"seq":${seq},`);
  assert.equal(plainLineAfter(at(place.next), 0, place), at(place.next).length);
  const beyond = place.next + 1;
  assert.equal(plainLineAfter(at(beyond), 0, { ...place, next: beyond }), -1);
});

test("both readers take the same lines for records, whatever is in them and whatever was done to them", () => {
  const edit = fc.tuple(fc.nat(), fc.constantFrom(...'"\\{}[]:,0-1.eu \u0001aé\ud83d\ude00\uffee'));
  const edits = fc.oneof(fc.constant([]), fc.array(edit, { maxLength: 3 }));
  let [plainly, taken] = [0, 0];
  fc.assert(
    fc.property(fc.jsonValue(), edits, fc.string({ unit: "binary" }), (value, changes, key) => {
      const body = { [key.toWellFormed()]: value, "10": 2, "9": 1 };
      let text = canonicalize({ ...JSON.parse(textOf(LINES[1])), body }) ?? "";
      for (const [at, character] of changes) {
        const place = at % text.length;
        text = text.slice(0, place) + character + text.slice(place + 1);
      }
      const line = Buffer.from(text);
      const [ours, seen] = [readRecord(line), readLine(line)];
      taken += ours.kind === "record" ? 1 : 0;
      if (ours.kind === "record") assert.ok(seen.kind === "record" && seen.text === textOf(line));
      // Behind another text, as in a page; and where another place of the chain is due it is never plain.
      const after = plainLineAfter(`,${textOf(line)},`, 1, { hash: HASHES[0] ?? "", next: 1 }) - 1;
      if (after >= 0) {
        assert.ok(ours.kind === "record");
        assert.deepEqual([ours.record.prev, ours.record.seq, after], [HASHES[0], 1, textOf(line).length]);
        plainly += 1;
      }
      assert.equal(plainLineAfter(textOf(line), 0, { hash: HASHES[0] ?? "", next: 2 }), -1);
      assert.equal(plainLineAfter(textOf(line), 0, { hash: HASHES[1] ?? "", next: 1 }), -1);
      if (ours.kind !== "record") assert.deepEqual(seen, { flaw: ours.flaw, kind: "flaw", what: ours.what });
    }),
    { numRuns: 3_000 },
  );
  assert.ok(plainly > 300, `${plainly} were taken without parsing`);
  assert.ok(taken > 300 && taken < 2_700, `${taken} were records`);
});

test("a page gives the bytes of its lines as they were sent, and the error behind them", () => {
  const hostile = linesOf(
    chained([draft(0, { body: { text: '"}]},{"\\' } }), draft(1, { body: { "{[": ["]", {}] } })]),
  );
  for (const lines of [[], LINES, hostile]) {
    assert.deepEqual(divideRecords(pageOf(lines)).lines.map(textOf), lines.map(textOf));
    assert.equal(divideRecords(pageOf(lines)).torn, undefined);
  }
  const { lines, refused } = divideRecords(pageOf(LINES, ',"error":{"domain":"ledger"}'));
  assert.deepEqual([lines.length, refused], [9, { domain: "ledger" }]);
});

test("a page that was cut anywhere is torn, and never shorter without saying so", () => {
  const page = pageOf(LINES.slice(0, 3), ',"error":{"a":1}');
  for (let length = 0; length < page.length; length += 1) {
    const { refused, torn } = divideRecords(page.subarray(0, length));
    assert.ok(torn !== undefined && refused === undefined, `cut to ${length} bytes`);
  }
  for (const more of ["x", "{}", "]"]) assert.ok(divideRecords(Buffer.concat([page, Buffer.from(more)])).torn);
});
