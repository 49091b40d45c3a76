// The ledger itself: the chain holds, no key is used twice, and every decision comes out the same when it is made
// again.

import { isDeepStrictEqual } from "node:util";
import { replay } from "../../../src/kernel/replay-ledger.ts";
import { verifyLines } from "../../../src/ledger/verify/verify.ts";
import type { Check, Scene } from "./evidence.ts";

export const keys: Check = ({ stage }) => {
  const used = stage.ledger.records.map(({ actor, idempotencyKey }) => `${idempotencyKey} of ${actor.id}`);
  return used.filter((name, at) => used.indexOf(name) !== at).map((name) => `key ${name} was used twice`);
};

export const chain = async ({ ledger }: Scene): Promise<readonly string[]> => {
  const { findings } = await verifyLines(ledger.lines, { checkpoints: [], mode: "full" });
  return findings.map(({ cause, seq }) => `record ${seq}: ${cause}`);
};

/** Decided again, record by record; and what the processes hold is what comes out. */
export const replayed = async ({ ledger, processes }: Scene): Promise<readonly string[]> => {
  const again = await replay([ledger.records], async (digest) => {
    const bytes = ledger.blobs.get(digest);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  });
  if (again.kind === "unreadable") return [`the records are unreadable: ${again.refusal.code}`];
  if (again.kind === "differs") return [`record ${again.seq}: ${again.difference.cause}`];
  return processes()
    .filter((process) => process.isReady() && process.state().size === again.state.size)
    .filter((process) => !isDeepStrictEqual(process.state(), again.state))
    .map(({ no }) => `process ${no} holds another state than the records give`);
};
