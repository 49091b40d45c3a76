// restore: a ledger where there is none, from a backup, and an operator's record that says what was lost.
//
// The backup is verified whole, held against our own key and what is left of the anchor, and every decision in it is replayed,
// before anything is written; who asks is judged on the state that it leads to. Then it is written byte for byte and finished
// by one record, in which the anchor's size and root stand beside the backup's. A new anchor begins behind it, the old one is
// kept. After a kill anywhere nothing opens, and the same command finishes. keeps N7

import { resolve } from "node:path";
import { configSnapshot } from "../../formats/dedalus/config-snapshot.ts";
import { isText } from "../../formats/fields.ts";
import { bringing } from "../../kernel/command/program.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import type { RequestOf } from "../../kernel/command/request.ts";
import { type CommandDesk, commandOf } from "../../kernel/command-desk.ts";
import { decide } from "../../kernel/decide/decide.ts";
import { replay } from "../../kernel/replay-ledger.ts";
import { openIntents } from "../../kernel/state/recovery.ts";
import type { State } from "../../kernel/state/state.ts";
import { writerOn } from "../../kernel/writer.ts";
import { readAnchor } from "../../ledger/anchor/anchor-fit.ts";
import type { Engine, Head, LedgerLocation } from "../../ledger/engine.ts";
import type { Draft, LedgerRecord } from "../../ledger/record/record.ts";
import { rootOf } from "../../ledger/tree/merkle.ts";
import { type ChainState, chainStateOf, type Root, recordOf } from "../../ledger/verify/chain-state.ts";
import { chainedPages } from "../../ledger/verify/chained.ts";
import { draftAt } from "../../ledger/write/act.ts";
import { stoppable } from "../../ledger/write/carry.ts";
import { exportSource } from "../../ledger/write/export-source.ts";
import { judgeTarget, restoreIdOf, restoreLines } from "../../ledger/write/restore.ts";
import { finishedMark } from "../../ledger/write/sealed.ts";
import type { Refusal } from "../../spine/model.ts";
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
import { readSigner } from "../hold/open-ledger.ts";
import { differs } from "../read/history.ts";
import { blobText } from "../read/recorded.ts";
import { type ActGround, commandDesk } from "./acting.ts";
import { beginAnchor, unwritableNewAnchor } from "./begin-anchor.ts";
import type { FileNamed } from "./held-against.ts";
import { verifyExportFolder } from "./verify-evidence.ts";

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
  try {
    const backup = await verifyBackup(ground, from);
    if ("domain" in backup) return backup;
    const judged = judge(ground, backup, reason);
    if ("domain" in judged) return judged;
    return (await refusedPlace(ground, location, backup)) ?? (await restoreAt(ground, location, backup, judged));
  } catch (error) {
    return unreadable(error);
  }
};

/** A backup that holds: where it ends, the state that it leads to, and the most that our anchor covered. */
type Backup = Root & {
  readonly anchored?: Root;
  readonly floor: LedgerRecord["processTime"] | undefined;
  readonly source: ReturnType<typeof exportSource>;
  readonly state: State;
};

const verifyBackup = async (
  { configuration, watch }: ActGround,
  folder: FileNamed,
): Promise<Backup | RefusedAnswer> => {
  const checked = await verifyExportFolder({ folder, owner: { configuration, kind: "own" } }, watch);
  if (checked.kind === "refused") return checked;
  const { audit, refusal } = checked.value;
  if (refusal !== undefined) return refusedBy(refusal);
  const { head, root } = audit;
  const { size } = head;
  const source = exportSource(folder.path, head);
  watch({ at: "replaying", records: 0 });
  const replayed = await replay(chainedPages(source, size), (digest) => blobText(source, digest));
  if (replayed.kind !== "equal") return refusedBy(differs(replayed));
  const anchored = mostAnchored(configuration);
  if ("domain" in anchored) return anchored;
  return { ...anchored, floor: await floorOf(source, size), root, size, source, state: replayed.state };
};

const floorOf = async (source: Pick<Engine, "read">, size: number): Promise<Backup["floor"]> => {
  for await (const line of source.read(size - 1, size)) return recordOf(line, size - 1).processTime;
  return undefined;
};

const mostAnchored = (configuration: ActGround["configuration"]): Pick<Backup, "anchored"> | RefusedAnswer => {
  const signer = readSigner(configuration);
  if ("kind" in signer) return refusedBy(signer);
  const { notes } = readAnchor(resolve(configuration.home, configuration.config.anchor), signer.vkey);
  const [most] = notes.map(({ checkpoint }) => checkpoint).sort((a, b) => b.size - a.size);
  return most === undefined || most.size === 0 ? {} : { anchored: { root: most.root, size: most.size } };
};

/** Who asks for what, judged on the state that the backup leads to. */
type Judged = { readonly desk: CommandDesk; readonly request: Restoring };

