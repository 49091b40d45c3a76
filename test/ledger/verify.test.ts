// Verifying: a ledger that holds has no finding; every slip has one, at its exact place.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { linkOf, linksTo } from "../../src/ledger/record/fast/link-of-line.ts";
import { isPlainRecord } from "../../src/ledger/record/fast/plain-record.ts";
import { GENESIS, LINE_BYTES_MAX, type Sealed } from "../../src/ledger/record/record.ts";
import { linkFlaw, seal } from "../../src/ledger/record/seal.ts";
import { type Checkpoint, readCheckpoint } from "../../src/ledger/tree/checkpoint.ts";
import { EMPTY_FRONTIER, EMPTY_ROOT, grown } from "../../src/ledger/tree/merkle.ts";
import { FINDINGS_LISTED_MAX, type Verification, verifyExport, verifyLines } from "../../src/ledger/verify/verify.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { chain, chained, draft, exported, linesOf, noteOver, ORIGIN, treeRoot, VKEY } from "./drafts.ts";

const MODES = ["raw", "full"] as const;
const CHAIN = chain(5);
const LINES = linesOf(CHAIN);

const checkpointAt = (sealed: readonly Sealed[], size: number): Checkpoint => ({
  origin: ORIGIN,
  root: treeRoot(sealed.slice(0, size).map(({ hash }) => hash)),
  size,
});
const CHECKPOINTS = [5, 0, 3].map((size) => checkpointAt(CHAIN, size));

const places = ({ findings }: Verification): readonly string[] => findings.map(({ seq, what }) => `${seq} ${what}`);
const walked = async (lines: readonly Uint8Array[], mode: (typeof MODES)[number], checkpoints = CHECKPOINTS) =>
  places(await verifyLines(lines, { checkpoints, mode }));

async function* later<T>(list: readonly T[]): AsyncGenerator<T> {
  yield* list;
}

test("a sound record that the short way does not know is read the long way, and is no finding", async () => {
  const { line } = seal(draft(1, { environment: String.raw`a\b` }), { prev: GENESIS, seq: 0 });
  assert.ok(!isPlainRecord(line));
  for (const mode of MODES) assert.deepEqual(await walked([line], mode, []), []);
});

test("a whole ledger has no finding, and its head and root are those of its records", async () => {
  const pieces = [1, 7, 64, 4096].map((width) =>
    Array.from({ length: Math.ceil(exported(LINES).length / width) }, (_, at) =>
      exported(LINES).subarray(at * width, (at + 1) * width),
    ),
  );
  for (const mode of MODES) {
    const options = { checkpoints: CHECKPOINTS, mode };
    const expected = {
      checkpointsMet: 3,
      findings: [],
      findingsCount: 0,
      head: { hash: CHAIN.at(-1)?.hash, size: 5 },
      records: 5,
      root: checkpointAt(CHAIN, 5).root,
    };
    assert.deepEqual(await verifyLines(LINES, options), expected);
    assert.deepEqual(
      await verifyLines(
        LINES.map((line) => new Uint8Array(line)),
        options,
      ),
      expected,
    );
    assert.deepEqual(await verifyLines(later(LINES), options), expected);
    for (const list of pieces) assert.deepEqual(await verifyExport(list, options), expected);
    assert.deepEqual(await verifyExport(later([exported(LINES)]), options), expected);
  }
});

test("pieces that all lie in the same room are verified as they come", async () => {
  const bytes = exported(LINES);
  for (const length of [1, 7, 1_000, bytes.length]) {
    const room = new Uint8Array(length);
    const pieces = function* (): Generator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += length) {
        const piece = bytes.subarray(at, at + length);
        room.set(piece);
        yield room.subarray(0, piece.length);
      }
    };
    const { findings, records } = await verifyExport(pieces(), { checkpoints: [], mode: "full" });
    assert.deepEqual({ findings, records }, { findings: [], records: LINES.length }, `pieces of ${length}`);
  }
});

