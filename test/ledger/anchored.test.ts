// Which notes of an anchor have their signatures verified: all but those of a beginning that is known byte for byte.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { AnchorUnfit, noteBytes } from "../../src/ledger/anchor/anchor.ts";
import { hasRoots, readAnchor, readGrownPart } from "../../src/ledger/anchor/anchor-fit.ts";
import { EMPTY_FRONTIER, EMPTY_ROOT, grown } from "../../src/ledger/tree/merkle.ts";
import { NOTHING_KNOWN } from "../../src/ledger/verify/chain-state.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { SIGNER } from "./saved-state-desk.ts";

/** The first note does not hold, so that an anchor is read only when its signature is not asked for. */
const FORGED = SIGNER.sign({ root: sha256("one"), size: 1 }).replace("\n1\n", "\n3\n");
const FIRST = noteBytes(FORGED);
const WHOLE = Buffer.from(`${FORGED}\n${SIGNER.sign({ root: sha256("two"), size: 2 })}\n`);

/** How many notes were read; 0 when one of them was found not to hold. */
const read = (file: Buffer, bytes: number, digest = sha256(WHOLE.subarray(0, bytes).toString("utf8"))): number => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-anchored-"));
  try {
    writeFileSync(join(folder, "anchor"), file);
    const anchor = readAnchor(join(folder, "anchor"), SIGNER.vkey, { bytes, digest });
    if (anchor.kind === "anchor")
      assert.deepEqual(anchor.claim, {
        bytes: file.length,
        digest: sha256(file.toString("utf8")),
        first: sha256(FORGED),
        key: sha256(SIGNER.vkey),
      });
    return anchor.kind === "anchor" ? anchor.notes.length : 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

test("signatures of a beginning whose bytes are the known ones are not verified again", () => {
  assert.equal(read(WHOLE, WHOLE.length), 2);
  assert.equal(read(WHOLE, FIRST), 2);
});

test("every signature is verified that is not within a known beginning", () => {
  assert.equal(read(WHOLE, 0), 0);
  assert.equal(read(WHOLE, FIRST, sha256("another anchor")), 0);
  assert.equal(read(WHOLE, FIRST - 1), 0, "a part of a note is none");
  assert.equal(read(WHOLE.subarray(0, FIRST), WHOLE.length), 0, "an anchor that was cut is not the known one");
  const altered = Buffer.from(WHOLE);
  altered.write("A", FIRST - 10);
  assert.equal(read(altered, FIRST), 0);
});

test("the first note that does not hold is named by its number, and so is what follows the last", () => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-anchored-"));
  try {
    const path = join(folder, "anchor");
    const wrong = (text: string) => {
      writeFileSync(path, text);
      const anchor = readAnchor(path, SIGNER.vkey);
      return anchor.kind === "bad" ? [anchor.loss.cause, anchor.loss.facts["note"], anchor.notes.length] : anchor.kind;
    };
    const good = `${SIGNER.sign({ root: sha256("one"), size: 1 })}\n`;
    const bad = `${FORGED}\n`;
    assert.equal(wrong(good), "anchor");
    assert.deepEqual(wrong(`${bad}${good}`), ["signature-broken", 1, 1]);
    assert.deepEqual(wrong(`${good}${bad}${bad}`), ["signature-broken", 2, 1]);
    assert.deepEqual(wrong(`${good}${good}nonsense`), ["end-foreign", 3, 2]);
    assert.deepEqual(wrong(`${bad}nonsense`), ["signature-broken", 1, 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the root of no record is known to everybody, and no other is for it", () => {
  const known = { ...NOTHING_KNOWN, tree: grown(EMPTY_FRONTIER, sha256("a record")) };
  assert.ok(hasRoots(known, [{ origin: "dedalus", root: EMPTY_ROOT, size: 0 }]));
  assert.ok(!hasRoots(known, [{ origin: "dedalus", root: sha256("another"), size: 0 }]));
});

test("an anchor that is to be vouched for holds what was found and what was appended, every signature verified", () => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-anchored-"));
  try {
    const path = join(folder, "anchor");
    const [one, two, three] = ["one", "two", "six"].map(
      (name, at) => `${SIGNER.sign({ root: sha256(name), size: at })}\n`,
    );
    const partOf = (text: string) => ({ bytes: Buffer.byteLength(text), digest: sha256(text) });
    const found = partOf(`${one}`);
    const now = (text: string, end: string): object => {
      writeFileSync(path, text);
      return readGrownPart(path, SIGNER.vkey, found, partOf(end).bytes);
    };
    assert.deepEqual(now(`${one}${two}`, `${one}${two}`), partOf(`${one}${two}`));
    assert.deepEqual(now(`${one}${two}${three}`, `${one}${two}`), partOf(`${one}${two}${three}`), "others write too");
    assert.throws(() => now(`${one}`, `${one}${two}`), /notes-lost/, "what was appended is gone");
    assert.throws(() => now(`${two}${one}`, `${one}${two}`), /notes-lost/, "what was found is not its beginning");
    assert.throws(() => now(`${one}${two}`.replace("\n1\n", "\n2\n"), `${one}${two}`), AnchorUnfit, "an altered note");
    assert.throws(() => now("", ""), AnchorUnfit);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
