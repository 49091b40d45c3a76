// A ledger exported into a folder at one go, as a command does it: the parts as they come, and the writer of a folder.

import assert from "node:assert/strict";
import type { Engine } from "../../src/ledger/engine.ts";
import type { Signer } from "../../src/ledger/tree/signer.ts";
import { isWrittenTo, writeExport } from "../../src/ledger/write/export-folder.ts";
import { type Exported, exportParts } from "../../src/ledger/write/export-parts.ts";

export const exportLedger = async (
  engine: Engine,
  signer: Signer,
  folder: string,
  onProgress: (records: number, of: number) => void,
): Promise<Exported> => {
  const { size } = await engine.head();
  const parts = exportParts(engine, signer, { isKept: isWrittenTo(folder), onProgress, size });
  const written = await writeExport(folder, parts);
  return "kind" in written ? assert.fail(written.refusal.code) : written;
};
