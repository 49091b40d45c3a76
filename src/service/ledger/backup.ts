// backup: the ledger as it stands, online, as an export in a folder of its own that was verified before it has its
// name.
//
// An export is all that a restore needs: a record names its caller, its key and what was asked, so the lines say which
// keys are used. What others write meanwhile is not in it. A ledger that ends with a seal is not backed up, because
// nothing in the records would say whether it is the one that goes on. Not here: the way back (restore.ts), the signing
// key, which is never beside what it signs.

import { readStateOn } from "../../kernel/read-state.ts";
import type { Engine } from "../../ledger/engine.ts";
import { sealIn } from "../../ledger/record/copy-marks.ts";
import { type Broken, isWrittenTo, writeExport } from "../../ledger/write/export-folder.ts";
import { exportPieces } from "../../ledger/write/export-pieces.ts";
import type { Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { refusedBy, refusedByKernel, refusedInput, type ServiceAnswer } from "../answer.ts";
import { proveReader } from "../hold/callers.ts";
import { savedStateAt, withLedger } from "../hold/open-ledger.ts";
import type { Configuration } from "../ports.ts";
import type { Watch } from "../progress.ts";
import type { ActGround } from "./acting.ts";
import type { FileNamed } from "./held-against.ts";
import { probeNewFolder, writeProblem } from "./new-folder.ts";
import { verifyExportFolder } from "./verify-evidence.ts";

export type BackupRequest = { readonly to: FileNamed };

/** `key` is what it is verified with elsewhere. */
export type LedgerBackedUp = {
  readonly blobs: number;
  readonly folder: string;
  readonly key: string;
  readonly name: string;
  readonly root: Sha256;
  readonly size: number;
};

export const backUpLedger = async (
  { caller, configuration, ports, watch }: ActGround,
  { to }: BackupRequest,
): Promise<ServiceAnswer<LedgerBackedUp>> => {
  const obstacle = probeNewFolder(to);
  if (obstacle !== undefined) return refusedInput([obstacle]);
  return withLedger<ServiceAnswer<LedgerBackedUp>>(
    { configuration, mode: "read", ports, watch },
    async (ledger, desk) => {
      const { engine } = ledger;
      const folded = await readStateOn(engine, savedStateAt(ledger, desk));
      const proven = proveReader(caller, folded, desk.config.operator, ports.clock.now(), "export");
      if ("code" in proven) return refusedByKernel([proven]);
      const { head } = folded;
      const sealed = await sealedRefusal(engine, head.size);
      if (sealed !== undefined) return refusedByKernel([sealed]);
      const { signer } = desk;
      const onProgress = (records: number, of: number): void => watch({ at: "exporting", of, records });
      const pieces = exportPieces(engine, signer, { isKept: isWrittenTo(to.path), onProgress, size: head.size });
      try {
        const written = await writeExport(to.path, pieces, (path) =>
          brokenIn({ name: to.name, path }, configuration, watch),
        );
        if ("kind" in written) return refusedBy(written.refusal);
        const { blobs, root, size } = written;
        const value = { blobs, folder: to.name, key: signer.vkey, name: engine.name, root, size };
        return { head, kind: "ok", replayed: false, value };
      } catch (error) {
        return refusedInput([writeProblem(to, error)]);
      }
    },
  );
};

const sealedRefusal = async (engine: Engine, size: number): Promise<Refusal | undefined> => {
  for await (const line of engine.read(size - 1, size)) {
    const seal = sealIn(line);
    return seal === undefined ? undefined : refuse("backup-sealed", { facts: { seq: seal.seq } });
  }
  return undefined;
};

/** What was written, read again and held against our own key and anchor; undefined when it holds. */
const brokenIn = async (folder: FileNamed, configuration: Configuration, watch: Watch): Promise<Broken | undefined> => {
  const checked = await verifyExportFolder({ folder, owner: { configuration, kind: "own" } }, watch);
  const refusal = checked.kind === "refused" ? checked.refusals[0] : checked.value.refusal;
  return refusal === undefined ? undefined : { kind: "broken", refusal };
};
