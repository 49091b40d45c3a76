// The whole ledger as files that a stranger verifies with the public key alone, as they come.

import type { Exporting, ExportPiece } from "../../ledger/write/export-parts.ts";
import { exportPieces } from "../../ledger/write/export-pieces.ts";
import type { OpenLedger } from "../hold/holding.ts";
import type { Watch } from "../progress.ts";

/** Without `isKept` it is remembered here which files were sent. */
export type ExportRequest = { readonly isKept?: Exporting["isKept"] };

/** The key is to be handed on by another way than the files. */
export type LedgerExport = { readonly key: string; readonly pieces: AsyncIterable<ExportPiece> };

export const exportRecords = async (
  { desk, ledger }: Pick<OpenLedger, "desk" | "ledger">,
  { isKept = sentBefore() }: ExportRequest,
  watch: Watch,
): Promise<LedgerExport> => {
  const { engine } = ledger;
  const { size } = await engine.head();
  const onProgress = (records: number, of: number): void => watch({ at: "exporting", of, records });
  return { key: desk.signer.vkey, pieces: exportPieces(engine, desk.signer, { isKept, onProgress, size }) };
};

const sentBefore = (): Exporting["isKept"] => {
  const sent = new Set<string>();
  return (file) => {
    const isSent = sent.has(file);
    sent.add(file);
    return isSent;
  };
};
