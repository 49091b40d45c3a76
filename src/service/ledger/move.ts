// move: the ledger to another location or engine; the source is sealed, and the copy goes on.
//
// Who asks is judged by the kernel before anything is written anywhere, and a person says yes to the seal while the
// ledger is held: what they were told is what is sealed. What is where after a crash is told in
// src/ledger/write/copy.ts; asking again finishes it. A copy that is lost: unseal.ts.

import { basename, join } from "node:path";
import { recordSealRefusal, sealAt } from "../../kernel/seal-ledger.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import type { LedgerLocation } from "../../ledger/engine.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import { rootOf } from "../../ledger/tree/merkle.ts";
import { type Copying, copyLedger } from "../../ledger/write/copy.ts";
import type { Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { type RefusedAnswer, refusedBy, refusedByKernel, type ServiceAnswer } from "../answer.ts";
import { checkRole, rolesOf } from "../path-roles.ts";
import type { TargetAddress } from "../ports.ts";
import { type ActGround, type Acting, actAt, judgeUnrecorded } from "./acting.ts";

/** What a person is asked to say yes to. */
export type SealAsked = { readonly from: string; readonly records: number; readonly to: string };
export type SealAnswer = "yes" | "declined" | "no-terminal";

export type MoveRequest = {
  /** Asked once, of a ledger that is not sealed yet. */
  readonly confirm: (asked: SealAsked) => Promise<SealAnswer>;
  readonly to: TargetAddress;
};

/** `seal` is the last record of the source; `size` and `root` are of the copy, with it. */
export type LedgerMoved = {
  readonly from: string;
  readonly root: Sha256;
  readonly seal: number;
  readonly size: number;
  readonly to: string;
};

export const moveLedger = async (
  ground: ActGround,
  { confirm, to }: MoveRequest,
): Promise<ServiceAnswer<LedgerMoved>> => {
  const target = ground.ports.ledger.target(to);
  if ("code" in target) return refusedBy(target);
  const shared = sharedWith(ground, target);
  if (shared !== undefined) return refusedBy(shared);
  return actAt(ground, "copy", async (acting) => {
    const refused = await judgeMove(acting, target);
    if (refused !== undefined) return refused;
    // A seal that stands was said yes to; what is left is to finish its copy.
    const unconfirmed = acting.ledger.seal === undefined ? await askFirst(acting, target, confirm) : undefined;
    return unconfirmed ?? copyTo(acting, target);
  });
};

/** A copy that would be written over anything of this installation, or beside it under its names. */
const sharedWith = ({ configuration, ports }: ActGround, target: LedgerLocation): Refusal | undefined => {
  const { config, file, home } = configuration;
  const ledger = ports.ledger.claims(config.ledger, home);
  const own = rolesOf({ config, file: join(home, basename(file)), home, ledger });
  return checkRole({ claims: target.claims(), role: "move-target" }, own);
};

/** A sealed ledger takes no record of a refusal; every other does. */
const judgeMove = async (acting: Acting, target: LedgerLocation): Promise<RefusedAnswer | undefined> => {
  const { brings, kernel: desk, ledger, writer } = acting;
  const { tree } = writer.chain();
  const asked = {
    copy: sha256(desk.ids()),
    kind: "ledger.seal",
    root: rootOf(tree),
    to: await target.name(),
    ...brings,
  } as const;
  if (ledger.seal !== undefined) return judgeUnrecorded(acting, { ...asked, size: tree.size });
  const refusals = await recordSealRefusal({ desk, engine: ledger.engine, writer }, asked);
  return refusals.length === 0 ? undefined : refusedByKernel(refusals);
};

const askFirst = async (
  { ledger, writer }: Acting,
  target: LedgerLocation,
  confirm: MoveRequest["confirm"],
): Promise<RefusedAnswer | undefined> => {
  const asked = { from: ledger.engine.name, records: writer.state().size, to: await target.name() };
  const answer = await confirm(asked);
  return answer === "yes" ? undefined : refusedByKernel([refuse("seal-unconfirmed", { cause: answer })]);
};

const copyTo = async (acting: Acting, location: LedgerLocation): Promise<ServiceAnswer<LedgerMoved>> => {
  const { brings, kernel, ledger, watch, writer } = acting;
  const { engine: source, seal: sealed } = ledger;
  const elsewhere = sealed === undefined ? undefined : await goesOnElsewhere(location, source.name, sealed);
  if (elsewhere !== undefined) return refusedBy(elsewhere);
  const opened = await location.open("write");
  if (opened.kind === "refused") return refusedBy(opened.refusal);
  const { engine: target } = opened;
  const sealSource: Copying["sealAt"] = (chain, sealing) =>
    sealAt({ desk: kernel, engine: source, writer }, chain, { kind: "ledger.seal", ...sealing, ...brings });
  try {
    const copied = await copyLedger({
      isVoid: (copy) => get(writer.state().voided, copy) !== undefined,
      nextId: kernel.ids,
      onProgress: (at, records) => watch({ at, records }),
      sealAt: sealSource,
      source,
      target,
    });
    if (copied.kind === "refused") return refusedBy(copied.refusal);
    const { head, root, seal } = copied;
    const value = { from: source.name, root, seal: seal.seq, size: head.size, to: target.name };
    return { head, kind: "ok", record: seal, replayed: false, value };
  } finally {
    await target.close();
  }
};

/**
 * Opening for writing would make a ledger. Of a sealed one a copy was begun before: where there is none, it is not this
 * one.
 */
const goesOnElsewhere = async (
  location: LedgerLocation,
  name: string,
  { seq }: LedgerRecord,
): Promise<Refusal | undefined> => {
  const found = await location.open("read");
  if (found.kind === "open") return void (await found.engine.close());
  return found.refusal.code === "ledger-absent"
    ? refuse("ledger-sealed", { cause: "sealed-for-another", facts: { name, seq } })
    : found.refusal;
};
