// proveRecord(): the proof file of one record, from the lines of the ledger.
//
// It stands on the last anchored checkpoint that covers the record, so that asking twice gives the same file; where
// none covers it, a checkpoint over the whole ledger is signed for it. Not here: what a proof reads of the tree
// (kept-blocks.ts).

import type { Sha256 } from "../../spine/model.ts";
import type { Engine } from "../engine.ts";
import { leafHash } from "../record/leaf.ts";
import { readRecord } from "../record/read-record.ts";
import type { SignedNote } from "../tree/checkpoint.ts";
import { rootOf } from "../tree/merkle.ts";
import { inclusionRanges } from "../tree/merkle-proof.ts";
import type { Signer } from "../tree/signer.ts";
import { readChainState } from "./chain-state.ts";
import { LedgerDamage } from "./damage.ts";
import { keptBlocks, type RootsOver } from "./kept-blocks.ts";
import { proofText, readProof } from "./proof-file.ts";

export type Proven = {
  /** Whether the checkpoint is one of the anchor's. */
  readonly anchored: boolean;
  readonly hash: Sha256;
  readonly size: number;
  readonly text: string;
};

/** Undefined when the ledger has no such record. `rootsOver` is one for many proofs. */
export const proveRecord = async (
  { engine, notes }: { readonly engine: Engine; readonly notes: readonly SignedNote[] },
  signer: Signer,
  seq: number,
  rootsOver: RootsOver = keptBlocks(),
): Promise<Proven | undefined> => {
  const { size: total } = await engine.head();
  if (seq >= total) return undefined;
  const covering = notes.findLast(({ checkpoint }) => checkpoint.size > seq);
  const size = covering?.checkpoint.size ?? total;
  let line: Uint8Array = new Uint8Array(0);
  for await (const one of engine.read(seq, seq + 1)) line = one;
  // What this program cannot read, it does not vouch for.
  const own = readRecord(line);
  if (own.kind === "finding") throw new LedgerDamage(seq, own.flaw);
  const path = await rootsOver(engine, inclusionRanges(seq, size));
  const note =
    covering?.note ?? signer.sign({ root: rootOf((await readChainState(engine, undefined, size)).tree), size });
  const text = proofText({ line, note, path, seq });
  // What a stranger would check is checked before anybody is handed it.
  const read = readProof(text, signer.vkey);
  if (read.kind === "bad") throw new LedgerDamage(seq, { cause: "unprovable", facts: { flaw: read.failure.cause } });
  return { anchored: covering !== undefined, hash: leafHash(line), size, text };
};
