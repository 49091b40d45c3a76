// What became of a key: the record that answers it, or nothing, which says that it may be asked again under the same
// key.
//
// A caller asks for its own keys; those of others, and of an environment in which it has no role any more, are not told
// apart from unused ones.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import { recordOf } from "../../ledger/verify/chain-state.ts";
import type { Sha256 } from "../../spine/model.ts";
import type { Reading } from "../hold/session.ts";

/** `asked` is the digest of what was asked under the key. */
export type KeyAnswered = { readonly asked?: Sha256; readonly record?: LedgerRecord };

export const showAnswered = async (
  { actor, ledger, sees }: Reading,
  { key }: { readonly key: string },
): Promise<KeyAnswered> => {
  const use = isUlid(key) ? await ledger.engine.lookup(actor.id, key) : undefined;
  if (use === undefined) return {};
  for await (const line of ledger.engine.read(use.seq, use.seq + 1)) {
    const record = recordOf(line, use.seq);
    // What is of no environment is the caller's own act all the same.
    return record.environment === undefined || sees(record.environment) ? { asked: use.request, record } : {};
  }
  throw new Error(`the ledger cannot be read: record ${use.seq} is named by a key and is not there`);
};