test("an empty ledger holds, and has the root of nothing", async () => {
  const empty = {
    checkpointsMet: 0,
    findings: [],
    findingsCount: 0,
    head: { hash: GENESIS, size: 0 },
    records: 0,
    root: EMPTY_ROOT,
  };
  for (const mode of MODES) {
    assert.deepEqual(await verifyLines([], { checkpoints: [], mode }), empty);
    assert.deepEqual(await verifyExport([], { checkpoints: [], mode }), empty);
  }
});

/** As a command would: what the note says under its key is held against the export. */
const said = (note: string): readonly Checkpoint[] => {
  const read = readCheckpoint(note, VKEY);
  assert.ok(read.kind === "checkpoint");
  return [read.checkpoint];
};
const flipped = (bytes: Uint8Array, at: number, flip: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ flip;
  return copy;
};

for (const mode of MODES) {
  test(`flipping any single byte of an export or its checkpoint is found (${mode})`, async () => {
    const bytes = exported(LINES);
    const note = Buffer.from(noteOver(CHAIN));
    const options = { checkpoints: said(note.toString("utf8")), mode };
    assert.equal((await verifyExport([bytes], options)).findingsCount, 0);
    for (const flip of [0x01, 0x80, 0xff]) {
      for (let at = 0; at < bytes.length; at += 1) {
        const { findingsCount } = await verifyExport([flipped(bytes, at, flip)], options);
        assert.ok(findingsCount > 0, `byte ${at} of the export, ${flip}`);
      }
      for (let at = 0; at < note.length; at += 1) {
        const read = readCheckpoint(flipped(note, at, flip).toString("utf8"), VKEY);
        assert.equal(read.kind, "bad", `byte ${at} of the checkpoint, ${flip}`);
      }
    }
  });

  test(`an export that was cut or added to anywhere is found (${mode})`, async () => {
    const bytes = exported(LINES);
    const options = { checkpoints: said(noteOver(CHAIN)), mode };
    for (let length = 0; length < bytes.length; length += 1) {
      const { findingsCount } = await verifyExport([bytes.subarray(0, length)], options);
      assert.ok(findingsCount > 0, `cut to ${length} bytes`);
    }
    for (const more of ["\n", "x", "{}\n"]) {
      const { findingsCount } = await verifyExport([bytes, Buffer.from(more)], options);
      assert.ok(findingsCount > 0, JSON.stringify(more));
    }
  });

  test(`the first broken place is named (${mode})`, async () => {
    const altered = LINES.with(
      2,
      Buffer.from(
        Buffer.from(LINES[2] ?? [])
          .toString()
          .replace("record 2", "record X"),
      ),
    );
    // The line itself is a fine record; that it is not the one that was written shows in what stands on it.
    assert.deepEqual(await walked(altered, mode), ["2 checkpoint-differs", "3 broken-link", "4 checkpoint-differs"]);
    assert.deepEqual(await walked(altered, mode, []), ["3 broken-link"]);
    assert.deepEqual(await walked(LINES.toSpliced(2, 1), mode, []), ["2 out-of-order"]);
    assert.deepEqual(await walked(LINES.toSpliced(0, 1), mode, []), ["0 out-of-order"]);
    const [, second = new Uint8Array()] = LINES;
    assert.deepEqual(await walked(LINES.toSpliced(2, 0, second), mode, []), ["2 out-of-order"]);
    assert.deepEqual(await walked([...LINES.slice(0, 3), ...LINES.slice(3).toReversed()], mode, []), [
      "3 out-of-order",
      "5 out-of-order",
    ]);
    assert.deepEqual(await walked(LINES.slice(0, 4), mode), ["4 cut-short"]);
    assert.deepEqual(await walked(LINES.with(1, Buffer.from("nonsense")), mode, []), ["1 unreadable", "2 broken-link"]);
    assert.deepEqual(await walked(LINES.with(1, new Uint8Array(0)), mode, []), ["1 unreadable", "2 broken-link"]);
    assert.deepEqual(await walked(LINES.with(4, Buffer.alloc(LINE_BYTES_MAX + 1, 0x61)), mode, []), ["4 too-long"]);
    const long = Buffer.from(
      Buffer.from(LINES[4] ?? [])
        .toString()
        .replace("record 4", "a".repeat(LINE_BYTES_MAX)),
    );
    assert.deepEqual(await walked(LINES.with(4, long), mode, []), ["4 too-long"]);
    const newer = Buffer.from(
      Buffer.from(LINES[4] ?? [])
        .toString()
        .replace('"v":1}', '"v":2}'),
    );
    assert.deepEqual(await walked(LINES.with(4, newer), mode, []), ["4 newer-format"]);
  });

  test(`a ledger that was rewritten with all its links is found through a checkpoint (${mode})`, async () => {
    const rewritten = chained([0, 1, 2, 3, 4].map((n) => draft(n, n === 1 ? { body: { n: "another" } } : {})));
    assert.deepEqual(await walked(linesOf(rewritten), mode, []), []);
    assert.deepEqual(await walked(linesOf(rewritten), mode), ["2 checkpoint-differs", "4 checkpoint-differs"]);
  });

  test(`a last line without its line feed is torn (${mode})`, async () => {
    const bytes = exported(LINES);
    const torn = async (length: number) =>
      places(await verifyExport([bytes.subarray(0, length)], { checkpoints: [], mode }));
    assert.deepEqual(await torn(bytes.length - 1), ["4 torn"]);
    assert.deepEqual(await torn(bytes.length - 2), ["4 torn", "4 unreadable"]);
  });

  test(`a line without end is a finding and is not kept in memory (${mode})`, async () => {
    const piece = Buffer.alloc(1 << 20, 0x61);
    const pieces = [...Array.from({ length: 64 }, () => piece), Buffer.from("\n"), exported(LINES)];
    const before = process.memoryUsage().arrayBuffers;
    const result = await verifyExport(later(pieces), { checkpoints: [], mode });
    assert.ok(process.memoryUsage().arrayBuffers - before < 32 << 20);
    assert.deepEqual(places(result).slice(0, 2), ["0 too-long", "1 out-of-order"]);
  });
}