const judge = (
  { caller, configuration, ports }: ActGround,
  { anchored, floor, root, size, state }: Backup,
  reason: string,
): Judged | RefusedAnswer => {
  const { config, policies } = configuration;
  const proven = proveCaller(caller, state, config.operator, ports.clock.now());
  if ("code" in proven) return refusedByKernel([proven]);
  const desk = commandDesk({ config, policies, ports }, proven);
  const request: Restoring = {
    ...present({ anchored }),
    copy: restoreIdOf({ root, size }),
    kind: "ledger.restore",
    reason,
    root,
    size,
    ...bringing(configSnapshot(config, policies), ports.version),
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
  const obstacle = unwritableNewAnchor(configuration);
  if (obstacle !== undefined) return refusedBy(obstacle);
  const opened = await location.open("read");
  if (opened.kind === "refused") return opened.refusal.code === "ledger-absent" ? undefined : refusedBy(opened.refusal);
  try {
    const found = await judgeTarget(opened.engine, backup);
    if (found.kind === "refused") return refusedBy(found.refusal);
    const isDone = found.kind === "recorded" && (await isAnchorBegun(configuration, opened.engine));
    return isDone ? refusedBy(occupied(opened.engine.name, backup.size + 1)) : undefined;
  } finally {
    await opened.engine.close();
  }
};

const occupied = (name: string, size: number): Refusal =>
  refuse("target-occupied", { cause: "other-ledger", facts: { name, size } });

/** Whether the anchor that begins behind the record of this restore is there. */
const isAnchorBegun = async (configuration: ActGround["configuration"], engine: Engine): Promise<boolean> => {
  const signer = readSigner(configuration);
  if ("kind" in signer) return false;
  const [first] = readAnchor(resolve(configuration.home, configuration.config.anchor), signer.vkey).notes;
  const { tree } = await chainStateOf(engine);
  return first?.checkpoint.size === tree.size && first.checkpoint.root === rootOf(tree);
};

const restoreAt = async (
  ground: ActGround,
  location: LedgerLocation,
  backup: Backup,
  judged: Judged,
): Promise<ServiceAnswer<LedgerRestored>> => {
  const opened = await location.open("write");
  if (opened.kind === "refused") return refusedBy(opened.refusal);
  const { engine } = opened;
  try {
    const found = await judgeTarget(engine, backup);
    if (found.kind === "refused") return refusedBy(found.refusal);
    const recorded =
      found.kind === "recorded" ? await readRecorded(engine, backup) : await write(ground, engine, backup, judged);
    if ("domain" in recorded) return recorded;
    return await begin(ground, engine.name, backup, recorded);
  } finally {
    await engine.close();
  }
};

type Recorded = { readonly chain: ChainState; readonly record: LedgerRecord };

const readRecorded = async (engine: Engine, { size }: Root): Promise<Recorded> => {
  const chain = await chainStateOf(engine);
  for await (const line of engine.read(size, size + 1)) return { chain, record: recordOf(line, size) };
  throw new Error("the record of a restore that is finished is there");
};

const write = async (
  { watch }: ActGround,
  target: Engine,
  backup: Backup,
  { desk, request }: Judged,
): Promise<Recorded | RefusedAnswer> => {
  const onProgress = (at: "copying" | "reading back", records: number): void => watch({ at, records });
  const written = await stoppable(() => restoreLines({ onProgress, source: backup.source, target }, backup));
  if (written !== undefined) return refusedBy(written.refusal);
  // No saved state: one that is there is of the ledger before.
  const writer = await writerOn(target);
  try {
    const chain = writer.chain();
    const { draft } = decide(writer.state(), commandOf(desk, request), chain.floor);
    const refused = refusedIn(draft);
    if (refused !== undefined) return refused;
    const acted = await draftAt(target, chain, draft, [finishedMark(request.copy, request.size)]);
    if (acted.kind === "recorded") return acted;
    if (acted.kind === "conflict")
      return refusedBy(refuse("target-occupied", { cause: "other-writer", facts: { name: target.name } }));
    return refusedBy(refuse(acted.kind === "unknown" ? "record-doubtful" : "record-unwritten", acted.failure));
  } finally {
    await writer.close();
  }
};

const begin = async (
  { configuration, ports }: ActGround,
  name: string,
  { state }: Backup,
  { chain, record }: Recorded,
): Promise<ServiceAnswer<LedgerRestored>> => {
  const signer = readSigner(configuration);
  if ("kind" in signer) return refusedBeside(signer);
  const { seq } = record;
  const begun = beginAnchor({ ...configuration, ports, signer }, chain.tree, seq);
  // Its record stands; the same command begins the anchor.
  if ("code" in begun) return refusedBeside(begun);
  const { anchored, reason, root, size } = record.body["request"] as unknown as Restoring;
  const value: LedgerRestored = {
    anchor: configuration.config.anchor,
    ...present({ anchored }),
    blocked: openIntents(state).map(({ environment, vmid }) => ({ environment, vmid })),
    ...begun,
    lost: Math.max(0, (anchored?.size ?? 0) - size),
    name,
    reason,
    root,
    seq,
    size,
  };
  const head: Head = { hash: chain.hash, size: chain.tree.size };
  return { head, kind: "ok", record, replayed: false, value };
};
