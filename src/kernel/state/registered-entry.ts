// The registered entry of one VM, shown to be registered: the record of a registration holds the number of its entries
// and the root of the tree over their hashes, so that a command brings one entry and its proof, and never all of them.
//
// Not here: what an entry means for a step (stands-on.ts).

import { growingTree } from "../../ledger/tree/growing-tree.ts";
import { EMPTY_FRONTIER, rootOf } from "../../ledger/tree/merkle.ts";
import { inclusionRanges, provesInclusion, type Range } from "../../ledger/tree/merkle-proof.ts";
import type { DesiredState, DesiredVm, Sha256, Vmid } from "../../spine/model.ts";
import { entryHash } from "../../spine/plan/desired-state.ts";
import type { EntryRef, RegisteredEntry, RequestOf } from "../command/request.ts";

/** What is registered for an environment, as far as a proof is held against it. */
export type Registration = { readonly root: Sha256; readonly size: number };

const rootOfLeaves = (leaves: readonly Sha256[], { from, to }: Range): Sha256 => {
  const tree = growingTree(EMPTY_FRONTIER);
  for (const leaf of leaves.slice(from, to)) tree.add(leaf);
  return rootOf(tree.frontier());
};

const entriesOf = ({ entries }: DesiredState): readonly DesiredVm[] =>
  entries.filter((entry) => entry.kind === "desired");

export const rootOfEntries = (desired: DesiredState): Sha256 => {
  const leaves = entriesOf(desired).map(entryHash);
  return rootOfLeaves(leaves, { from: 0, to: leaves.length });
};

/**
 * The request that registers this desired state, which is given beside it, in the place of what it was compared with.
 */
export const registrationOf = (
  desired: DesiredState,
  before?: Pick<DesiredState, "digest">,
): RequestOf<"register"> => ({
  ...(before === undefined ? {} : { before: before.digest }),
  desired: desired.digest,
  kind: "register",
  root: rootOfEntries(desired),
  vms: desired.entries.length,
});

/**
 * Shows the entry of one VM after another of the same desired state; a part of the tree is hashed once for all of them.
 */
export const entriesIn = (desired: DesiredState): ((vmid: Vmid) => RegisteredEntry) => {
  const entries = entriesOf(desired);
  const leaves = entries.map(entryHash);
  const roots = new Map<string, Sha256>();
  const rootOver = (range: Range): Sha256 => {
    const name = `${range.from} ${range.to}`;
    const root = roots.get(name) ?? rootOfLeaves(leaves, range);
    roots.set(name, root);
    return root;
  };
  return (vmid) => {
    const index = entries.findIndex((entry) => entry.vmid === vmid);
    const entry = entries[index];
    if (entry === undefined) return "none";
    return { entry, index, proof: inclusionRanges(index, entries.length).map(rootOver) };
  };
};

/** Whether what is registered holds the entry of this hash at this index. */
export const isRegistered = (
  { index, proof }: Pick<EntryRef, "index" | "proof">,
  leaf: Sha256,
  { root, size }: Registration,
): boolean => provesInclusion({ leaf, proof, root, seq: index, size });
