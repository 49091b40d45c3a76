// exportPieces(): the parts of an export, and where the ledger cannot be read to its end, why. A bug rises.

import type { Engine } from "../engine.ts";
import { readRefusal } from "../open.ts";
import type { Signer } from "../tree/signer.ts";
import { type Exporting, type ExportPiece, exportParts } from "./export-parts.ts";

export async function* exportPieces(engine: Engine, signer: Signer, exporting: Exporting): AsyncGenerator<ExportPiece> {
  try {
    yield* exportParts(engine, signer, exporting);
  } catch (error) {
    yield { kind: "broken", refusal: readRefusal(error) };
  }
}
