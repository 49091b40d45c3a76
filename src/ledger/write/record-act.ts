// An act on the ledger itself as one record: what was decided on where the ledger stands, appended there, its fate
// certain.
//
// For commands that write one record and end. Not here: the queue of a running service (sequencer.ts). A commit is sent
// once for each place in the chain; after a lost reply the ledger is read.

import { assert } from "../assert.ts";
import type { Appended, Commit, Engine, KeyUse } from "../engine.ts";
import { keyUseOf } from "../record/asked.ts";
import type { Draft, LedgerRecord, Sealed } from "../record/record.ts";
import { seal } from "../record/seal.ts";
import { type ChainState, stepped } from "../verify/chain-state.ts";
import { floorAfter, isBehind } from "./floor.ts";

export type ActAnswer =
  | { readonly kind: "recorded"; readonly record: LedgerRecord; readonly chain: ChainState }
  | Extract<Appended, { readonly kind: "conflict" | "read-only" | "unknown" }>;

const commitOf = ({ line, record }: Sealed, marks: readonly KeyUse[]): Commit => ({
  blobs: new Map(),
  keys: [keyUseOf(record), ...marks],
  lines: [line],
});

/** At exactly this place in the chain, or not at all; with the marks that it makes. */
export const appendDraft = async (
  engine: Engine,
  chain: ChainState,
  draft: Draft,
  marks: readonly KeyUse[] = [],
): Promise<ActAnswer> => {
  assert.ok(!isBehind(draft, chain.floor), "no act is stamped earlier than the record before");
  const { size } = chain.tree;
  const sealed = seal(draft, { prev: chain.hash, seq: size });
  const result = await engine.append(commitOf(sealed, marks), { hash: chain.hash, size });
  const fate = result.kind === "unknown" ? await fateOf(engine, sealed, result) : result;
  if (fate.kind === "duplicate") throw new Error("a key that was just made is in the ledger already");
  if (fate.kind !== "ok") return fate;
  const { line, record } = sealed;
  return {
    kind: "recorded",
    record,
    chain: { ...stepped(chain, line), floor: floorAfter(record, chain.floor) },
  };
};

/** After a lost reply: a commit goes in only at the size it expects, and its key names it. */
const fateOf = async (engine: Engine, { record }: Sealed, doubt: Appended): Promise<Appended> => {
  const use = await engine.lookup(record.actor.id, record.idempotencyKey).catch(() => "unread" as const);
  if (use === "unread") return doubt;
  if (use?.seq === record.seq) return { kind: "ok" };
  const { size } = await engine.head();
  return size > record.seq ? { kind: "conflict", size } : doubt;
};
