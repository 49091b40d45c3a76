// What is left of a ledger after a cut, held against what its writers were told.

import type { Engine, Head } from "../../src/ledger/engine.ts";
import { recordHash } from "../../src/ledger/record/seal.ts";
import { verifyLines } from "../../src/ledger/verify/verify.ts";
import { verifyKeys } from "../../src/ledger/verify/verify-keys.ts";

export type Left = {
  /** Acknowledged lines that are not there. */
  readonly lost: number;
  /** Whatever else does not hold: a line that is another, a broken chain, a key that is wrong. */
  readonly flaws: readonly string[];
};

/** `acknowledged` are heads that a writer was told are durable. */
export const examine = async (engine: Engine, acknowledged: readonly Head[]): Promise<Left> => {
  const head = await engine.head();
  const hashes: string[] = [];
  const tapped = async function* (): AsyncGenerator<Uint8Array> {
    for await (const line of engine.read(0, head.size)) {
      hashes.push(recordHash(line));
      yield line;
    }
  };
  const lines = await verifyLines(tapped(), { checkpoints: [], mode: "full" });
  const keys = await verifyKeys(engine);
  const others = acknowledged.filter(({ hash, size }) => size <= hashes.length && hashes[size - 1] !== hash);
  return {
    flaws: [
      ...[...lines.findings, ...keys.findings].map(({ cause, seq, what }) => `record ${seq}: ${what}, ${cause}`),
      ...others.map(({ size }) => `record ${size - 1} is not the one that was acknowledged`),
      ...(lines.head.hash === head.hash ? [] : ["the head is not the last line"]),
    ],
    lost: Math.max(0, ...acknowledged.map(({ size }) => size - hashes.length)),
  };
};
