// join: one more instance at a ledger that has records, each with an anchor and a signing key of its own.
//
// An operator's recorded act. The whole ledger is verified, every decision replayed, and all of it held against the
// anchor of an instance that is there already, whose public key came by another way. Nothing of the others is void by
// it, which is why an instance that had an anchor does not join: it begins a new one (re-anchor.ts). The act is the
// only record, and nothing is signed before it is durable. keeps N7

import { isText } from "../../formats/fields.ts";
import type { RequestOf } from "../../kernel/command/request.ts";
import { openWriterOn } from "../../kernel/writer.ts";
import { keyDigest } from "../../ledger/anchor/anchor-claim.ts";
import type { SignedNote } from "../../ledger/tree/checkpoint.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import {
  type RefusedAnswer,
  refusedBeside,
  refusedBy,
  refusedByKernel,
  refusedInput,
  type ServiceAnswer,
} from "../answer.ts";
import { withLedger } from "../hold/open-ledger.ts";
import { type ActGround, beginActing, granted, judgeUnrecorded, recordAct } from "./acting.ts";
import { beginAnchor, locateConfiguredAnchor, probeNewAnchor } from "./begin-anchor.ts";
import { covering, type FileNamed, readNamedAnchor, readVkey } from "./held-against.ts";
import { verifyToAccept } from "./verify-to-accept.ts";

export type JoinRequest = {
  /** The anchor of an instance that is there, or one note of it. */
  readonly anchor: FileNamed;
  /** The public key of that instance. */
  readonly key: string;
  readonly reason: string;
};

export type LedgerJoined = Pick<RequestOf<"ledger.join">, "reason" | "root" | "size"> & {
  readonly anchor: string;
  /** How many records the other instance's checkpoints cover. */
  readonly covered: number;
  readonly seq: number;
};

export const joinLedger = async (ground: ActGround, request: JoinRequest): Promise<ServiceAnswer<LedgerJoined>> => {
  const { reason } = request;
  if (!isText(reason)) {
    return refusedInput([refuse("usage", { cause: "not-a-text", facts: { argument: "reason" } })]);
  }
  const shown = readShown(request);
  if ("kind" in shown) return shown;
  const place = locateConfiguredAnchor(ground.configuration);
  return withLedger<ServiceAnswer<LedgerJoined>>({ ...ground, mode: "join" }, async (ledger, desk) => {
    const verified = await verifyToAccept(ledger.engine, shown.notes, ground.watch);
    if ("code" in verified) return refusedBy(verified);
    const writer = await openWriterOn(ledger.engine);
    try {
      const acting = beginActing({ desk, ledger, writer }, ground);
      if ("code" in acting) return refusedByKernel([acting]);
      const { root, size } = shown.last.checkpoint;
      const held = { key: keyDigest(request.key), root, size };
      const key = keyDigest(desk.signer.vkey);
      const join = { held, key, kind: "ledger.join", reason, ...verified, ...acting.brings } as const;
      const refused = judgeUnrecorded(acting, join);
      if (refused !== undefined) return refused;
      const obstacle = probeNewAnchor(desk);
      if (obstacle !== undefined) return refusedBy(obstacle);
      const acted = await recordAct(acting, join);
      if ("kind" in acted) return acted;
      const { record } = acted;
      const begun = beginAnchor(desk, writer.chain(), record.seq, place);
      // Its record stands.
      if ("code" in begun) return refusedBeside(begun);
      const { anchor } = desk.config;
      return granted(acting, record, { anchor, covered: size, reason, seq: record.seq, ...verified });
    } finally {
      await writer.close();
    }
  });
};

type Shown = { readonly last: SignedNote; readonly notes: readonly SignedNote[] };

/** The checkpoints of the other instance that cover a record, and the one that covers the most. */
const readShown = ({ anchor, key }: JoinRequest): Shown | RefusedAnswer => {
  const owned = readVkey({ key, kind: "given" });
  if ("kind" in owned) return owned;
  const read = readNamedAnchor(anchor, undefined, owned.vkey);
  if (read.kind === "refused") return read;
  const notes = covering(read.notes);
  const [last] = notes.toSorted((one, other) => other.checkpoint.size - one.checkpoint.size);
  return last === undefined
    ? refusedByKernel([refuse("join-unfounded", { cause: "uncovered", facts: { covered: 0 } })])
    : { last, notes };
};
