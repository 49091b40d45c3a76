// What became of a key: the record that answers it, or nothing, which says that it may be asked again under the same
// key.
//
// A caller asks for its own keys; those of others, and of an environment in which it has no role any more, are not told
// apart from unused ones.

import { bodyOf } from "../../kernel/command/record-body.ts";
import { recall } from "../../kernel/state/recent.ts";
import type { State } from "../../kernel/state/state.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import { keyIn } from "../../ledger/record/spelled-key.ts";
import { recordOf } from "../../ledger/verify/chain-state.ts";
import type { Sha256 } from "../../spine/model.ts";
import type { Reading } from "../hold/session.ts";

/** `asked` is the digest of what was asked under the key. */
export type KeyAnswered = {
  readonly asked?: Sha256;
  /** People were asked by it, and an approval of that step is gone since: whoever still wants one asks anew. */
  readonly over?: true;
  readonly record?: LedgerRecord;
};

export const showAnswered = async (
  { actor, head, ledger, sees, state }: Reading,
  { key }: { readonly key: string },
): Promise<KeyAnswered> => {
  const spelled = keyIn(key);
  const use = spelled === undefined ? undefined : await ledger.engine.lookup(actor.id, spelled);
  if (use === undefined) return {};
  for await (const line of ledger.engine.read(use.seq, use.seq + 1)) {
    const record = recordOf(line, use.seq);
    // What is of no environment is the caller's own act all the same.
    if (record.environment !== undefined && !sees(record.environment)) return {};
    return { asked: use.request, ...(record.seq < head.size && isOver(state, record) ? { over: true } : {}), record };
  }
  throw new Error(`the ledger cannot be read: record ${use.seq} is named by a key and is not there`);
};

/** On a state that knows the record. Of a plan that is not remembered any more nothing can be asked anew. */
const isOver = (state: State, record: LedgerRecord): boolean => {
  const body = bodyOf(record);
  if (body?.kind !== "request-approval" || body.result.kind === "refused") return false;
  const { plan, step } = body.request.of;
  const found = recall(state.plans, plan);
  return found !== undefined && !found.waiting.some((one) => one.step === step.hash && one.since <= record.seq);
};
