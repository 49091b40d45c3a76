// Checkpoints: signed statements of size and root, in the form of C2SP (signed-note, tlog-checkpoint), Ed25519.
//
//   origin, size, root in base64; an empty line; then — name base64(key id ‖ signature), one line per signature.
//
// Parsing is strict: one text, one meaning. Signatures of keys nobody asked about are kept and ignored, so that a
// witness may add its own. Not here: where keys and notes are kept (key-file.ts, anchor.ts).

import { createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";
import type { Sha256 } from "../../spine/model.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import type { NoteFailure, VkeyFailure } from "../failure.ts";
import { isSize } from "../record/record.ts";

export type Checkpoint = { readonly origin: string; readonly size: number; readonly root: Sha256 };

/** A checkpoint with the text that it was read from. */
export type SignedNote = { readonly checkpoint: Checkpoint; readonly note: string };

/** A key's name with the raw 32 bytes of its public half. */
export type Verifier = { readonly name: string; readonly publicKey: Uint8Array };

type Bad = { readonly kind: "bad"; readonly failure: NoteFailure };
const bad = (failure: NoteFailure): Bad => ({ failure, kind: "bad" });
type BadKey = { readonly kind: "bad"; readonly failure: VkeyFailure };
const badKey = (cause: VkeyFailure["cause"]): BadKey => ({ failure: { cause, facts: {} }, kind: "bad" });
const badAs = (cause: NoFactsCause): Bad => bad({ cause, facts: {} });
type NoFactsCause = Exclude<NoteFailure["cause"], "origin-differs" | "signature-broken" | "unsigned">;

const ED25519 = 0x01;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;

/** Bytes of a base64 text, or undefined when it is not the one text for them. */
const bytesOf = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
};

/** SHA-256(name ‖ 0x0A ‖ 0x01 ‖ key), the first four bytes. */
const keyIdOf = ({ name, publicKey }: Verifier): Buffer =>
  hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), Uint8Array.of(ED25519), publicKey]), "buffer").subarray(
    0,
    KEY_ID_BYTES,
  );

/** What C2SP asks of a key's name: something, without white space and without a plus. */
const isKeyName = (name: string): boolean => /^[^\s+\p{Cc}]+$/u.test(name) && name.isWellFormed();

