// A whole service as a browser checks it: checkpoints, pages, signatures and proofs, from answers that are what they
// should be and from answers that are not.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Unheard } from "../../src/console/ask/get.ts";
import type { BytesRead } from "../../src/console/ask/get-bytes.ts";
import { readProofFile } from "../../src/console/verify/record-proof.ts";
import { checkByPlatform, checkNote, readNoteKey } from "../../src/console/verify/signed-note.ts";
import { type WalkEnd, type WalkReport, walkService } from "../../src/console/verify/walk-service.ts";
import { signCheckpoint, vkeyOf } from "../../src/ledger/tree/checkpoint.ts";
import { inclusionRanges, subtreeRoots } from "../../src/ledger/tree/merkle-proof.ts";
import { proofText, readProof } from "../../src/ledger/verify/proof-file.ts";
import { chain, chained, draft, linesOf, noteOver, ORIGIN, SECRET_KEY, treeRoot, VKEY } from "../ledger/drafts.ts";

const SIZE = 1_203;
const CHAIN = chain(SIZE);
const LINES = linesOf(CHAIN);
const HASHES = CHAIN.map(({ hash }) => hash);
const NOTES = [0, 1, 500, 1_000, 1_200].map((size) => noteOver(CHAIN.slice(0, size)));
const NOTES_PAGE = 2;

type Shown = {
  /** As many checkpoints as the service says it has. */
  readonly anchoredCount?: number;
  readonly hash?: string;
  readonly key?: string;
  readonly lines?: readonly Uint8Array[];
  readonly notes?: readonly string[];
  /** What arrives instead of the page of records that begins there. */
  readonly instead?: (page: Uint8Array, from: number) => BytesRead | Uint8Array | Unheard;
};

/** A service with these lines and notes, as it answers over HTTP. */
const serviceOf = (shown: Shown) => {
  const { hash, instead = (page) => page, key = VKEY, lines = LINES, notes = NOTES } = shown;
  const { anchoredCount = notes.length } = shown;
  const head = { hash: hash ?? chainHash(lines), size: lines.length };
  return async (path: string): Promise<BytesRead | Unheard> => {
    const { pathname, searchParams } = new URL(path, "http://here");
    const from = searchParams.get("from");
    if (pathname === "/v1/checkpoints") {
      const firstNote = from === null ? Math.max(0, notes.length - NOTES_PAGE) : Number(from);
      const page = notes.slice(firstNote, firstNote + NOTES_PAGE).map((note) => ({ note, root: "", size: 0 }));
      const body = { anchoredCount, firstNote, key, signedCheckpoints: page };
      return { bytes: Buffer.from(JSON.stringify(body)), kind: "bytes" };
    }
    assert.equal(pathname, "/v1/records");
    const [at, limit] = [Number(from), Number(searchParams.get("limit"))];
    const some = lines.slice(at, Math.min(at + limit, Number(searchParams.get("to"))));
    const page = Buffer.from(`{"records":[${some.map((line) => Buffer.from(line).toString()).join(",")}]}`);
    const sent = some.length === 0 ? page : instead(page, at);
    return sent instanceof Uint8Array ? { bytes: sent, kind: "bytes", ...(lines.length > 0 && { head }) } : sent;
  };
};

const chainHash = (lines: readonly Uint8Array[]): string =>
  lines === LINES ? (HASHES.at(-1) ?? "") : (HASHES[lines.length - 1] ?? "0".repeat(64));

const NOTHING_SHOWN = { hashes: new Map<number, string>(), size: 0 };

const ended = (shown: Shown, key = VKEY, before = NOTHING_SHOWN, check = checkByPlatform): Promise<WalkEnd> =>
  walkService({
    ask: serviceOf(shown),
    check,
    key,
    onProgress: () => undefined,
    pause: async () => undefined,
    shown: before,
  });
const reported = async (...given: Parameters<typeof ended>): Promise<WalkReport> => {
  const end = await ended(...given);
  assert.ok(end.kind === "report", JSON.stringify(end));
  return end.report;
};
const places = ({ findings }: WalkReport): readonly string[] =>
  findings.map(({ seq, unprovenFrom, what }) => `${seq} ${what} ${unprovenFrom}`);
const altered = (seq: number): readonly Uint8Array[] =>
  LINES.with(
    seq,
    Buffer.from(
      Buffer.from(LINES[seq] ?? [])
        .toString()
        .replace(`record ${seq}`, `recorD ${seq}`),
    ),
  );

