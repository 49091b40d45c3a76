// A whole ledger verified before an operator accepts it: every line, link, blob and key, every checkpoint that there
// is, and every decision made again. What others write later is not among it.

import { replay } from "../../kernel/replay-ledger.ts";
import type { Engine } from "../../ledger/engine.ts";
import type { SignedNote } from "../../ledger/tree/checkpoint.ts";
import type { Root } from "../../ledger/verify/chain-state.ts";
import { readChainedPages } from "../../ledger/verify/chained.ts";
import { findingRefusal } from "../../ledger/verify/verify-ledger.ts";
import { auditLedger } from "../../ledger/verify/verify-whole.ts";
import type { Refusal } from "../../spine/model.ts";
import type { Watch } from "../progress.ts";
import { readBlobText } from "../read/registered.ts";
import { differs } from "../read/replay-records.ts";

export const verifyToAccept = async (
  engine: Engine,
  notes: readonly SignedNote[],
  watch: Watch,
): Promise<Root | Refusal> => {
  const checkpoints = notes.map(({ checkpoint }) => checkpoint);
  const onProgress = (records: number): void => watch({ at: "verifying", records });
  const { findings, findingsCount, records: size, root } = await auditLedger(engine, { checkpoints, onProgress });
  const [first] = findings;
  if (first !== undefined) return findingRefusal(first, findingsCount);
  const replayed = await replay(readChainedPages(engine, size), (digest) => readBlobText(engine, digest));
  return replayed.kind === "equal" ? { root, size } : differs(replayed);
};
