// restoreLines(): a verified backup written to a ledger that is not there yet, byte for byte, and read back.
//
// The target is marked as begun with an id that is the backup's own, so that nobody opens it before it is finished, and
// the same restore goes on where it was broken off. It ends with the record of the restore, which finishes it in the
// same commit. Not here: whether the backup holds, and the record (service/ledger/restore.ts).

import type { Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { canonical } from "../../spine/values/canonical.ts";
import { sha256 } from "../../spine/values/hash.ts";
import type { Engine } from "../engine.ts";
import { readCopyMarks } from "../record/copy-marks.ts";
import { rootOf } from "../tree/merkle.ts";
import { type Root, readChainState } from "../verify/chain-state.ts";
import { LedgerDamage } from "../verify/damage.ts";
import { type Carrying, carryLines, findSharedPrefix, type Stopped, verifyCarried } from "./carry.ts";

/** The same for the same backup, wherever it is restored. */
export const restoreIdOf = ({ root, size }: Root): Sha256 => sha256(canonical({ restore: { root, size } }));

/**
 * What stands at the target: nothing or a part of this very restore; or all of it with its record, and only the anchor
 * has not begun again. Anything else is somebody's ledger. `first` is what the anchor begins with.
 */
export type RestoreTarget = { readonly kind: "free" } | { readonly kind: "recorded" } | Stopped;

export const judgeTarget = async (target: Engine, backup: Root, first: Root | undefined): Promise<RestoreTarget> => {
  const { begun, finishedAt } = await readCopyMarks(target);
  const { size } = await target.head();
  const isOurs = begun === restoreIdOf(backup);
  if (size === 0 || (isOurs && finishedAt === undefined)) return { kind: "free" };
  const isRecorded = isOurs && finishedAt === backup.size && size === backup.size + 1;
  if (isRecorded && !(await isWhole(target, first))) return { kind: "recorded" };
  const facts = { name: target.name, size };
  return { kind: "refused", refusal: refuse("target-occupied", { cause: "restored-over", facts }) };
};

const isWhole = async (target: Engine, first: Root | undefined): Promise<boolean> => {
  const { tree } = await readChainState(target);
  return first?.root === rootOf(tree);
};

/** Ends with a refusal as a Stop. */
export const restoreLines = async (carrying: Omit<Carrying, "isLeftOut">, backup: Root): Promise<void> => {
  const whole: Carrying = { ...carrying, isLeftOut: async () => false };
  const shared = await findSharedPrefix(whole);
  const chain = await carryLines(whole, restoreIdOf(backup), shared);
  // No two sizes share a root.
  if (rootOf(chain.tree) !== backup.root) throw new LedgerDamage(chain.tree.size, { cause: "copy-differs", facts: {} });
  await verifyCarried(whole, chain);
};
