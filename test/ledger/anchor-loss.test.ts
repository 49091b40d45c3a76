// What is missing of an anchor, from what was found and what is known: every condition alone.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { noteText } from "../../src/ledger/anchor/anchor.ts";
import { type AnchorClaim, anchorClaimOf, claimsReader, keyDigest } from "../../src/ledger/anchor/anchor-claim.ts";
import { type AnchorRead, readAnchor } from "../../src/ledger/anchor/anchor-fit.ts";
import { anchorLoss, type LossGrounds } from "../../src/ledger/anchor/anchor-loss.ts";
import { GENESIS } from "../../src/ledger/record/record.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { counting } from "./counting.ts";
import { nextUlid } from "./lines.ts";
import { SIGNER } from "./saved-state-desk.ts";

const note = (size: number): string => SIGNER.sign({ root: sha256(`${size}`), size });
const fileOf = (...sizes: readonly number[]): string => sizes.map((size) => noteText(note(size))).join("");

const read = (text: string): AnchorRead => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-loss-"));
  try {
    writeFileSync(join(folder, "anchor"), text);
    return readAnchor(join(folder, "anchor"), SIGNER.vkey);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const claim = (...sizes: readonly number[]): AnchorClaim => {
  const found = read(fileOf(...sizes));
  assert.ok(found.kind === "anchor");
  return found.claim;
};

type Known = Partial<Omit<LossGrounds, "claims">> & {
  readonly begins?: readonly number[];
  readonly named?: readonly AnchorClaim[];
};
const codeOf = (text: string, { begins = [0], named = [], ...known }: Known = {}): string | undefined => {
  const claims = { begins: new Set(begins), named: named.map((one) => ({ ...one, seq: 7 })) };
  const key = keyDigest(SIGNER.vkey);
  return anchorLoss(read(text), { claims, isWhole: true, key, part: undefined, size: 9, ...known })?.code;
};

test("an anchor without a note is lost where there are records, or a saved state that knew one", () => {
  assert.equal(codeOf(""), "anchor-empty");
  assert.equal(codeOf("", { size: 0 }), undefined);
  assert.equal(codeOf("", { part: claim(0), size: 0 }), "anchor-empty");
});

test("an instance that no record names has joined nothing, and one that is named has lost its anchor", () => {
  const named = [claim(0)];
  const key = keyDigest("another");
  assert.equal(codeOf("", { named }), "anchor-empty");
  assert.equal(codeOf("", { key, named }), "anchor-unjoined");
  assert.equal(codeOf("", { key, named: [] }), "anchor-empty", "nobody names any");
  assert.equal(codeOf("", { isWhole: false, key, named }), "anchor-empty", "a record before may name it");
  assert.equal(codeOf("", { key, named, part: claim(0) }), "anchor-empty", "its saved state knew one");
  assert.equal(codeOf("", { key, named, size: 0 }), undefined);
});

test("an anchor must begin with the bytes that a saved state knows of it, and may go on", () => {
  assert.equal(codeOf(fileOf(0, 3, 5), { part: claim(0, 3) }), undefined);
  assert.equal(codeOf(fileOf(0, 3), { part: claim(0, 3) }), undefined);
  assert.equal(codeOf(fileOf(0), { part: claim(0, 3) }), "anchor-shortened");
  assert.equal(codeOf(fileOf(0, 5, 6), { part: claim(0, 3) }), "anchor-shortened", "one in the middle is missing");
});

test("an anchor must begin with the bytes that a record names of it, and may go on", () => {
  assert.equal(codeOf(fileOf(0, 3, 5), { named: [claim(0, 3)] }), undefined);
  assert.equal(codeOf(fileOf(0), { named: [claim(0, 3)] }), "anchor-shortened");
  assert.equal(codeOf(fileOf(0, 5, 6), { named: [claim(0, 3)] }), "anchor-shortened");
  // The saved state may be older than the record.
  assert.equal(codeOf(fileOf(0, 3), { named: [claim(0, 3, 5)], part: claim(0) }), "anchor-shortened");
});

test("an anchor that nobody has named begins at no record, or where one was made anew", () => {
  const named = [claim(0, 3)];
  assert.equal(codeOf(fileOf(3, 5), { named }), "anchor-shortened");
  assert.equal(codeOf(fileOf(4, 5), { begins: [0, 4], named }), undefined, "another instance's");
  assert.equal(codeOf(fileOf(5), { begins: [0, 4], named }), "anchor-shortened");
  assert.equal(codeOf(fileOf(3, 5)), undefined, "records of before name none");
  assert.equal(codeOf(fileOf(3, 5), { named, part: claim(3) }), undefined, "its saved state knows it");
  assert.equal(codeOf(fileOf(3, 5), { isWhole: false, named }), undefined, "the records before were not read");
});

test("several instances on one ledger are each held against their own anchor", () => {
  const named = [claim(0, 3, 6), claim(4, 5)];
  assert.equal(codeOf(fileOf(0, 3, 6), { begins: [0, 4], named }), undefined);
  assert.equal(codeOf(fileOf(4, 5, 7), { begins: [0, 4], named }), undefined);
  assert.equal(codeOf(fileOf(4), { begins: [0, 4], named }), "anchor-shortened");
});

/** A line with this kind and body, as the kernel would write one. */
const line = (kind: string, body: Record<string, never> | object): Uint8Array => {
  const asked = { caller: "alice", key: nextUlid(), note: "n" };
  const { draft } = counting.decide(0, asked, undefined);
  return seal({ ...draft, body: body as Record<string, never>, kind }, { prev: GENESIS, seq: 0 }).line;
};

test("what records say of anchors is taken from those that say it, and from no other", () => {
  const taken = (...lines: readonly Uint8Array[]) => {
    const reader = claimsReader();
    for (const one of lines) reader.take(one);
    const { begins, named } = reader.claims();
    return [[...begins], named.map(({ bytes }) => bytes)];
  };
  const anchor = anchorClaimOf(note(0), SIGNER.vkey);
  const longer = claim(0, 3);
  assert.deepEqual(taken(line("start", { request: { anchor } })), [[0], [anchor.bytes]]);
  assert.deepEqual(
    taken(line("start", { request: { anchor } }), line("start", { request: { anchor: longer } })),
    [[0], [longer.bytes]],
    "the last one of an anchor",
  );
  assert.deepEqual(taken(line("annotate", { request: { anchor } })), [[0], []]);
  assert.deepEqual(taken(line("start", { request: { anchor: { ...anchor, digest: "none" } } })), [[0], []]);
  assert.deepEqual(taken(line("start", { request: { anchor: { ...anchor, first: "none" } } })), [[0], []]);
  assert.deepEqual(taken(line("start", { request: { anchor: { ...anchor, bytes: -1 } } })), [[0], []]);
  assert.deepEqual(taken(line("start", { request: { anchor: { ...anchor, key: "none" } } })), [[0], []]);
  assert.deepEqual(taken(line("start", { request: {} })), [[0], []]);
  assert.deepEqual(taken(line("ledger.re-anchor", { result: { kind: "done" } })), [[0, 1], []]);
  assert.deepEqual(taken(line("ledger.restore", { result: { kind: "done" } })), [[0, 1], []]);
  assert.deepEqual(
    taken(line("start", { request: { anchor }, result: { kind: "done" } })),
    [[0], [anchor.bytes]],
    "a start begins no anchor",
  );
  for (const none of [null, "x", 1, undefined])
    assert.deepEqual(taken(line("start", { other: { anchor }, request: { anchor: none } })), [[0], []]);
  assert.deepEqual(taken(line("start", { other: { anchor } })), [[0], []]);
  assert.deepEqual(
    taken(line("ledger.re-anchor", { result: { kind: "refused" } })),
    [[0], []],
    "a refused one began nothing",
  );
  const reader = claimsReader();
  reader.take(Buffer.from('"anchor":{"bytes": what is no record'));
  assert.deepEqual(reader.claims().named, []);
});
