// A signed statement of size and root (C2SP signed-note and tlog-checkpoint), and the key that it is checked with.
//
// Strict: one text, one meaning. Signatures of other keys are left alone; of this key every one must hold, and there
// must be one. The platform checks Ed25519, which is asked for and answers later. Not here: the tree (grown-tree.ts).

import { sha256 } from "@noble/hashes/sha2.js";
import type { FlawSeen } from "../../boundary/contract/seen-flaw.ts";
import { base64Bytes, hexOf, sameBytes } from "./byte-texts.ts";
import type { RootAt } from "./chain-walk.ts";

const ED25519 = 0x01;
const KEY_BYTES = 32;
const ID_BYTES = 4;

export type NoteKey = {
  readonly id: Uint8Array;
  readonly kind: "key";
  readonly name: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
};
export type NoteBad = { readonly flaw: FlawSeen; readonly kind: "bad" };

const bad = (flaw: FlawSeen): NoteBad => ({ flaw, kind: "bad" });
type Plain =
  | "key-form"
  | "key-id"
  | "key-name"
  | "key-type"
  | "note-characters"
  | "note-form"
  | "note-signature-form"
  | "note-values";
const badAs = (cause: Plain): NoteBad => bad({ cause, facts: {} });

const isName = (name: string): boolean => /^[^\s+\p{Cc}]+$/u.test(name) && name.isWellFormed();

const keyId = (name: string, publicKey: Uint8Array): Uint8Array => {
  const head = new TextEncoder().encode(`${name}\n`);
  const bytes = new Uint8Array(head.length + 1 + publicKey.length);
  bytes.set(head);
  bytes[head.length] = ED25519;
  bytes.set(publicKey, head.length + 1);
  return sha256(bytes).subarray(0, ID_BYTES);
};

/** name+id+key, as C2SP writes it and `dedalus` prints it. */
export const readNoteKey = (vkey: string): NoteBad | NoteKey => {
  // Base64 may hold a plus itself, so that only the first two divide.
  const [, name, id, base64] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/s.exec(vkey) ?? [];
  if (name === undefined || base64 === undefined) return badAs("key-form");
  if (!isName(name)) return badAs("key-name");
  const bytes = base64Bytes(base64);
  if (bytes?.[0] !== ED25519 || bytes.length !== 1 + KEY_BYTES) return badAs("key-type");
  const publicKey = bytes.slice(1);
  const own = keyId(name, publicKey);
  return hexOf(own) === id ? { id: own, kind: "key", name, publicKey } : badAs("key-id");
};

type NoteSigned = { readonly id: Uint8Array; readonly name: string; readonly signature: Uint8Array<ArrayBuffer> };
export type NoteRead = RootAt & {
  readonly kind: "note";
  readonly origin: string;
  readonly signatures: readonly NoteSigned[];
  /** What is signed. */
  readonly text: string;
};

const NOTE =
  /^((?<origin>[^\n]+)\n(?<size>0|[1-9]\d{0,15})\n(?<root>[A-Za-z0-9+/]{43}=)\n)\n(?<lines>(?:— [^ \n]+ [^ \n]+\n)+)$/u;
/** Control characters but the line feed; and what stands where bytes were no UTF-8. */
const FOREIGN = /(?!\n)\p{Cc}|\ufffd/u;

export const readNote = (note: string): NoteBad | NoteRead => {
  if (FOREIGN.test(note) || !note.isWellFormed()) return badAs("note-characters");
  const found = NOTE.exec(note);
  const { lines = "", origin = "", root: base64 = "", size: digits } = found?.groups ?? {};
  if (found === null) return badAs("note-form");
  const [size, root] = [Number(digits), base64Bytes(base64)];
  if (!Number.isSafeInteger(size) || root === undefined || !isName(origin)) return badAs("note-values");
  const signatures = lines.slice(0, -1).split("\n").map(signatureIn);
  return signatures.every((one) => one !== undefined)
    ? { kind: "note", origin, root: hexOf(root), signatures, size, text: found[1] ?? "" }
    : badAs("note-signature-form");
};

const signatureIn = (line: string): NoteSigned | undefined => {
  const [, name = "", base64 = ""] = line.split(" ");
  const bytes = base64Bytes(base64);
  if (bytes === undefined || bytes.length <= ID_BYTES || !isName(name)) return undefined;
  return { id: bytes.subarray(0, ID_BYTES), name, signature: bytes.subarray(ID_BYTES) };
};

/** Whether a signature over a text is of the key; undefined on a platform that cannot tell. */
export type CheckSignature = (
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  text: Uint8Array<ArrayBuffer>,
) => Promise<boolean | undefined>;

export const checkByPlatform: CheckSignature = async (publicKey, signature, text) => {
  let key: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
  try {
    key = await crypto.subtle.importKey("raw", publicKey, { name: "Ed25519" }, false, ["verify"]);
  } catch {
    return undefined;
  }
  return crypto.subtle.verify({ name: "Ed25519" }, key, signature, text);
};

export type NoteChecked =
  | NoteBad
  | { readonly kind: "signed"; readonly note: NoteRead }
  | { readonly kind: "uncheckable" };

export const checkNote = async (text: string, key: NoteKey, check: CheckSignature): Promise<NoteChecked> => {
  const note = readNote(text);
  if (note.kind === "bad") return note;
  const { name } = key;
  if (note.origin !== name) return bad({ cause: "origin-differs", facts: { name, origin: note.origin } });
  const ours = note.signatures.filter((one) => one.name === name && sameBytes(one.id, key.id));
  if (ours.length === 0) return bad({ cause: "unsigned", facts: { name } });
  const signed = new TextEncoder().encode(note.text);
  const held = await Promise.all(ours.map(({ signature }) => check(key.publicKey, signature, signed)));
  if (held.includes(undefined)) return { kind: "uncheckable" };
  return held.every((one) => one === true)
    ? { kind: "signed", note }
    : bad({ cause: "signature-broken", facts: { name } });
};
