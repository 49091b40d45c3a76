// What became of a key: the record that answers it, or nothing, which says that it may be asked again under the same
// key.
//
// A caller asks for its own keys; those of others are not told apart from unused ones.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import { recordOf } from "../../ledger/verify/chain-state.ts";
import type { Sha256 } from "../../spine/model.ts";
import type { Reading } from "../hold/session.ts";

/** `asked` is the digest of what was asked under the key. */
export type KeyAnswered = { readonly asked?: Sha256; readonly record?: LedgerRecord };

export const showAnswered = async (
  { actor, ledger }: Reading,
  { key }: { readonly key: string },
): Promise<KeyAnswered> => {
  const use = isUlid(key) ? await ledger.engine.lookup(actor.id, key) : undefined;
  if (use === undefined) return {};
  for await (const line of ledger.engine.read(use.seq, use.seq + 1))
    return { asked: use.request, record: recordOf(line, use.seq) };
  throw new Error(`the ledger cannot be read: record ${use.seq} is named by a key and is not there`);
};
