// restore: a ledger where there is none, from a backup, and an operator's record that says what was lost.
//
// The backup is verified whole, held against our own key and what is left of the anchor, and every decision in it is
// replayed, before anything is written; who asks is judged on the state that it leads to. Then it is written byte for
// byte and finished by one record, in which the anchor's size and root stand beside the backup's. A new anchor begins
// behind it, the old one is kept. After a kill nothing opens that is not finished, and the same command finishes it.
// keeps N7

import { configToRecord } from "../../formats/dedalus/config-to-record.ts";
import { isText } from "../../formats/fields.ts";
import { bringing } from "../../kernel/command/program.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import type { RequestOf } from "../../kernel/command/request.ts";
import { type CommandDesk, commandOf } from "../../kernel/command-desk.ts";
import { restoredFrom } from "../../kernel/evolve/restored.ts";
import { openIntents } from "../../kernel/state/recovery.ts";
import { decide } from "../../kernel/versions.ts";
import { openWriterOn } from "../../kernel/writer.ts";
import type { AnchorPlace } from "../../ledger/anchor/anchor-place.ts";
import type { Engine, Head, LedgerLocation } from "../../ledger/engine.ts";
import { finishedMark } from "../../ledger/record/copy-marks.ts";
import type { Draft, LedgerRecord } from "../../ledger/record/record.ts";
import { type ChainState, type Root, readChainState, recordOf } from "../../ledger/verify/chain-state.ts";
import { runStoppable } from "../../ledger/write/carry.ts";
import { appendDraft } from "../../ledger/write/record-act.ts";
import { judgeTarget, restoreIdOf, restoreLines } from "../../ledger/write/restore-lines.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import {
  type RefusedAnswer,
  refusedBeside,
  refusedBy,
  refusedByKernel,
  refusedInput,
  type ServiceAnswer,
  unreadable,
} from "../answer.ts";
import { proveCaller } from "../hold/callers.ts";
import { type ActGround, commandDesk } from "./acting.ts";
import { beginAnchor, locateConfiguredAnchor, probeNewAnchor } from "./begin-anchor.ts";
import type { FileNamed } from "./held-against.ts";
import { type Backup, mostAnchored, verifyBackup } from "./verify-backup.ts";

export type RestoreRequest = { readonly from: FileNamed; readonly reason: string };

type Restoring = RequestOf<"ledger.restore">;

export type LedgerRestored = Pick<Restoring, "anchored" | "reason" | "root" | "size"> & {
  readonly anchor: string;
  /** VMs whose intents were open in the backup: each is blocked until it is reconciled. */
  readonly blocked: readonly { readonly environment: string; readonly vmid: number }[];
  /** What was left of the old anchor, under its new name. */
  readonly kept?: string;
  /** How many records the anchor covered that the backup has not; others may be lost beside them. */
  readonly lost: number;
  readonly name: string;
  readonly seq: number;
};

export const restoreLedger = async (
  ground: ActGround,
  { from, reason }: RestoreRequest,
): Promise<ServiceAnswer<LedgerRestored>> => {
  if (!isText(reason)) {
    return refusedInput([refuse("usage", { cause: "not-a-text", facts: { argument: "reason" } })]);
  }
  const { configuration, ports } = ground;
  const location = ports.ledger.location(configuration.config.ledger, configuration.home);
  if ("code" in location) return refusedBy(location);
  // Before it is read: what another restore begins meanwhile is not what was found here.
  const place = locateConfiguredAnchor(configuration);
  try {
    const backup = await verifyBackup(configuration, from, ground.watch);
    if ("domain" in backup) return backup;
    const judged = judge(ground, backup, reason);
    if ("domain" in judged) return judged;
    return (
      (await refusedPlace(ground, location, backup)) ?? (await restoreAt(ground, location, { backup, judged, place }))
    );
  } catch (error) {
    return unreadable(error);
  }
};

/** Who asks for what, judged on the state that the backup leads to. */
type Judged = { readonly desk: CommandDesk; readonly request: Restoring };

const judge = ({ caller, configuration, ports }: ActGround, backup: Backup, reason: string): Judged | RefusedAnswer => {
  const { floor, root, size, state } = backup;
  const { config, policies } = configuration;
  const proven = proveCaller(caller, { floor, state }, config.operator, ports.clock.now());
  if ("code" in proven) return refusedByKernel([proven]);
  const desk = commandDesk({ config, policies, ports }, proven);
  const request: Restoring = {
    ...present({ anchored: mostAnchored(backup) }),
    copy: restoreIdOf({ root, size }),
    kind: "ledger.restore",
    reason,
    root,
    size,
    ...bringing(configToRecord(config, policies), ports.version),
  };
  const { draft } = decide(state, commandOf(desk, request), floor);
  return refusedIn(draft) ?? { desk, request };
};

