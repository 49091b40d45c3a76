// copyLedger(): a ledger moved to another engine, whole and verified, and its source sealed behind it.
//
// In this order, so that a crash anywhere is mended by running the same copy again and never leaves two that go on:
// the lines with their keys and blobs, marked as begun; all of it read back; the seal, appended to the source at
// exactly the size that was copied; the seal to the copy, marked as finished. Only then does the copy take writes, and
// from the seal on the source takes none. Lines keep their bytes, so head and root stay the same. docs/RECORDS.md tells
// it.

import type { Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { canonical } from "../../spine/values/canonical.ts";
import { sha256 } from "../../spine/values/hash.ts";
import type { Engine, Head } from "../engine.ts";
import { copyOf, finishedMark, readCopyMarks, sealIn } from "../record/copy-marks.ts";
import type { LedgerRecord, Ulid } from "../record/record.ts";
import { rootOf } from "../tree/merkle.ts";
import { type ChainState, recordOf, stepped } from "../verify/chain-state.ts";
import { LedgerDamage } from "../verify/damage.ts";
import { readLineAt } from "../verify/line-at.ts";
import {
  type Carrying,
  carryLines,
  findSharedPrefix,
  putCommit,
  readKeyUse,
  runStoppable,
  Stop,
  type Stopped,
  verifyCarried,
} from "./carry.ts";
import type { ActAnswer } from "./record-act.ts";
import { readSeal } from "./sealed.ts";

export type Copied =
  | { readonly kind: "copied"; readonly head: Head; readonly root: Sha256; readonly seal: LedgerRecord }
  | Stopped;

/** What a seal says: which copy goes on, where, and what of the source it holds. */
export type Sealing = { readonly copy: Sha256; readonly root: Sha256; readonly size: number; readonly to: string };

export type Copying = {
  /** Whether a copy of this id was declared gone. */
  readonly isVoid: (copy: Sha256) => boolean;
  readonly nextId: () => Ulid;
  /** Records the seal at exactly this place of the source, or says why not. Who asks has been judged by then. */
  readonly sealAt: (chain: ChainState, sealing: Sealing) => Promise<ActAnswer | Stopped>;
  readonly onProgress: (what: "copying" | "reading-back", records: number) => void;
  readonly source: Engine;
  readonly target: Engine;
};

export const copyLedger = (copying: Copying): Promise<Copied> => runStoppable(() => copyAll(copying));

const copyAll = async (copying: Copying): Promise<Copied> => {
  const { source, target } = copying;
  const copy = await copyIdOf(copying);
  const carrying = carryingOf(copying);
  let chain = await findSharedPrefix(carrying);
  for (;;) {
    chain = await carryLines(carrying, copy, chain);
    const seal = await readSeal(source, await readCopyMarks(source));
    if (seal !== undefined) {
      assertOurs(seal, copy, source);
      const { hash: last, tree } = await finish(copying, copy, chain, seal);
      return { head: { hash: last, size: tree.size }, kind: "copied", root: rootOf(tree), seal };
    }
    await verifyCarried(carrying, chain);
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

/** Everything of the source but its seal. */
const carryingOf = ({ onProgress, source, target }: Copying): Carrying => ({
  isLeftOut: (line) => isOwnSeal(source, line),
  onProgress,
  source: { ...source, keyUse: (record) => readKeyUse(source, record) },
  target,
});

const readFloor = async (source: Engine, chain: ChainState): Promise<ChainState> => {
  const seq = chain.tree.size - 1;
  const line = await readLineAt(source, seq);
  return line === undefined ? chain : { ...chain, floor: recordOf(line, seq).processTime };
};

/** The id of the copy that goes on, or of one that begins; refuses a target that is something else. */
const copyIdOf = async ({ isVoid, nextId, source, target }: Copying): Promise<Sha256> => {
  const { begun, finishedAt } = await readCopyMarks(target);
  const { size } = await target.head();
  const seal = await readSeal(source, await readCopyMarks(source));
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

/** A seal after which the source itself goes on is a line like any other. */
const isOwnSeal = async (source: Engine, line: Uint8Array): Promise<boolean> => {
  const seq = sealIn(line)?.seq;
  return seq !== undefined && (await readCopyMarks(source)).finishedAt !== seq;
};

/** The seal itself; from here on the copy goes on. */
const finish = async (copying: Copying, copy: Sha256, chain: ChainState, seal: LedgerRecord): Promise<ChainState> => {
  const { source, target } = copying;
  const isFinished = (await readCopyMarks(target)).finishedAt === seal.seq;
  for await (const line of source.read(seal.seq, seal.seq + 1)) {
    const keys = [await readKeyUse(source, seal), finishedMark(copy, seal.seq)];
    if (!isFinished) await putCommit(copying, { blobs: new Map(), keys, lines: [line] }, seal.seq);
    const end = isFinished ? chain : stepped(chain, line);
    // Somebody may have declared the copy gone while it was being finished; what came first stands.
    if ((await source.head()).size !== seal.seq + 1) throw new Stop(refuse("copy-void", { facts: { copy } }));
    if ((await target.head()).hash === end.hash) return end;
  }
  throw new LedgerDamage(seal.seq, { cause: "copy-head-differs", facts: {} });
};
