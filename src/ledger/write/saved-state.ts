// Saved states: a state of the fold and where the ledger stood then, in a file beside it, so that a start folds only
// the rest.
//
// Three lines: the head, the head's signature, the state. Nothing in it is believed on its own word: the signature must
// be of the installation's key, the state must have the head's digest, and the ledger must still hold the line that the
// head ends with; whatever does not fit is left alone and said, and everything is folded. docs/RECORDS.md says what
// that proves and what only a whole walk does. A crash while one is written leaves the one before. keeps G1

import { hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { Sha256 } from "../../spine/model.ts";
import type { Json } from "../../spine/values/canonical.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import type { Engine } from "../engine.ts";
import type { SavedStateRemark } from "../failure.ts";
import { makeOwn, makeOwnFolder } from "../files/own-file.ts";
import { assertPlainAt, readPlainBytes } from "../files/plain-file.ts";
import { isInstant } from "../record/envelope.ts";
import { isSize } from "../record/record.ts";
import { recordHash } from "../record/seal.ts";
import { isFrontier } from "../tree/merkle.ts";
import { isSignedText, type Signer } from "../tree/signer.ts";
import type { AnchorPart, KnownChain, Root } from "../verify/chain-state.ts";
import { readLineAt } from "../verify/line-at.ts";

const FORMAT = 1;
const USE = "a saved state of dedalus";

/** How a state becomes JSON and comes back. */
export type Codec<S> = {
  /** Changes whenever the same records would fold to another state, or the state be written otherwise. */
  readonly code: string;
  readonly toJson: (state: S) => Json;
  readonly fromJson: (json: Json) => S;
};

export type SavedState<S> = KnownChain & { readonly state: S };

/** Why there is none that can be used; a file that is not there says nothing. */
export type NoSavedState = {
  readonly kind: "none";
  readonly remark?: SavedStateRemark;
  /** Set when it was signed with the ledger's key, and the ledger does not hold the line that it ends with any more. */
  readonly signed?: KnownChain;
};
const none = (remark: SavedStateRemark): NoSavedState => ({ kind: "none", remark });

/** One that fits, by what is known from its head. */
export type KnownSavedState = { readonly kind: "known"; readonly known: KnownChain };
/** One that fits, with its state. */
export type SavedStateRead<S> = {
  readonly kind: "saved";
  readonly bytes: number;
  readonly saved: SavedState<S>;
};

type Head = KnownChain & { readonly code: string; readonly digest: Sha256; readonly format: number };

const headText = ({ anchor, code, digest, floor = null, format, hash: last, roots, tree }: HeadOf): string =>
  JSON.stringify({ anchor, code, digest, floor, format, hash: last, peaks: tree.peaks, roots, size: tree.size });
type HeadOf = Omit<Head, "anchor" | "floor"> & {
  readonly anchor: AnchorPart | null;
  readonly floor?: Head["floor"] | null;
};

const isRoot = (value: unknown): value is Root =>
  typeof value === "object" &&
  value !== null &&
  "root" in value &&
  "size" in value &&
  isSha256(value.root) &&
  isSize(value.size);

const isAnchorPart = (value: unknown): value is AnchorPart =>
  typeof value === "object" &&
  value !== null &&
  "bytes" in value &&
  "digest" in value &&
  isSize(value.bytes) &&
  isSha256(value.digest);

/** Of a text whose signature holds: it is our own, and its parts are asked all the same. */
const headIn = (text: string): Head | undefined => {
  const value: { readonly [key: string]: unknown } = JSON.parse(text);
  const { anchor, code, digest, floor, format, hash: last, peaks, roots, size } = value;
  const tree = { peaks, size };
  const isWhole =
    typeof code === "string" && isSha256(digest) && isSha256(last) && isFrontier(tree) && Array.isArray(roots);
  if (!isWhole || !roots.every(isRoot) || (floor !== null && !isInstant(floor)) || !isSize(format)) return undefined;
  if (anchor !== null && !isAnchorPart(anchor)) return undefined;
  const part = anchor === null ? {} : { anchor };
  return { ...part, code, digest, floor: floor ?? undefined, format, hash: last, roots, tree };
};

const LINE_FEED = "\n";

type SignedHead = { readonly kind: "head"; readonly head: Head };

const signedHead = (text: string, signature: string, vkey: string): SignedHead | NoSavedState => {
  if (!isSignedText(vkey, USE, text, signature)) return none({ cause: "signature-foreign", facts: {} });
  const head = headIn(text);
  if (head === undefined) return none({ cause: "head-unreadable", facts: {} });
  const { format } = head;
  return format === FORMAT
    ? { head, kind: "head" }
    : none({ cause: "format-differs", facts: { format, known: FORMAT } });
};

/** The ledger still holds the line that the head ends with, and so every line before that the chain stands for. */
const fits = async (engine: Engine, head: Head): Promise<NoSavedState | undefined> => {
  const { hash: last, tree } = head;
  const { size } = tree;
  if (size === 0) return undefined;
  const seq = size - 1;
  const line = await readLineAt(engine, seq);
  if (line === undefined) return { ...none({ cause: "ledger-shorter", facts: { size } }), signed: head };
  if (recordHash(line) === last) return undefined;
  return { ...none({ cause: "end-differs", facts: { seq } }), signed: head };
};

/** Enough for the head of all but ledgers with very many checkpoints. */
const PIECE_BYTES = 1 << 16;

/** The first two lines; the state behind them may be long, and is not read. */
const headLines = async (path: string): Promise<string[] | undefined> => {
  const file = await openSaved(path).catch(absent);
  if (file === undefined) return undefined;
  try {
    let text = "";
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES);
      text += buffer.toString("latin1", 0, bytesRead);
      const lines = text.split(LINE_FEED, 3);
      if (lines.length === 3 || bytesRead === 0) return lines;
    }
  } finally {
    await file.close();
  }
};

