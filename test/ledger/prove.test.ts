// Proofs: what each part of a file must be, what it proves of its record, and what is not handed out.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { leafHash } from "../../src/ledger/record/leaf.ts";
import type { Sealed } from "../../src/ledger/record/record.ts";
import { inclusionRanges, subtreeRoots } from "../../src/ledger/tree/merkle-proof.ts";
import { proofText, readProof } from "../../src/ledger/verify/proof-file.ts";
import { proveRecord } from "../../src/ledger/verify/prove.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { damagedBy } from "./damaged.ts";
import { chain, linesOf, treeRoot } from "./drafts.ts";
import { ledgersFor } from "./holding.ts";
import { SIGNER } from "./saved-state-desk.ts";

const ledgerOf = ledgersFor({ after });
const CHAIN = chain(5);
const LINES = linesOf(CHAIN);

/** The proof of the line at a place in a tree of any lines. */
const proofAt = async (lines: readonly Uint8Array[], seq: number): Promise<string> => {
  const [leaves, size] = [lines.map(leafHash), lines.length];
  const note = SIGNER.sign({ root: treeRoot(leaves), size });
  const path = await subtreeRoots(inclusionRanges(seq, size), leaves);
  return proofText({ line: lines[seq] ?? assert.fail(), note, path, seq });
};
const read = (text: string) => readProof(text, SIGNER.vkey);
const failure = (text: string) => {
  const proof = read(text);
  return proof.kind === "bad" ? proof.failure : proof.kind;
};

test("a proof whose parts are not of their form is none, and one whose parts are is judged by them", async () => {
  const text = await proofAt(LINES, 3);
  assert.equal(failure(text), "proven");
  const form = { cause: "proof-form", facts: { form: "c2sp.org/tlog-proof@v1" } };
  const [header = "", extra = "", index = "", first = "", second = "", ...rest] = text.split("\n");
  const with_ = (changes: Readonly<Record<number, string>>): string =>
    [header, extra, index, first, second, ...rest].map((line, at) => changes[at] ?? line).join("\n");
  /** The same bytes, written with bits that base64 leaves unused. */
  const loose = (base64: string): string => {
    const found = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const at = base64.search(/=*$/) - 1;
    return `${base64.slice(0, at)}${found[found.indexOf(base64[at] ?? "") + 1]}${base64.slice(at + 1)}`;
  };
  assert.deepEqual(Buffer.from(loose(first), "base64"), Buffer.from(first, "base64"));
  for (const other of [
    with_({ 2: "index 03" }),
    with_({ 2: "index 9999999999999999" }),
    with_({ 3: loose(first) }),
    with_({ 4: loose(second) }),
    with_({ 3: first.slice(1) }),
    with_({ 1: "extra AB==" }),
    with_({ 1: "extra " }),
    "",
  ])
    assert.deepEqual(failure(other), form, other);
  assert.deepEqual(failure(with_({ 2: "index 4" })), { cause: "path-broken", facts: { seq: 4, size: 5 } });
});

test("a line that is proven to be there and is no record, or another's, is not taken for the record", async () => {
  const nonsense = [...LINES.slice(0, 2), Buffer.from("nonsense"), ...LINES.slice(3)];
  assert.deepEqual(failure(await proofAt(nonsense, 2)), { cause: "not-an-object", facts: {} });
  const moved = LINES.toReversed();
  assert.deepEqual(failure(await proofAt(moved, 1)), { cause: "seq-differs", facts: { seq: 1, seqThere: 3 } });
  assert.equal(failure(await proofAt(moved, 2)), "proven");
});

const noteOver = (sealed: readonly Sealed[]) => {
  const checkpoint = { origin: SIGNER.origin, root: treeRoot(sealed.map(({ hash }) => hash)), size: sealed.length };
  return { checkpoint, note: SIGNER.sign(checkpoint) };
};

test("what is handed out holds the hash of the record, and what would not hold is not handed out", async () => {
  const engine = await ledgerOf(LINES);
  const proof = await proveRecord({ engine, notes: [noteOver(CHAIN)] }, SIGNER, 4);
  assert.equal(proof?.hash, CHAIN[4]?.hash);
  const torn = await ledgerOf(LINES.with(1, Buffer.from("nonsense")));
  await assert.rejects(proveRecord({ engine: torn, notes: [] }, SIGNER, 1), damagedBy(1, "not-an-object"));
  const { checkpoint, note } = noteOver(CHAIN.slice(0, 4));
  const wrong = { checkpoint: { ...checkpoint, root: sha256("another") }, note };
  const altered = await ledgerOf(linesOf([...chain(1), ...CHAIN.slice(1)]).with(0, LINES[1] ?? assert.fail()));
  await assert.rejects(proveRecord({ engine: altered, notes: [wrong] }, SIGNER, 2), damagedBy(2, "unprovable"));
});
