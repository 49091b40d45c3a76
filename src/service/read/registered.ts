// What is registered for an environment, and the blobs that records name, as texts.
//
// A blob is found by its digest, so what comes back is what was recorded, and is not judged again here.

import { get } from "../../kernel/state/persistent-map.ts";
import type { State } from "../../kernel/state/state.ts";
import type { Engine } from "../../ledger/engine.ts";
import type { DesiredEntry, DesiredState, Sha256 } from "../../spine/model.ts";

export const readBlobText = async (engine: Pick<Engine, "blob">, digest: Sha256): Promise<string> => {
  const bytes = await engine.blob(digest);
  if (bytes === undefined) throw new Error(`the ledger cannot be read: the blob ${digest} is missing`);
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
};

/** What is registered for an environment; undefined when nothing is. */
export const readRegisteredIn = async (
  engine: Engine,
  state: State,
  environment: string,
): Promise<DesiredState | undefined> => {
  const desired = get(state.desired, environment);
  if (desired === undefined) return undefined;
  return { digest: desired.digest, environment, entries: await readEntries(engine, desired.digest) };
};

/** Of one registration, whether it is the last or not. */
export const readEntries = async (
  engine: Pick<Engine, "blob">,
  registration: Sha256,
): Promise<readonly DesiredEntry[]> => {
  const { entries }: { readonly entries: readonly DesiredEntry[] } = JSON.parse(
    await readBlobText(engine, registration),
  );
  return entries;
};