const refusedIn = (draft: Draft): RefusedAnswer | undefined => {
  const result = bodyOf(draft)?.result;
  return result?.kind === "refused" ? refusedByKernel(result.refusals) : undefined;
};

/** Why nothing can be restored to there; it is only read. */
const refusedPlace = async (
  { configuration }: ActGround,
  location: LedgerLocation,
  backup: Backup,
): Promise<RefusedAnswer | undefined> => {
  const obstacle = probeNewAnchor(configuration);
  if (obstacle !== undefined) return refusedBy(obstacle);
  const opened = await location.open("read");
  if (opened.kind === "refused") return opened.refusal.code === "ledger-absent" ? undefined : refusedBy(opened.refusal);
  try {
    const found = await judgeTarget(opened.engine, backup, backup.checkpoints[0]);
    return found.kind === "refused" ? refusedBy(found.refusal) : undefined;
  } finally {
    await opened.engine.close();
  }
};

const restoreAt = async (
  ground: ActGround,
  location: LedgerLocation,
  { backup, judged, place }: { readonly backup: Backup; readonly judged: Judged; readonly place: AnchorPlace },
): Promise<ServiceAnswer<LedgerRestored>> => {
  const opened = await location.open("write");
  if (opened.kind === "refused") return refusedBy(opened.refusal);
  const { engine } = opened;
  try {
    const found = await judgeTarget(engine, backup, backup.checkpoints[0]);
    if (found.kind === "refused") return refusedBy(found.refusal);
    const recorded =
      found.kind === "recorded" ? await readRecorded(engine, backup) : await write(ground, engine, backup, judged);
    if ("domain" in recorded) return recorded;
    return beginAgain(ground, engine.name, backup, recorded, place);
  } finally {
    await engine.close();
  }
};

type Recorded = { readonly chain: ChainState; readonly record: LedgerRecord };

const readRecorded = async (engine: Engine, { size }: Root): Promise<Recorded> => {
  const chain = await readChainState(engine);
  for await (const line of engine.read(size, size + 1)) return { chain, record: recordOf(line, size) };
  throw new Error("the record of a restore that is finished is there");
};

const write = async (
  { watch }: ActGround,
  target: Engine,
  backup: Backup,
  { desk, request }: Judged,
): Promise<Recorded | RefusedAnswer> => {
  const onProgress = (at: "copying" | "reading-back", records: number): void => watch({ at, records });
  const written = await runStoppable(() => restoreLines({ onProgress, source: backup.source, target }, backup));
  if (written !== undefined) return refusedBy(written.refusal);
  // No saved state: one that is there is of the ledger before.
  const writer = await openWriterOn(target);
  try {
    const chain = writer.chain();
    const { draft } = decide(writer.state(), commandOf(desk, request), chain.floor);
    const refused = refusedIn(draft);
    if (refused !== undefined) return refused;
    const acted = await appendDraft(target, chain, draft, [finishedMark(request.copy, request.size)]);
    if (acted.kind === "recorded") return acted;
    if (acted.kind === "conflict")
      return refusedBy(refuse("target-occupied", { cause: "other-writer", facts: { name: target.name } }));
    return refusedBy(refuse(acted.kind === "unknown" ? "record-doubtful" : "record-unwritten", acted.failure));
  } finally {
    await writer.close();
  }
};

const beginAgain = (
  { configuration, ports }: ActGround,
  name: string,
  { signer, state }: Backup,
  { chain, record }: Recorded,
  place: AnchorPlace,
): ServiceAnswer<LedgerRestored> => {
  const { seq } = record;
  const begun = beginAnchor({ ...configuration, ports, signer }, chain, seq, place);
  // Its record stands; the same command begins the anchor.
  if ("code" in begun) return refusedBeside(begun);
  const body = bodyOf(record);
  if (body?.kind !== "ledger.restore") throw new Error("what finishes a restore is the record of it");
  const { anchored, reason, root, size } = body.request;
  const value: LedgerRestored = {
    anchor: configuration.config.anchor,
    ...present({ anchored }),
    blocked: openIntents(state).map(({ environment, vmid }) => ({ environment, vmid })),
    ...begun,
    lost: restoredFrom(body.request).lost,
    name,
    reason,
    root,
    seq,
    size,
  };
  const head: Head = { hash: chain.hash, size: chain.tree.size };
  return { head, kind: "ok", record, replayed: false, value };
};
