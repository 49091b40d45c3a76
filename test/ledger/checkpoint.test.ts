// Checkpoints: C2SP notes, strict to the last byte, and checkable with a stock openssl.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  parseNote,
  parseVkey,
  rawPublicKey,
  readCheckpoint,
  signCheckpoint,
  vkeyOf,
} from "../../src/ledger/tree/checkpoint.ts";
import type { Sha256 } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { chain, noteOver, ORIGIN, SECRET_KEY, VKEY } from "./drafts.ts";

const NOTE = noteOver(chain(3));
const isRefused = (note: string, vkey = VKEY): boolean => readCheckpoint(note, vkey).kind === "bad";
const withLines = (...lines: readonly string[]): string => NOTE + lines.map((line) => `${line}\n`).join("");

test("a signed checkpoint is read back under its key", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const checkpoint = { origin: "ledger.example/home", root: sha256("root"), size: 9_007_199_254_740_991 };
  const vkey = vkeyOf({ name: checkpoint.origin, publicKey: rawPublicKey(privateKey) });
  const note = signCheckpoint(checkpoint, privateKey);
  assert.deepEqual(readCheckpoint(note, vkey), { checkpoint, kind: "checkpoint" });
  assert.deepEqual(rawPublicKey(createPublicKey(privateKey)), rawPublicKey(privateKey));
  assert.ok(isRefused(note), "another key");
});

test("every single byte of a note matters", () => {
  const bytes = Buffer.from(NOTE);
  for (let at = 0; at < bytes.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
      assert.ok(isRefused(flipped.toString("utf8")), `bit ${bit} of byte ${at}`);
    }
    assert.ok(isRefused(bytes.subarray(0, at).toString("utf8")), `cut at ${at}`);
  }
});

test("every single byte of a verification key matters", () => {
  const bytes = Buffer.from(VKEY);
  for (let at = 0; at < bytes.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
      assert.equal(parseVkey(flipped.toString("utf8")).kind, "bad", `bit ${bit} of byte ${at}`);
    }
  }
  assert.equal(parseVkey(VKEY).kind, "verifier");
});

test("signatures of others are kept and ignored", () => {
  const witness = `— witness.example/w ${Buffer.alloc(76, 7).toString("base64")}`;
  const note = withLines(witness);
  assert.equal(readCheckpoint(note, VKEY).kind, "checkpoint");
  const parsed = parseNote(note);
  assert.ok(parsed.kind === "note");
  assert.deepEqual(
    parsed.signatures.map(({ name }) => name),
    [ORIGIN, "witness.example/w"],
  );
  const [text = "", ours = ""] = NOTE.split(/(?<=\n)\n/);
  assert.equal(readCheckpoint(`${text}\n${witness}\n${ours}`, VKEY).kind, "checkpoint");
  assert.ok(isRefused(`${text}\n${witness}\n`), "signed by the witness alone");
});

test("a second signature in the key's own name must hold too", () => {
  const [, line = ""] = NOTE.split("\n\n");
  const bytes = Buffer.from(line.trimEnd().split(" ").at(-1) ?? "", "base64");
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  assert.ok(isRefused(withLines(`— ${ORIGIN} ${bytes.toString("base64")}`)));
  assert.equal(readCheckpoint(withLines(line.trimEnd()), VKEY).kind, "checkpoint");
});

test("a note has one form", () => {
  const [text = "", ours = ""] = NOTE.split(/(?<=\n)\n/);
  const [origin = "", size = "", root = ""] = text.split("\n");
  const signed = (head: string): string => `${head}\n${ours}`;
  assert.equal(parseNote(signed(`${origin}\n${size}\n${root}\n`)).kind, "note");
  const others = [
    signed(`${origin}\n0${size}\n${root}\n`),
    signed(`${origin}\n-1\n${root}\n`),
    signed(`${origin}\n9007199254740992\n${root}\n`),
    signed(`${origin}\n${size}\n${root}\nan extension\n`),
    signed(`${origin} \n${size}\n${root}\n`),
    signed(`a+b\n${size}\n${root}\n`),
    signed(`\n${size}\n${root}\n`),
    signed(`${origin}\n${size}\n${root.replace("=", "")}\n`),
    signed(`${origin}\r\n${size}\n${root}\n`),
    text,
    `${text}\n`,
    `${NOTE}\n`,
    NOTE.trimEnd(),
    withLines("— x"),
    withLines("— x AAAA"), // no byte after the key id
    withLines("- x AAAAAAAA"),
    withLines("— x y AAAAAAAA"),
    withLines("— x AAAAAAA"),
    withLines("— x\ufffd AAAAAAAA"), // what stands where bytes were no UTF-8
    NOTE.replace(origin, `${origin}\ufffd`),
    `\ufeff${NOTE}`,
  ];
  for (const note of others) assert.ok(isRefused(note), JSON.stringify(note));
});