test("full mode sees what only the text shows; raw mode stands on links and roots", async () => {
  const spaced = Buffer.from(
    Buffer.from(LINES[4] ?? [])
      .toString()
      .replace('{"actor"', '{ "actor"'),
  );
  assert.deepEqual(await walked(LINES.with(4, spaced), "full", []), ["4 not-canonical"]);
  assert.deepEqual(await walked(LINES.with(4, spaced), "raw", []), []);
  assert.deepEqual(await walked(LINES.with(4, spaced), "raw"), ["4 checkpoint-differs"]);
});

test("findings beyond the list are counted", async () => {
  const lines = Array.from({ length: FINDINGS_LISTED_MAX + 50 }, () => Buffer.from("nonsense"));
  const { findings, findingsCount } = await verifyLines(lines, { checkpoints: [], mode: "raw" });
  assert.equal(findings.length, 100);
  assert.equal(findingsCount, FINDINGS_LISTED_MAX + 50);
});

test("a walk that goes on from a known place holds what comes after against it, and meets no checkpoint before", async () => {
  const { root: _, ...five } = checkpointAt(CHAIN, 5);
  for (const mode of MODES) {
    const tree = CHAIN.slice(0, 3).reduce((grow, { hash }) => grown(grow, hash), EMPTY_FRONTIER);
    const from = { hash: CHAIN[2]?.hash ?? GENESIS, tree };
    const result = await verifyLines(LINES.slice(3), { checkpoints: CHECKPOINTS, from, mode });
    assert.deepEqual([result.checkpointsMet, places(result), result.records, result.head.size], [2, [], 5, 5]);
    const other = { checkpoints: [{ ...five, root: EMPTY_ROOT }], from, mode };
    assert.deepEqual(places(await verifyLines(LINES.slice(3), other)), ["4 checkpoint-differs"]);
    const wrong = { ...from, hash: GENESIS };
    assert.deepEqual(places(await verifyLines(LINES.slice(3), { checkpoints: [], from: wrong, mode })), [
      "3 broken-link",
    ]);
  }
});

