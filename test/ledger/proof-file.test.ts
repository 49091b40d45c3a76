// A proof as a file: it holds for its record alone, and a program of a stranger agrees.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { vkeyOf } from "../../src/ledger/tree/checkpoint.ts";
import { inclusionRanges, subtreeRoots } from "../../src/ledger/tree/merkle-proof.ts";
import { proofText, readProof } from "../../src/ledger/verify/proof-file.ts";
import { hasPython, runProgram, writeProgram } from "./documented.ts";
import { chain, noteOver, ORIGIN, VKEY } from "./drafts.ts";

const proofOf = async (seq: number, size: number): Promise<string> => {
  const sealed = chain(size);
  const leaves = sealed.map(({ hash }) => hash);
  const line = sealed[seq]?.line ?? new Uint8Array(0);
  return proofText({ line, note: noteOver(sealed), path: await subtreeRoots(inclusionRanges(seq, size), leaves), seq });
};

test("every record of every small tree is proven by its file", async () => {
  for (let size = 1; size <= 9; size += 1) {
    for (let seq = 0; seq < size; seq += 1) {
      const read = readProof(await proofOf(seq, size), VKEY);
      assert.ok(read.kind === "proven", JSON.stringify(read));
      assert.equal(read.record.seq, seq);
      assert.equal(read.checkpoint.size, size);
    }
  }
});

test("flipping any byte of a proof breaks it", async () => {
  const text = Buffer.from(await proofOf(3, 5));
  for (let at = 0; at < text.length; at += 1) {
    const copy = Buffer.from(text);
    copy[at] = (copy[at] ?? 0) ^ 0x01;
    assert.equal(readProof(copy.toString("utf8"), VKEY).kind, "bad", `byte ${at}`);
  }
});

test("a proof holds under the ledger's own key alone, and for its own place", async () => {
  const text = await proofOf(1, 2);
  const other = vkeyOf({ name: ORIGIN, publicKey: Buffer.alloc(32, 7) });
  assert.deepEqual(readProof(text, other), {
    failure: { cause: "unsigned", facts: { name: ORIGIN } },
    kind: "bad",
  });
  assert.deepEqual(readProof(text.replace("index 1", "index 0"), VKEY), {
    failure: { cause: "path-broken", facts: { seq: 0, size: 2 } },
    kind: "bad",
  });
  assert.equal(readProof("", VKEY).kind, "bad");
  assert.equal(readProof(text.slice(0, -1), VKEY).kind, "bad");
});

test("the program of docs/RECORDS.md takes what holds and turns down what does not", async (t) => {
  if (!hasPython()) return t.diagnostic("there is no python3 here");
  const folder = mkdtempSync(join(tmpdir(), "dedalus-proof-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "check.py");
  writeProgram("A proof", program);
  const check = (text: string, vkey = VKEY) => {
    writeFileSync(join(folder, "one.tlog-proof"), text);
    return runProgram(program, join(folder, "one.tlog-proof"), vkey);
  };
  for (const [seq, size] of [
    [0, 1],
    [3, 5],
    [4, 5],
    [6, 7],
  ] as const) {
    const { code, err, out } = check(await proofOf(seq, size));
    assert.equal(code, 0, err);
    assert.match(out, new RegExp(`^record ${seq} is in the ledger`));
  }
  const text = await proofOf(3, 5);
  assert.notEqual(check(text.replace("index 3", "index 2")).code, 0);
  assert.notEqual(check(text.replace(/\n5\n/, "\n6\n")).code, 0);
  assert.notEqual(check(text, vkeyOf({ name: ORIGIN, publicKey: Buffer.alloc(32, 7) })).code, 0);
});
