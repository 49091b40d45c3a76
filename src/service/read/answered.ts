// What became of a key: the record that answers it, or nothing, which says that it may be asked again under the same
// key.
//
// A caller asks for its own keys; those of others, and of an environment in which it has no role any more, are not told
// apart from unused ones.

import { bodyOf } from "../../kernel/command/record-body.ts";
import { recall } from "../../kernel/state/recent.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import { keyIn } from "../../ledger/record/spelled-key.ts";
import { recordOf } from "../../ledger/verify/chain-state.ts";
import type { Sha256 } from "../../spine/model.ts";
import type { Reading } from "../hold/session.ts";

/** `asked` is the digest of what was asked under the key. */
export type KeyAnswered = {
  readonly asked?: Sha256;
  /** People were asked by it, and an approval of theirs counts no more: whoever still wants one asks anew. */
  readonly over?: true;
  readonly record?: LedgerRecord;
};

export const showAnswered = async (reading: Reading, { key }: { readonly key: string }): Promise<KeyAnswered> => {
  const { actor, head, ledger, sees } = reading;
  const spelled = keyIn(key);
  const use = spelled === undefined ? undefined : await ledger.engine.lookup(actor.id, spelled);
  if (use === undefined) return {};
  for await (const line of ledger.engine.read(use.seq, use.seq + 1)) {
    const record = recordOf(line, use.seq);
    // What is of no environment is the caller's own act all the same.
    if (record.environment !== undefined && !sees(record.environment)) return {};
    const isKnown = record.seq < head.size;
    return { asked: use.request, ...(isKnown && (await isOver(reading, record)) ? { over: true } : {}), record };
  }
  throw new Error(`the ledger cannot be read: record ${use.seq} is named by a key and is not there`);
};

/** On a state that knows the record. Of a plan that is not remembered any more nothing can be asked anew. */
const isOver = async (reading: Reading, record: LedgerRecord): Promise<boolean> => {
  const body = bodyOf(record);
  if (body?.kind !== "request-approval" || body.result.kind === "refused") return false;
  const { index, plan, step } = body.request.of;
  const found = recall(reading.state.plans, plan);
  if (found === undefined) return false;
  const [{ isAskedInVain }, { readProgress }] = [
    await import("../../kernel/decide/asked-approval.ts"),
    await import("./steps-shown.ts"),
  ];
  const progress = await readProgress(reading, found, { index, step });
  const { processTime, seq } = record;
  return isAskedInVain(found, { at: processTime, seq, step: step.hash }, progress, reading.at);
};
