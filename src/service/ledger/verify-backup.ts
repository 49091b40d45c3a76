// A backup, verified whole before anything is made of it: as an export with our own key, against what is left of our
// anchor, and every decision in it made again.
//
// What does not hold is a refusal. Not here: what is made of it (restore.ts).

import { resolve } from "node:path";
import { replay } from "../../kernel/replay-ledger.ts";
import type { State } from "../../kernel/state/state.ts";
import { readAnchor } from "../../ledger/anchor/anchor-fit.ts";
import type { Engine } from "../../ledger/engine.ts";
import type { Checkpoint } from "../../ledger/tree/checkpoint.ts";
import type { Signer } from "../../ledger/tree/signer.ts";
import { type Root, recordOf } from "../../ledger/verify/chain-state.ts";
import { readChainedPages } from "../../ledger/verify/chained.ts";
import { exportSource } from "../../ledger/write/export-source.ts";
import type { Instant } from "../../spine/model.ts";
import { type RefusedAnswer, refusedBy } from "../answer.ts";
import { readSigner } from "../hold/open-ledger.ts";
import type { Configuration } from "../ports.ts";
import type { Watch } from "../progress.ts";
import { readBlobText } from "../read/registered.ts";
import { differs } from "../read/replay-records.ts";
import type { FileNamed } from "./held-against.ts";
import { verifyExportFolder } from "./verify-evidence.ts";

/** A backup that holds: where it ends, and the state that it leads to. */
export type Backup = Root & {
  /** What our anchor covered, in its order. */
  readonly checkpoints: readonly Checkpoint[];
  readonly floor: Instant | undefined;
  readonly signer: Signer;
  readonly source: ReturnType<typeof exportSource>;
  readonly state: State;
};

export const verifyBackup = async (
  configuration: Configuration,
  folder: FileNamed,
  watch: Watch,
): Promise<Backup | RefusedAnswer> => {
  const signer = readSigner(configuration);
  if ("kind" in signer) return refusedBy(signer);
  const checked = await verifyExportFolder({ folder, owner: { configuration, kind: "own" } }, watch);
  if (checked.kind === "refused") return checked;
  const { audit, refusal } = checked.value;
  if (refusal !== undefined) return refusedBy(refusal);
  const { head, root } = audit;
  const { size } = head;
  const source = exportSource(folder.path, head);
  watch({ at: "replaying", records: 0 });
  const replayed = await replay(readChainedPages(source, size), (digest) => readBlobText(source, digest));
  if (replayed.kind !== "equal") return refusedBy(differs(replayed));
  const { notes } = readAnchor(resolve(configuration.home, configuration.config.anchor), signer.vkey);
  const checkpoints = notes.map(({ checkpoint }) => checkpoint);
  return { checkpoints, floor: await readFloor(source, size), root, signer, size, source, state: replayed.state };
};

const readFloor = async (source: Pick<Engine, "read">, size: number): Promise<Instant | undefined> => {
  for await (const line of source.read(size - 1, size)) return recordOf(line, size - 1).processTime;
  return undefined;
};

/** The most that our anchor covered; nothing where it is lost, or covered no record yet. */
export const mostAnchored = ({ checkpoints }: Backup): Root | undefined => {
  const [most] = checkpoints.toSorted((a, b) => b.size - a.size);
  return most === undefined || most.size === 0 ? undefined : { root: most.root, size: most.size };
};
