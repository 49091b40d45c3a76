// readLineAt(): one line of a ledger by its seq; undefined where the ledger ends before it.

import type { Engine } from "../engine.ts";

export const readLineAt = async (engine: Pick<Engine, "read">, seq: number): Promise<Uint8Array | undefined> => {
  for await (const line of engine.read(seq, seq + 1)) return line;
  return undefined;
};