test("what is wrong with a note or a key is told by its cause", () => {
  const [text = "", ours = ""] = NOTE.split(/(?<=\n)\n/);
  const [origin = "", size = "", root = ""] = text.split("\n");
  const cause = (note: string): string => {
    const parsed = parseNote(note);
    return parsed.kind === "bad" ? parsed.failure.cause : parsed.kind;
  };
  const signed = (head: string): string => cause(`${head}\n${ours}`);
  assert.equal(cause(NOTE), "note");
  assert.equal(signed(`a+b\n${size}\n${root}\n`), "note-values");
  assert.equal(signed(`${origin}\n9007199254740992\n${root}\n`), "note-values");
  assert.equal(signed(`${origin}\n${size}\n${"A".repeat(42)}B=\n`), "note-values", "not the one text of its bytes");
  assert.equal(signed(`${origin}\n0${size}\n${root}\n`), "note-form");
  assert.equal(signed(`${origin}\u0000\n${size}\n${root}\n`), "note-characters");
  assert.equal(signed(`${origin}\ud800\n${size}\n${root}\n`), "note-characters");
  assert.equal(cause(withLines("— x AAAAAA==")), "note-signature-form", "a key id alone");
  assert.equal(cause(withLines("— x AAAAAAA=")), "note", "one byte more");
  assert.equal(cause(withLines("— x AAAAAAB=")), "note-signature-form");
  const keyCause = (vkey: string): string => {
    const parsed = parseVkey(vkey);
    return parsed.kind === "bad" ? parsed.failure.cause : parsed.kind;
  };
  const keyOf = (name: string, bytes = 32): string => keyCause(vkeyOf({ name, publicKey: Buffer.alloc(bytes, 7) }));
  assert.equal(keyOf("x"), "verifier");
  assert.equal(keyOf("two words"), "key-name");
  assert.equal(keyOf("half\ud800"), "key-name");
  assert.deepEqual([keyOf("x", 31), keyOf("x", 33)], ["key-type", "key-type"]);
  assert.equal(keyCause(VKEY.replace("+", "")), "key-form");
  assert.equal(keyCause(`${VKEY}AAAA`), "key-type");
});

test("a signature is the key's by its name and its id together, and of one length", () => {
  const [, line = ""] = NOTE.split("\n\n");
  const bytes = Buffer.from(line.trimEnd().split(" ").at(-1) ?? "", "base64");
  const other = Buffer.from(bytes).fill(7, 4);
  assert.equal(
    readCheckpoint(withLines(`— ${ORIGIN} ${Buffer.alloc(68, 7).toString("base64")}`), VKEY).kind,
    "checkpoint",
  );
  assert.equal(readCheckpoint(withLines(`— other ${other.toString("base64")}`), VKEY).kind, "checkpoint");
  assert.ok(isRefused(withLines(`— ${ORIGIN} ${other.toString("base64")}`)));
  for (const length of [5, 67, 69]) {
    const cut = Buffer.alloc(length);
    bytes.copy(cut);
    assert.ok(isRefused(withLines(`— ${ORIGIN} ${cut.toString("base64")}`)), String(length));
  }
});

test("a key speaks for the origin of its own name alone", () => {
  const [text = "", line = ""] = NOTE.split(/(?<=\n)\n/);
  const signedAs = (origin: string): string => {
    const other = text.replace(ORIGIN, origin);
    const id = Buffer.from(line.trimEnd().split(" ").at(-1) ?? "", "base64").subarray(0, 4);
    return `${other}\n— ${ORIGIN} ${Buffer.concat([id, sign(null, Buffer.from(other), SECRET_KEY)]).toString("base64")}\n`;
  };
  assert.equal(readCheckpoint(signedAs(ORIGIN), VKEY).kind, "checkpoint");
  assert.ok(isRefused(signedAs("another.example/home")));
});

test("only a whole checkpoint is signed, and only with Ed25519", () => {
  const whole = { origin: ORIGIN, root: sha256("root"), size: 1 };
  assert.throws(() => signCheckpoint({ ...whole, origin: "two words" }, SECRET_KEY), TypeError);
  assert.throws(() => signCheckpoint({ ...whole, origin: "half\ud800" }, SECRET_KEY), TypeError);
  assert.throws(() => signCheckpoint({ ...whole, size: -1 }, SECRET_KEY), TypeError);
  assert.throws(() => signCheckpoint({ ...whole, root: "no hash" as Sha256 }, SECRET_KEY), TypeError);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  assert.throws(() => signCheckpoint(whole, privateKey), TypeError);
});

/** Node carries an OpenSSL of its own; the command is somebody else's word on the same bytes. */
const HAS_OPENSSL = spawnSync("openssl", ["version"]).status === 0;

test("a stock openssl verifies a checkpoint, and refuses it with one byte flipped", (t) => {
  if (!HAS_OPENSSL) t.diagnostic("NOT SHOWN by the command, there is no openssl here; shown by Node's own OpenSSL");
  const folder = mkdtempSync(join(tmpdir(), "dedalus-checkpoint-"));
  try {
    const parsed = parseNote(NOTE);
    assert.ok(parsed.kind === "note");
    const file = (name: string, bytes: string | Uint8Array): string => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    };
    const key = file("key.pem", createPublicKey(SECRET_KEY).export({ format: "pem", type: "spki" }));
    const signature = file("signature", parsed.signatures[0]?.signature ?? "");
    const byCommand = (text: Buffer): boolean => {
      const signed = ["-in", file("text", text), "-sigfile", signature];
      const { status } = spawnSync("openssl", ["pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", key, ...signed]);
      return status === 0;
    };
    const byNode = (text: Buffer): boolean => verify(null, text, readFileSync(key), readFileSync(signature));
    const text = Buffer.from(parsed.text);
    const flipped = Buffer.from(text);
    flipped[3] = (flipped[3] ?? 0) ^ 1;
    for (const verified of HAS_OPENSSL ? [byCommand, byNode] : [byNode]) {
      assert.equal(verified(text), true);
      assert.equal(verified(flipped), false);
    }
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
});
