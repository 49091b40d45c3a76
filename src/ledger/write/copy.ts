// copyLedger(): a ledger moved to another engine, whole and verified, and its source sealed behind it.
//
// In this order, so that a crash anywhere is mended by running the same copy again and never leaves two that go on:
// the lines with their keys and blobs, marked as begun; all of it read back; the seal, appended to the source at exactly
// the size that was copied; the seal to the copy, marked as finished. Only then does the copy take writes, and from the
// seal on the source takes none. Lines keep their bytes, so head and root stay the same. docs/RECORDS.md tells it.

import { hash } from "node:crypto";
import type { Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { canonical } from "../../spine/values/canonical.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { COMMIT_BYTES_MAX, COMMIT_LINES_MAX, type Commit, type Engine, type Head, type KeyUse } from "../engine.ts";
import { keyUseOf } from "../record/asked.ts";
import { begunMark, copyMarks, copyOf, finishedMark, sealIn } from "../record/copy-marks.ts";
import type { LedgerRecord, Ulid } from "../record/record.ts";
import { rootOf } from "../tree/merkle.ts";
import { type ChainState, recordOf, START, stepped } from "../verify/chain-state.ts";
import { LedgerDamage } from "../verify/damage.ts";
import type { ActAnswer } from "./act.ts";
import { sealOf } from "./sealed.ts";

type Refused = { readonly kind: "refused"; readonly refusal: Refusal };

export type Copied =
  | { readonly kind: "copied"; readonly head: Head; readonly root: Sha256; readonly seal: LedgerRecord }
  | Refused;

/** What a seal says: which copy goes on, where, and what of the source it holds. */
export type Sealing = { readonly copy: Sha256; readonly root: Sha256; readonly size: number; readonly to: string };

export type Copying = {
  /** Whether a copy of this id was declared gone. */
  readonly isVoid: (copy: Sha256) => boolean;
  readonly nextId: () => Ulid;
  /** Records the seal at exactly this place of the source, or says why not. Who asks has been judged by then. */
  readonly sealAt: (chain: ChainState, sealing: Sealing) => Promise<ActAnswer | Refused>;
  readonly onProgress: (what: "copying" | "reading back", records: number) => void;
  readonly source: Engine;
  readonly target: Engine;
};

/** Ends a copy with the refusal that it is; caught in copyLedger, and nowhere else thrown. */
class Stop extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

export const copyLedger = async (copying: Copying): Promise<Copied> => {
  try {
    return await copyAll(copying);
  } catch (error) {
    if (error instanceof Stop) return { kind: "refused", refusal: error.refusal };
    throw error;
  }
};

const copyAll = async (copying: Copying): Promise<Copied> => {
  const { source, target } = copying;
  const copy = await copyIdOf(copying);
  let chain = await findSharedPrefix(copying);
  for (;;) {
    chain = await copyLines(copying, copy, chain);
    const seal = await sealOf(source, await copyMarks(source));
    if (seal !== undefined) {
      assertOurs(seal, copy, source);
      const { hash: last, tree } = await finish(copying, copy, chain, seal);
      return { head: { hash: last, size: tree.size }, kind: "copied", root: rootOf(tree), seal };
    }
    await verifyCopied(copying, chain);
    const root = rootOf(chain.tree);
    const acted = await copying.sealAt(await readFloor(source, chain), {
      copy,
      root,
      size: chain.tree.size,
      to: target.name,
    });
    if (acted.kind === "refused") throw new Stop(acted.refusal);
    if (acted.kind === "read-only") throw new Stop(refuse("record-unwritten", acted.failure));
    if (acted.kind === "unknown") throw new Stop(refuse("record-doubtful", acted.failure));
    // After a conflict somebody has written meanwhile, and after success the seal is there: both are copied next.
  }
};

const readFloor = async (source: Engine, chain: ChainState): Promise<ChainState> => {
  for await (const line of source.read(chain.tree.size - 1, chain.tree.size))
    return { ...chain, floor: recordOf(line, chain.tree.size - 1).processTime };
  return chain;
};

/** The id of the copy that goes on, or of one that begins; refuses a target that is something else. */
const copyIdOf = async ({ isVoid, nextId, source, target }: Copying): Promise<Sha256> => {
  const { begun, finishedAt } = await copyMarks(target);
  const { size } = await target.head();
  const seal = await sealOf(source, await copyMarks(source));
  if ((begun === undefined && size > 0) || (finishedAt !== undefined && finishedAt !== seal?.seq))
    throw new Stop(refuse("target-occupied", { cause: "other-ledger", facts: { name: target.name, size } }));
  const copy = begun ?? sha256(canonical({ copy: nextId() }));
  if (isVoid(copy)) throw new Stop(refuse("copy-void", { facts: { copy } }));
  if (seal !== undefined) assertOurs(seal, copy, source);
  return copy;
};

/** A source goes on in one copy alone. */
const assertOurs = (seal: LedgerRecord, copy: Sha256, source: Engine): void => {
  if (copyOf(seal) !== copy)
    throw new Stop(
      refuse("ledger-sealed", { cause: "sealed-for-another", facts: { name: source.name, seq: seal.seq } }),
    );
};

/** What the target has must be what the source begins with. */
const findSharedPrefix = async ({ source, target }: Copying): Promise<ChainState> => {
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

/** Everything of the source but its seal. */
const copyLines = async (copying: Copying, copy: Sha256, from: ChainState): Promise<ChainState> => {
  const { onProgress, source } = copying;
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
    await put(copying, { blobs, keys: start === 0 ? [...keys, begunMark(copy)] : keys, lines }, start);
    [lines, keys, blobs, bytes, blobBytes] = [[], [], new Map(), 0, 0];
    onProgress("copying", chain.tree.size);
  };
  for await (const line of source.read(from.tree.size, size)) {
    const seq = chain.tree.size;
    if (seq === size - 1 && (await isOwnSeal(source, line))) break;
    if (lines.length === COMMIT_LINES_MAX || bytes + line.length > COMMIT_BYTES_MAX || blobBytes > BLOB_BYTES_MAX)
      await flush();
    const record = recordOf(line, seq);
    lines.push(line);
    bytes += line.length;
    keys.push(await keyOf(source, record));
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

/** A seal after which the source itself goes on is a line like any other. */
const isOwnSeal = async (source: Engine, line: Uint8Array): Promise<boolean> => {
  const seq = sealIn(line)?.seq;
  return seq !== undefined && (await copyMarks(source)).finishedAt !== seq;
};

/** The use of a record's key, as the engine has it. */
const keyOf = async (engine: Engine, record: LedgerRecord): Promise<KeyUse> => {
  const use = keyUseOf(record);
  const found = await engine.lookup(use.caller, use.key);
  if (found === undefined) throw new LedgerDamage(use.seq, { cause: "key-unlisted", facts: {} });
  if (found.seq !== use.seq) throw new LedgerDamage(use.seq, { cause: "key-misplaced", facts: { other: found.seq } });
  if (found.request !== use.request) throw new LedgerDamage(use.seq, { cause: "key-of-other-request", facts: {} });
  return use;
};

const blobOf = async (engine: Engine, digest: Sha256, seq: number): Promise<Uint8Array> => {
  const content = await engine.blob(digest);
  if (content === undefined) throw new LedgerDamage(seq, { cause: "blob-missing", facts: { digest } });
  if (hash("sha256", content, "hex") !== digest)
    throw new LedgerDamage(seq, { cause: "blob-differs", facts: { digest } });
  return content;
};

const put = async ({ target }: Copying, commit: Commit, size: number): Promise<void> => {
  const result = await target.append(commit, { size });
  if (result.kind === "ok") return;
  if (result.kind === "unknown" && (await target.head()).size === size + commit.lines.length) return;
  if (result.kind === "conflict" || result.kind === "duplicate")
    throw new Stop(refuse("target-occupied", { cause: "other-writer", facts: { name: target.name } }));
  throw new Stop(refuse("record-unwritten", result.failure));
};

/** Lines, keys and blobs as they lie in the target, before the source is sealed on their account. */
const verifyCopied = async ({ onProgress, target }: Copying, { hash: head, tree }: ChainState): Promise<void> => {
  let back = START;
  for await (const line of target.read(0, tree.size)) {
    const record = recordOf(line, back.tree.size);
    back = stepped(back, line);
    await keyOf(target, record);
    for (const digest of record.blobs ?? []) await blobOf(target, digest, record.seq);
    if (back.tree.size % COMMIT_LINES_MAX === 0) onProgress("reading back", back.tree.size);
  }
  if (back.hash !== head || rootOf(back.tree) !== rootOf(tree))
    throw new LedgerDamage(back.tree.size, { cause: "copy-differs", facts: {} });
};

/** The seal itself; from here on the copy goes on. */
const finish = async (copying: Copying, copy: Sha256, chain: ChainState, seal: LedgerRecord): Promise<ChainState> => {
  const { source, target } = copying;
  const isFinished = (await copyMarks(target)).finishedAt === seal.seq;
  for await (const line of source.read(seal.seq, seal.seq + 1)) {
    const keys = [await keyOf(source, seal), finishedMark(copy, seal.seq)];
    if (!isFinished) await put(copying, { blobs: new Map(), keys, lines: [line] }, seal.seq);
    const end = isFinished ? chain : stepped(chain, line);
    // Somebody may have declared the copy gone while it was being finished; what came first stands.
    if ((await source.head()).size !== seal.seq + 1) throw new Stop(refuse("copy-void", { facts: { copy } }));
    if ((await target.head()).hash === end.hash) return end;
  }
  throw new LedgerDamage(seal.seq, { cause: "copy-head-differs", facts: {} });
};
