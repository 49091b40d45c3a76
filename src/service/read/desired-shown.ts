// What is registered for an environment: every entry, and the record that registered them. No file is read and no
// provider asked. Not here: how the VMs were seen (vms.ts), the file beside it (desired-file-seen.ts).

import { get } from "../../kernel/state/persistent-map.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { DesiredVm, Sha256 } from "../../spine/model.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { Reading } from "../hold/session.ts";
import { readRegisteredIn } from "./registered.ts";

export type DesiredShown = {
  readonly entries: readonly DesiredVm[];
  readonly environment: string;
  /** The record, and the digest of what it registered; absent where nothing is registered. */
  readonly registration?: { readonly digest: Sha256; readonly id: Ulid };
};

export const showDesired = async (
  { desk, ledger, state }: Reading,
  request: { readonly environment?: string },
): Promise<DesiredShown | RefusedAnswer> => {
  const at = environmentAt(request.environment, desk);
  if ("code" in at) return refusedInput([at]);
  const { name: environment } = at;
  const known = get(state.desired, environment);
  const registered = await readRegisteredIn(ledger.engine, state, environment);
  if (known === undefined || registered === undefined) return { entries: [], environment };
  const { digest, id } = known;
  const entries = registered.entries.filter((entry) => entry.kind === "desired");
  return { entries, environment, registration: { digest, id } };
};