const openSaved = async (path: string): Promise<FileHandle> => {
  assertPlainAt(path);
  const { open } = await loadFiles();
  return open(path, "r");
};

/** By whoever has a saved state to read or to write, and by no short command on a small ledger. */
const loadFiles = () => import("node:fs/promises");

const absent = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== "ENOENT") throw error;
};

const bytesAt = async (path: string): Promise<Buffer> => readPlainBytes(path);

const unreadable = (error: unknown): NoSavedState => none({ cause: "unreadable", facts: { said: String(error) } });

/** Where the ledger stood when its saved state was written, when it still stands on that. */
export const readKnown = async (
  path: string,
  vkey: string,
  engine: Engine,
): Promise<KnownSavedState | NoSavedState> => {
  const lines = await headLines(path).catch(unreadable);
  if (lines === undefined) return { kind: "none" };
  if (!Array.isArray(lines)) return lines;
  const [text = "", signature = ""] = lines;
  const read = signedHead(text, signature, vkey);
  if (read.kind === "none") return read;
  return (await fits(engine, read.head)) ?? { kind: "known", known: read.head };
};

/** One that fits, whole: its head, and the bytes of its state as they were signed. */
type WholeSavedState = { readonly bytes: number; readonly head: Head; readonly kind: "whole"; readonly state: Buffer };

const readWhole = async (
  path: string,
  vkey: string,
  engine: Engine,
  code: string,
): Promise<WholeSavedState | NoSavedState> => {
  const bytes = await bytesAt(path).catch(absent).catch(unreadable);
  if (bytes === undefined) return { kind: "none" };
  if (!Buffer.isBuffer(bytes)) return bytes;
  const headEnd = bytes.indexOf(LINE_FEED);
  const signatureEnd = bytes.indexOf(LINE_FEED, headEnd + 1);
  const read = signedHead(
    bytes.toString("latin1", 0, headEnd),
    bytes.toString("latin1", headEnd + 1, signatureEnd),
    vkey,
  );
  if (read.kind === "none") return read;
  const { head } = read;
  if (head.code !== code) return none({ cause: "code-differs", facts: {} });
  const state = bytes.subarray(signatureEnd + 1);
  if (hash("sha256", state, "hex") !== head.digest) return none({ cause: "state-altered", facts: {} });
  return (await fits(engine, head)) ?? { bytes: bytes.length, head, kind: "whole", state };
};

/** Whether every byte of one is what was written, without making a state of them. */
export const checkSavedState = async (
  path: string,
  vkey: string,
  engine: Engine,
  { code }: Pick<Codec<unknown>, "code">,
): Promise<KnownSavedState | NoSavedState> => {
  const read = await readWhole(path, vkey, engine, code);
  return read.kind === "none" ? read : { kind: "known", known: read.head };
};

export const readSavedState = async <S>(
  path: string,
  vkey: string,
  engine: Engine,
  { code, fromJson }: Codec<S>,
): Promise<SavedStateRead<S> | NoSavedState> => {
  const read = await readWhole(path, vkey, engine, code);
  if (read.kind === "none") return read;
  const saved = { ...read.head, state: fromJson(JSON.parse(read.state.toString("utf8"))) };
  return { bytes: read.bytes, kind: "saved", saved };
};

/** Durable under its name when it resolves, with the number of its bytes; until then the one before stands. */
export const writeSavedState = async <S>(
  path: string,
  signer: Signer,
  { code, toJson }: Codec<S>,
  { anchor, floor, hash: last, roots, state, tree }: SavedState<S>,
): Promise<number> => {
  const stateBytes = Buffer.from(JSON.stringify(toJson(state)));
  const digest = hash("sha256", stateBytes, "hex");
  if (!isSha256(digest)) throw new TypeError("a digest is a SHA-256");
  const head = headText({ anchor: anchor ?? null, code, digest, floor, format: FORMAT, hash: last, roots, tree });
  const before = Buffer.from(`${head}${LINE_FEED}${signer.signText(USE, head)}${LINE_FEED}`);
  // Processes may write at the same time; each renames a file of its own.
  const part = `${path}.${process.pid}.part`;
  makeOwnFolder(dirname(path));
  const { open, rename, rm } = await loadFiles();
  try {
    makeOwn(part);
    const file = await open(part, "w");
    try {
      await file.writeFile(before);
      await file.writeFile(stateBytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return before.length + stateBytes.length;
};

const syncFolder = async (folder: string): Promise<void> => {
  const { open } = await loadFiles();
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