test("a service that holds is proven up to its newest checkpoint, under the key that was pasted", async () => {
  const report = await reported({});
  assert.deepEqual(places(report), []);
  const { checkpoints, checkpointsHeld, hash, heldTo, key, records, root, signatures } = report;
  assert.deepEqual(
    { checkpoints, checkpointsHeld, hash, heldTo, key, records, root, signatures },
    {
      checkpoints: 5,
      checkpointsHeld: 5,
      hash: HASHES.at(-1),
      heldTo: 1_200,
      key: { from: "person", name: ORIGIN },
      records: SIZE,
      root: treeRoot(HASHES),
      signatures: "checked",
    },
  );
  assert.equal((await reported({}, "")).key.from, "service");
});

test("an empty ledger holds", async () => {
  const report = await reported({ lines: [], notes: [noteOver([])] });
  assert.deepEqual([places(report), report.records, report.heldTo], [[], 0, 0]);
});

test("progress is told page by page, and a pause is waited for behind each", async () => {
  const told: string[] = [];
  const onProgress = (records: number, size: number, findings: number) => told.push(`${records}/${size} ${findings}`);
  const pause = async () => {
    await new Promise(setImmediate);
    told.push("paused");
  };
  await walkService({ ask: serviceOf({}), check: checkByPlatform, key: "", onProgress, pause, shown: NOTHING_SHOWN });
  assert.deepEqual(told, ["500/1203 0", "paused", "1000/1203 0", "paused", "1203/1203 0", "paused"]);
});

test("an altered record is named, and everything from it on is unproven", async () => {
  for (const seq of [0, 499, 500, 777, 1_199]) {
    const report = await reported({ lines: altered(seq), hash: HASHES.at(-1) ?? "" });
    assert.ok(
      report.findings.some((finding) => finding.seq === seq + 1 && finding.what === "broken-link"),
      `record ${seq}`,
    );
    const from = Math.min(...report.findings.map(({ unprovenFrom }) => unprovenFrom));
    assert.ok(from <= seq && report.heldTo <= seq, `record ${seq}`);
  }
  // Nothing stands behind the last one but the head and, where there is one, a checkpoint.
  const last = await reported({ lines: altered(SIZE - 1), hash: HASHES.at(-1) ?? "" });
  assert.deepEqual(places(last), [`${SIZE - 1} broken-link ${SIZE - 1}`]);
  assert.equal(last.heldTo, 1_200);
});

test("a ledger that was written anew is found by its checkpoints, whatever its links and its head are", async () => {
  const anew = chained(Array.from({ length: SIZE }, (_, n) => draft(n, n === 600 ? { body: { n: "another" } } : {})));
  const report = await reported({ hash: anew.at(-1)?.hash ?? "", lines: linesOf(anew) });
  assert.deepEqual(places(report), ["999 checkpoint-differs 500", "1199 checkpoint-differs 500"]);
});

test("a service that shows fewer records than a checkpoint covers, or than it showed before, is named", async () => {
  assert.deepEqual(places(await reported({ lines: LINES.slice(0, 1_100) })), ["1100 cut-short 1100"]);
  const shown = { hashes: new Map<number, string>(), size: SIZE + 1 };
  assert.deepEqual(places(await reported({}, VKEY, shown)), [`${SIZE} shorter-than-shown ${SIZE}`]);
});

test("a record that is another than was shown before is named", async () => {
  const hashes = new Map([
    [3, HASHES[3] ?? ""],
    [4, "f".repeat(64)],
  ]);
  assert.deepEqual(places(await reported({}, VKEY, { hashes, size: 5 })), ["4 shown-otherwise 4"]);
});

test("a page that is cut, short, too long or refused ends the walk where it is", async () => {
  const at = (from: number, change: (page: Uint8Array) => BytesRead | Uint8Array | Unheard) =>
    reported({ instead: (page, begins) => (begins === from ? change(page) : page) });
  assert.deepEqual(places(await at(500, (page) => page.subarray(0, 5_000))), [
    `${500 + divided(5_000)} answer-torn ${500 + divided(5_000)}`,
  ]);
  const short = await reported({ instead: (page, from) => (from === 500 ? Buffer.from('{"records":[]}') : page) });
  assert.deepEqual(places(short), ["500 answer-short 500"]);
  const doubled = await reported({
    instead: (page, from) => (from === 1_000 ? Buffer.from(`${Buffer.from(page).toString().slice(0, -2)},{}]}`) : page),
  });
  assert.ok(doubled.findings.some(({ what }) => what === "answer-long"));
  const refused = await at(500, () => Buffer.from('{"records":[],"error":{"domain":"ledger"}}'));
  assert.deepEqual(places(refused), ["500 service-refused 500"]);
  const lost = await at(500, () => ({ kind: "lost" }));
  assert.deepEqual([places(lost), lost.brokeOff, lost.records, lost.heldTo], [[], { kind: "lost" }, 500, 500]);
});