test("progress is told, and the last word is the whole count", async () => {
  const told: number[] = [];
  const lines = Array.from({ length: 9_000 }, () => new Uint8Array(0));
  await verifyLines(lines, { checkpoints: [], mode: "raw", onProgress: (records) => told.push(records) });
  assert.deepEqual(told, [8_192, 9_000]);
});

test("nothing in a body passes for the link of its line", () => {
  const end = `,"prev":"${"f".repeat(64)}","processTime":"2026-11-15T10:00:00.000Z","seq":7,"v":1}`;
  const texts = [end, end.slice(1), `"${end}`, `\\${end}`, `${end}"`, `x"}${end}`];
  const prev = sha256("before");
  for (const text of texts) {
    for (const body of [{ text }, { zz: [text] }, { prev: "f".repeat(64), processTime: text, seq: 7, v: 1 }]) {
      for (const changes of [{ body }, { kind: text }, { environment: text }]) {
        assert.deepEqual(linkOf(seal(draft(1, changes), { prev, seq: 12 }).line), { prev, seq: 12 });
      }
    }
  }
});

test("a line with another end has no link", () => {
  const end = `prev":"${"f".repeat(64)}","processTime":"2026-11-15T10:00:00.000Z","seq":7,"v":1}`;
  assert.deepEqual(linkOf(Buffer.from(`{"a":1,"${end}`)), { prev: "f".repeat(64), seq: 7 });
  const others = [`{"a\\"${end}`, end, `{"a":1,"${end} `, `{"a":1,"${end.replace(":7", ":07")}`];
  for (const other of [
    ...others,
    `{"a":1,"${end.replace(":7", ":")}`,
    `{"a":1,"${end.replace(":7", ":9007199254740993")}`,
  ]) {
    assert.equal(linkOf(Buffer.from(other)), undefined, other);
  }
});

test("the link read from a line's end is the one that was sealed", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.string({ unit: "binary" }), (seq, text) => {
      const { line } = seal(draft(1, { body: { text: text.toWellFormed() } }), { prev: sha256(text), seq });
      assert.deepEqual(linkOf(line), { prev: sha256(text), seq });
      for (const cut of [1, 5, 30, line.length]) assert.equal(linkOf(line.subarray(0, line.length - cut)), undefined);
    }),
    { numRuns: 200 },
  );
});

test("a line links to a head when the link read from it has no flaw there, and to no other", () => {
  const heads = [0, 7, 10, 99, 1_000, Number.MAX_SAFE_INTEGER].map((size) => ({ hash: sha256(`${size}`), size }));
  for (const head of heads) {
    const { line } = seal(draft(1), { prev: head.hash, seq: head.size });
    const lines = [
      line,
      ...Array.from(line, (_, at) => flipped(line, at, 1)),
      ...Array.from(line, (_, at) => line.subarray(at)),
    ];
    for (const one of lines) {
      const link = linkOf(one);
      assert.equal(linksTo(head, one), link !== undefined && linkFlaw(head, link) === undefined);
    }
    assert.deepEqual(
      heads.filter((other) => linksTo(other, line)),
      [head],
    );
    assert.ok(!linksTo({ ...head, hash: GENESIS }, line));
  }
  const beyond = Buffer.from(
    `{"a":1,"prev":"${GENESIS}","processTime":"2026-11-15T10:00:00.000Z","seq":${2 ** 53},"v":1}`,
  );
  assert.ok(!linksTo({ hash: GENESIS, size: 2 ** 53 }, beyond));
});