/** The raw public half of an Ed25519 key, private or public. */
export const rawPublicKey = (key: KeyObject): Uint8Array => {
  const { crv, x = "" } = (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" });
  if (crv !== "Ed25519") throw new TypeError("a checkpoint is signed with Ed25519");
  return Buffer.from(x, "base64url");
};

/** The verifier as one text: name+id+key, as C2SP writes it. */
export const vkeyOf = (verifier: Verifier): string => {
  const key = Buffer.concat([Uint8Array.of(ED25519), verifier.publicKey]).toString("base64");
  return `${verifier.name}+${keyIdOf(verifier).toString("hex")}+${key}`;
};

export const parseVkey = (vkey: string): { readonly kind: "verifier"; readonly verifier: Verifier } | BadKey => {
  // Base64 may hold a plus itself, so that only the first two divide.
  const [, name, id, base64] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/s.exec(vkey) ?? [];
  if (name === undefined || id === undefined || base64 === undefined) return badKey("key-form");
  if (!isKeyName(name)) return badKey("key-name");
  const bytes = bytesOf(base64);
  if (bytes?.[0] !== ED25519 || bytes.length !== 1 + KEY_BYTES) return badKey("key-type");
  const verifier = { name, publicKey: bytes.subarray(1) };
  if (keyIdOf(verifier).toString("hex") !== id) return badKey("key-id");
  return { kind: "verifier", verifier };
};

const textOf = ({ origin, root, size }: Checkpoint): string =>
  `${origin}\n${size}\n${Buffer.from(root, "hex").toString("base64")}\n`;

/** The whole note. The key's name is the origin, as C2SP advises. */
export const signCheckpoint = (checkpoint: Checkpoint, key: KeyObject): string => {
  const { origin, root, size } = checkpoint;
  if (!isKeyName(origin) || !isSize(size) || !isSha256(root))
    throw new TypeError("a checkpoint has origin, size, root");
  const text = textOf(checkpoint);
  const id = keyIdOf({ name: origin, publicKey: rawPublicKey(key) });
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString("base64");
  return `${text}\n— ${origin} ${signature}\n`;
};

export type NoteSignature = { readonly name: string; readonly id: Uint8Array; readonly signature: Uint8Array };
export type Note = {
  readonly kind: "note";
  readonly checkpoint: Checkpoint;
  /** What is signed: up to and with the line feed before the empty line. */
  readonly text: string;
  /** All of them, unverified. */
  readonly signatures: readonly NoteSignature[];
};

const NOTE =
  /^((?<origin>[^\n]+)\n(?<size>0|[1-9]\d{0,15})\n(?<root>[A-Za-z0-9+/]{43}=)\n)\n(?<lines>(?:— [^ \n]+ [^ \n]+\n)+)$/u;
/** Control characters but the line feed; and what stands where bytes were no UTF-8. */
const FOREIGN = /(?!\n)\p{Cc}|\ufffd/u;

export const parseNote = (note: string): Note | Bad => {
  if (FOREIGN.test(note) || !note.isWellFormed()) return badAs("note-characters");
  const match = NOTE.exec(note);
  if (match?.groups === undefined) return badAs("note-form");
  const { groups, 1: text = "" } = match;
  const { lines = "", origin = "", root: base64 = "", size: digits } = groups;
  const size = Number(digits);
  const root = bytesOf(base64)?.toString("hex");
  if (!isSize(size) || !isSha256(root) || !isKeyName(origin)) return badAs("note-values");
  const signatures = lines.slice(0, -1).split("\n").map(signatureOf);
  return signatures.every((signature) => signature !== undefined)
    ? { checkpoint: { origin, root, size }, kind: "note", signatures, text }
    : badAs("note-signature-form");
};

const signatureOf = (line: string): NoteSignature | undefined => {
  const [, name = "", base64 = ""] = line.split(" ");
  const bytes = bytesOf(base64);
  if (bytes === undefined || bytes.length <= KEY_ID_BYTES || !isKeyName(name)) return undefined;
  return { id: bytes.subarray(0, KEY_ID_BYTES), name, signature: bytes.subarray(KEY_ID_BYTES) };
};

export type CheckpointRead = { readonly kind: "checkpoint"; readonly checkpoint: Checkpoint } | Bad;

/** The checkpoint of a note that this key has signed. Every signature in the key's name must hold. */
export const readCheckpoint = (note: string, vkey: string): CheckpointRead => {
  const key = parseVkey(vkey);
  if (key.kind === "bad") return key;
  const { verifier } = key;
  const parsed = parseNote(note);
  if (parsed.kind === "bad") return parsed;
  const { checkpoint, signatures, text } = parsed;
  const { name } = verifier;
  const { origin } = checkpoint;
  if (origin !== name) return bad({ cause: "origin-differs", facts: { name, origin } });
  const id = keyIdOf(verifier);
  const ours = signatures.filter((one) => one.name === name && id.equals(one.id));
  if (ours.length === 0) return bad({ cause: "unsigned", facts: { name } });
  return ours.every(({ signature }) => isSignature(text, signature, verifier.publicKey))
    ? { checkpoint, kind: "checkpoint" }
    : bad({ cause: "signature-broken", facts: { name } });
};

/** False for a signature of another length too. */
export const isSignature = (text: string, signature: Uint8Array, publicKey: Uint8Array): boolean => {
  const key = { crv: "Ed25519", kty: "OKP", x: Buffer.from(publicKey).toString("base64url") };
  return verify(null, Buffer.from(text), createPublicKey({ format: "jwk", key }), signature);
};