/** How many whole lines so many bytes of the second page hold. */
const divided = (bytes: number): number => {
  let [left, count] = [bytes - '{"records":['.length, 0];
  for (const line of LINES.slice(500)) {
    left -= line.length + 1;
    if (left < -1) return count;
    count += 1;
  }
  return count;
};

test("another key than the pasted one proves nothing, and neither does an altered note", async () => {
  const other = vkeyOf({ name: "another", publicKey: Buffer.alloc(32, 7) });
  const strange = await reported({}, other);
  assert.equal(strange.heldTo, 0);
  assert.deepEqual(
    strange.findings.map(({ what }) => what),
    ["key-differs", ...NOTES.map(() => "note-unproven")],
  );
  const forged = NOTES.with(3, (NOTES[3] ?? "").replace("\n1000\n", "\n1001\n"));
  assert.deepEqual(places(await reported({ notes: forged })), ["0 note-unproven 0"]);
  assert.deepEqual(await ended({}, "nonsense"), { flaw: { cause: "key-form", facts: {} }, kind: "key-bad" });
});

test("checkpoints that a service has and does not give are named", async () => {
  const newest = await reported({ anchoredCount: NOTES.length + 1 });
  assert.deepEqual(places(newest), ["0 notes-missing 0"]);
  assert.equal(newest.checkpointsHeld, NOTES.length);
  const none = await reported({ anchoredCount: NOTES.length, notes: [] });
  assert.deepEqual([places(none), none.heldTo], [["0 notes-missing 0"], 0]);
  const never = await reported({ notes: [] });
  assert.deepEqual([places(never), never.checkpointsHeld], [[], 0]);
});

test("where the platform checks no signatures, nothing counts as signed", async () => {
  const report = await reported({}, VKEY, NOTHING_SHOWN, async () => undefined);
  assert.deepEqual([report.signatures, report.heldTo, report.checkpointsMet], ["uncheckable", 0, 0]);
});

test("every byte of a note counts, and of a key", async () => {
  const note = noteOver(CHAIN.slice(0, 5));
  const key = readNoteKey(VKEY);
  assert.ok(key.kind === "key");
  assert.equal((await checkNote(note, key, checkByPlatform)).kind, "signed");
  const bytes = Buffer.from(note);
  for (let at = 0; at < bytes.length; at += 1) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    assert.equal((await checkNote(flipped.toString(), key, checkByPlatform)).kind, "bad", `byte ${at}`);
  }
  for (let at = 0; at < VKEY.length; at += 1) {
    const other = readNoteKey(VKEY.slice(0, at) + String.fromCharCode(VKEY.charCodeAt(at) ^ 1) + VKEY.slice(at + 1));
    assert.ok(other.kind === "bad" || (await checkNote(note, other, checkByPlatform)).kind === "bad", `byte ${at}`);
  }
});

test("a proof holds where our own reader takes it, for every record of trees of many sizes", async () => {
  for (const size of [1, 2, 3, 7, 8, 13])
    for (let seq = 0; seq < size; seq += 1) {
      const path = await subtreeRoots(inclusionRanges(seq, size), HASHES);
      const line = LINES[seq] ?? new Uint8Array();
      const proof = proofText({ line, note: noteOver(CHAIN.slice(0, size)), path, seq });
      assert.equal(readProof(proof, VKEY).kind, "proven");
      const seen = readProofFile(proof, seq);
      assert.ok(seen.kind === "proven");
      assert.deepEqual([seen.hash, seen.text, seen.size], [HASHES[seq], Buffer.from(line).toString(), size]);
      assert.equal(readProofFile(proof, seq + 1).kind, "bad", "it is of another record");
      if (path.length > 0) {
        const short = proofText({ line, note: noteOver(CHAIN.slice(0, size)), path: path.slice(1), seq });
        assert.equal(readProofFile(short, seq).kind, "bad");
      }
    }
});

test("every byte of a proof before its signatures counts", async () => {
  const size = 6;
  const path = await subtreeRoots(inclusionRanges(2, size), HASHES);
  const note = signCheckpoint({ origin: ORIGIN, root: treeRoot(HASHES.slice(0, size)), size }, SECRET_KEY);
  const proof = proofText({ line: LINES[2] ?? new Uint8Array(), note, path, seq: 2 });
  const [key, end] = [readNoteKey(VKEY), proof.length];
  assert.ok(key.kind === "key");
  for (let at = 0; at < end; at += 1) {
    const flipped = proof.slice(0, at) + String.fromCharCode(proof.charCodeAt(at) ^ 1) + proof.slice(at + 1);
    const seen = readProofFile(flipped, 2);
    const holds = seen.kind === "proven" && (await checkNote(seen.note, key, checkByPlatform)).kind === "signed";
    assert.ok(!holds, `character ${at}`);
  }
});
