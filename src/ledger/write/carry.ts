// Lines, keys and blobs carried from a source to another ledger in commits of its own, and read back there.
//
// The first commit marks the target as begun, so that nobody opens it before it is finished (sealed.ts). What is there
// already must be what the source begins with: carrying goes on where it was broken off. Not here: what finishes it
// (copy.ts for a move, restore-lines.ts for a backup).

import { hash } from "node:crypto";
import type { Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { COMMIT_BYTES_MAX, COMMIT_LINES_MAX, type Commit, type Engine, type KeyUse } from "../engine.ts";
import { keyUseOf } from "../record/asked.ts";
import { begunMark } from "../record/copy-marks.ts";
import type { LedgerRecord } from "../record/record.ts";
import { type ChainState, recordOf, START, stepped } from "../verify/chain-state.ts";
import { LedgerDamage } from "../verify/damage.ts";

/** What lines are carried from: a ledger, or a backup of one. */
export type LineSource = Pick<Engine, "blob" | "head" | "read"> & {
  /** The use of a record's key, as the source has it. */
  readonly keyUse: (record: LedgerRecord) => Promise<KeyUse>;
};

export type Carrying = {
  /** Whether the last line of the source is not carried. */
  readonly isLeftOut: (line: Uint8Array) => Promise<boolean>;
  readonly onProgress: (what: "copying" | "reading-back", records: number) => void;
  readonly source: LineSource;
  readonly target: Engine;
};

/** Ends a copy with the refusal that it is; caught by stoppable, and thrown nowhere else. */
export class Stop extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** What the work came to, or the refusal that ended it. */
export const runStoppable = async <T>(work: () => Promise<T>): Promise<T | Stopped> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Stop) return { kind: "refused", refusal: error.refusal };
    throw error;
  }
};
export type Stopped = { readonly kind: "refused"; readonly refusal: Refusal };

/** What the target has must be what the source begins with. */
export const findSharedPrefix = async ({ source, target }: Carrying): Promise<ChainState> => {
  const { name } = target;
  const { size } = await target.head();
  const theirs = target.read(0, size)[Symbol.asyncIterator]();
  let chain = START;
  for await (const line of source.read(0, size)) {
    const other = await theirs.next();
    if (other.done === true || !Buffer.from(line).equals(other.value))
      throw new Stop(refuse("target-occupied", { cause: "record-differs", facts: { name, seq: chain.tree.size } }));
    chain = stepped(chain, line);
  }
  if (chain.tree.size < size) throw new Stop(refuse("target-occupied", { cause: "longer", facts: { name } }));
  return chain;
};

const BLOB_BYTES_MAX = 8 * 1024 * 1024;

/** Everything of the source from there on, but for a last line that is left out. */
export const carryLines = async (carrying: Carrying, copy: Sha256, from: ChainState): Promise<ChainState> => {
  const { isLeftOut, onProgress, source } = carrying;
  const { size } = await source.head();
  let chain = from;
  let lines: Uint8Array[] = [];
  let keys: KeyUse[] = [];
  let blobs = new Map<Sha256, Uint8Array>();
  let bytes = 0;
  let blobBytes = 0;
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const start = chain.tree.size - lines.length;
    await putCommit(carrying, { blobs, keys: start === 0 ? [...keys, begunMark(copy)] : keys, lines }, start);
    [lines, keys, blobs, bytes, blobBytes] = [[], [], new Map(), 0, 0];
    onProgress("copying", chain.tree.size);
  };
  for await (const line of source.read(from.tree.size, size)) {
    const seq = chain.tree.size;
    if (seq === size - 1 && (await isLeftOut(line))) break;
    if (lines.length === COMMIT_LINES_MAX || bytes + line.length > COMMIT_BYTES_MAX || blobBytes > BLOB_BYTES_MAX)
      await flush();
    const record = recordOf(line, seq);
    lines.push(line);
    bytes += line.length;
    keys.push(await source.keyUse(record));
    for (const digest of record.blobs ?? []) {
      const content = await blobOf(source, digest, seq);
      blobs.set(digest, content);
      blobBytes += content.length;
    }
    chain = stepped(chain, line);
  }
  await flush();
  return chain;
};

/** The use of a record's key, as the engine has it. */
export const readKeyUse = async (engine: Engine, record: LedgerRecord): Promise<KeyUse> => {
  const use = keyUseOf(record);
  const found = await engine.lookup(use.caller, use.key);
  if (found === undefined) throw new LedgerDamage(use.seq, { cause: "key-unlisted", facts: {} });
  if (found.seq !== use.seq) throw new LedgerDamage(use.seq, { cause: "key-misplaced", facts: { other: found.seq } });
  if (found.request !== use.request) throw new LedgerDamage(use.seq, { cause: "key-of-other-request", facts: {} });
  return use;
};

const blobOf = async (engine: Pick<Engine, "blob">, digest: Sha256, seq: number): Promise<Uint8Array> => {
  const content = await engine.blob(digest);
  if (content === undefined) throw new LedgerDamage(seq, { cause: "blob-missing", facts: { digest } });
  if (hash("sha256", content, "hex") !== digest)
    throw new LedgerDamage(seq, { cause: "blob-differs", facts: { digest } });
  return content;
};

export const putCommit = async ({ target }: Pick<Carrying, "target">, commit: Commit, size: number): Promise<void> => {
  const result = await target.append(commit, { size });
  if (result.kind === "ok") return;
  if (result.kind === "unknown" && (await target.head()).size === size + commit.lines.length) return;
  if (result.kind === "conflict" || result.kind === "duplicate")
    throw new Stop(refuse("target-occupied", { cause: "other-writer", facts: { name: target.name } }));
  throw new Stop(refuse("record-unwritten", result.failure));
};

/** Lines, keys and blobs as they lie in the target, before anything is recorded on their account. */
export const verifyCarried = async (
  { onProgress, target }: Carrying,
  { hash: head, tree }: ChainState,
): Promise<void> => {
  let back = START;
  for await (const line of target.read(0, tree.size)) {
    const record = recordOf(line, back.tree.size);
    back = stepped(back, line);
    await readKeyUse(target, record);
    for (const digest of record.blobs ?? []) await blobOf(target, digest, record.seq);
    if (back.tree.size % COMMIT_LINES_MAX === 0) onProgress("reading-back", back.tree.size);
  }
  // The hash of the last line stands for every line before it.
  if (back.hash !== head) throw new LedgerDamage(back.tree.size, { cause: "copy-differs", facts: {} });
};
