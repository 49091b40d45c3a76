// keptBlocks(): the roots that proofs need, from the roots of every 256 lines of a ledger that are kept from one proof
// to the next: the first one reads every line, and each after it those of its own block and of the last.
//
// A line never changes, so that what is kept holds for every later size; it is kept for an engine that is open, and in
// memory alone (32 bytes of hash for 256 records). It is nobody's word: a proof is checked against its signed root
// before anybody is handed it (prove.ts), also one that is made from what was kept.

import type { Sha256 } from "../../spine/model.ts";
import type { Engine } from "../engine.ts";
import { leafHash } from "../record/leaf.ts";
import { EMPTY_FRONTIER, type Frontier, grown, rootOf } from "../tree/merkle.ts";
import type { Range } from "../tree/merkle-proof.ts";

const BLOCK = 256;

/** The root over each range of the lines; ranges are those of a proof. */
export type RootsOver = (engine: Engine, ranges: readonly Range[]) => Promise<readonly Sha256[]>;

type Blocks = { growing: Promise<void>; readonly roots: Sha256[] };

export const keptBlocks = (): RootsOver => {
  const kept = new WeakMap<Engine, Blocks>();
  const blocksOf = (engine: Engine): Blocks => {
    const blocks = kept.get(engine) ?? { growing: Promise.resolve(), roots: [] };
    kept.set(engine, blocks);
    return blocks;
  };
  return async (engine, ranges) => {
    const blocks = blocksOf(engine);
    const whole = Math.max(0, ...ranges.map(({ from, to }) => (to - from >= BLOCK ? Math.floor(to / BLOCK) : 0)));
    // Whoever comes second goes on from what the first one has read, also where that one failed.
    const goOn = (): Promise<void> => grow(engine, blocks.roots, whole);
    blocks.growing = blocks.growing.then(goOn, goOn);
    await blocks.growing;
    const roots: Sha256[] = [];
    for (const range of ranges) roots.push(await rootOver(engine, blocks.roots, range));
    return roots;
  };
};

const grow = async (engine: Engine, roots: Sha256[], whole: number): Promise<void> => {
  let block: Frontier = EMPTY_FRONTIER;
  for await (const line of engine.read(roots.length * BLOCK, whole * BLOCK)) {
    block = grown(block, leafHash(line));
    if (block.size < BLOCK) continue;
    roots.push(rootOf(block));
    block = EMPTY_FRONTIER;
  }
};

/** A node over a block or more begins with a block, and its tree over their roots is that over their leaves. */
const rootOver = async (engine: Engine, roots: readonly Sha256[], { from, to }: Range): Promise<Sha256> => {
  if (to - from < BLOCK) return rootOf(await treeOver(engine, from, to));
  const end = Math.floor(to / BLOCK);
  let tree: Frontier = EMPTY_FRONTIER;
  for (const root of roots.slice(from / BLOCK, end)) tree = grown(tree, root);
  const rest = await treeOver(engine, end * BLOCK, to);
  return rootOf(rest.size === 0 ? tree : grown(tree, rootOf(rest)));
};

const treeOver = async (engine: Engine, from: number, to: number): Promise<Frontier> => {
  let tree: Frontier = EMPTY_FRONTIER;
  for await (const line of engine.read(from, to)) tree = grown(tree, leafHash(line));
  return tree;
};
