// The published vectors, made by another implementation in another language: our code gives the same bytes and hashes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { leafHash } from "../../src/ledger/record/leaf.ts";
import { readRecord } from "../../src/ledger/record/read-record.ts";
import { GENESIS } from "../../src/ledger/record/record.ts";
import { assertLinked, recordHash, seal } from "../../src/ledger/record/seal.ts";
import { readCheckpoint, signCheckpoint } from "../../src/ledger/tree/checkpoint.ts";
import { EMPTY_FRONTIER, grown, rootOf } from "../../src/ledger/tree/merkle.ts";
import {
  consistencyRanges,
  inclusionRanges,
  provesConsistency,
  provesInclusion,
  subtreeRoots,
} from "../../src/ledger/tree/merkle-proof.ts";
import { verifyLines } from "../../src/ledger/verify/verify.ts";
import type { Sha256 } from "../../src/spine/model.ts";
import { isSha256 } from "../../src/spine/values/hash.ts";
import { SECRET_KEY, VKEY } from "./drafts.ts";
import checkpoint from "./vectors/checkpoint.json" with { type: "json" };
import records from "./vectors/records.json" with { type: "json" };
import trees from "./vectors/tree.json" with { type: "json" };

const earned = (text: string | undefined): Sha256 => {
  assert.ok(isSha256(text));
  return text;
};

test("the published records have their published bytes and hashes, read and sealed", () => {
  assert.equal(records.genesis, GENESIS);
  let tail = { hash: GENESIS, size: 0 };
  for (const { bytes, hash, line: text } of records.records) {
    const line = Buffer.from(text, "utf8");
    assert.equal(line.length, bytes);
    assert.equal(recordHash(line), hash);
    const read = readRecord(line);
    assert.ok(read.kind === "record", text);
    const sealed = seal(read.record, { prev: tail.hash, seq: tail.size });
    assert.equal(Buffer.from(sealed.line).toString("utf8"), text);
    assertLinked(tail, sealed);
    tail = { hash: sealed.hash, size: tail.size + 1 };
  }
});

for (const [name, tree] of Object.entries({ records: trees.records, "well-known": trees.wellKnown })) {
  test(`the published ${name} tree has its roots and proofs`, async () => {
    const leaves = tree.leaves.map(earned);
    const roots = tree.roots.map(earned);
    leaves.reduce((frontier, leaf, at) => {
      assert.equal(rootOf(frontier), roots[at]);
      return grown(frontier, leaf);
    }, EMPTY_FRONTIER);
    assert.equal(rootOf(leaves.reduce(grown, EMPTY_FRONTIER)), roots.at(-1));
    for (const { proof, seq, size } of tree.inclusion) {
      assert.deepEqual(await subtreeRoots(inclusionRanges(seq, size), leaves), proof);
      const claim = { leaf: earned(leaves[seq]), proof: proof.map(earned), root: earned(roots[size]), seq, size };
      assert.ok(provesInclusion(claim));
    }
    for (const { older, proof, size } of tree.consistency) {
      assert.deepEqual(await subtreeRoots(consistencyRanges(older, size), leaves), proof);
      const [before, after] = [
        { root: earned(roots[older]), size: older },
        { root: earned(roots[size]), size },
      ];
      assert.ok(provesConsistency({ newer: after, older: before, proof: proof.map(earned) }));
    }
  });
}

test("the leaves of the well-known tree are those of its inputs", () => {
  assert.deepEqual(
    trees.wellKnown.inputs.map((hex) => leafHash(Buffer.from(hex, "hex"))),
    trees.wellKnown.leaves,
  );
  assert.equal(trees.wellKnown.roots.at(-1), "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");
});

test("the published checkpoint is signed, read and met as published", async () => {
  const { note, origin, size } = checkpoint;
  const root = earned(checkpoint.root);
  assert.equal(VKEY, checkpoint.vkey);
  assert.equal(signCheckpoint({ origin, root, size }, SECRET_KEY), note);
  assert.deepEqual(readCheckpoint(note, checkpoint.vkey), { checkpoint: { origin, root, size }, kind: "checkpoint" });
  const lines = records.records.map(({ line }) => Buffer.from(line, "utf8"));
  const result = await verifyLines(lines, { checkpoints: [{ origin, root, size }], mode: "full" });
  assert.deepEqual({ count: result.findingsCount, met: result.checkpointsMet }, { count: 0, met: 1 });
});

test("docs/RECORDS.md shows the published vectors", () => {
  const text = readFileSync(new URL("../../docs/RECORDS.md", import.meta.url), "utf8");
  for (const shown of [checkpoint.note, checkpoint.root, checkpoint.vkey, ...records.records.map(({ hash }) => hash)]) {
    assert.ok(text.includes(shown), shown);
  }
});
