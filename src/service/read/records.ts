// The records themselves, as they come, each held against the one before; and the proof of one. Memory stays small
// whatever the range, and following has no end but the one that its signal says.

import { RECORD_KINDS } from "../../kernel/command/record-kinds.ts";
import { type Reader, readerRefusal } from "../../kernel/decide/actors.ts";
import type { Engine } from "../../ledger/engine.ts";
import { readRefusal } from "../../ledger/open.ts";
import { readRecord } from "../../ledger/record/read-record.ts";
import { GENESIS, isSize, type LedgerRecord } from "../../ledger/record/record.ts";
import { linkFlaw, recordHash } from "../../ledger/record/seal.ts";
import { LedgerDamage } from "../../ledger/verify/damage.ts";
import { keptBlocks } from "../../ledger/verify/kept-blocks.ts";
import { type Proven, proveRecord } from "../../ledger/verify/prove.ts";
import type { Refusal, Sha256, Vmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type RefusedAnswer, refusedByKernel, refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { OpenLedger } from "../hold/holding.ts";
import type { Sight } from "../hold/sight.ts";
import { readCandidates } from "./candidates.ts";
import { concerning } from "./concerning.ts";
import { findIndexed, type Indexed } from "./indexed-records.ts";
import { readKnownVms } from "./known-vms.ts";
import { resolveVm, type VmRef, vmidIn } from "./vm-references.ts";

/**
 * Seqs from `from` on and before `to`; of a kind (or everything below it), an undertaking, a VM. Of one environment for
 * whoever has a role there; of all, with those that are of none, for whoever audits or operates all.
 */
export type RecordsRequest = {
  readonly correlationId?: string;
  readonly environment?: string;
  readonly from: number;
  readonly kind?: string;
  readonly to?: number;
  /** Goes on with what comes later, until it aborts. */
  readonly until?: AbortSignal;
  /** A number is taken as it is: a ledger also remembers VMs that are no longer registered. */
  readonly vmid?: VmRef;
};

/** `line` is the record exactly as it was written. What is broken is the last piece. */
export type RecordPiece =
  | { readonly kind: "record"; readonly line: Uint8Array; readonly record: LedgerRecord }
  | { readonly kind: "broken"; readonly refusal: Refusal; readonly seq: number };

/** What is walked over, and who asks. */
export type RecordsGround = Pick<OpenLedger, "desk" | "folded" | "index" | "ledger"> & {
  readonly caller: Reader;
  readonly sees: Sight;
};

export const showRecords = async (
  { caller, desk, folded, index, ledger, sees }: RecordsGround,
  request: RecordsRequest,
): Promise<{ readonly pieces: AsyncIterable<RecordPiece> } | RefusedAnswer> => {
  const { environment } = request;
  const unseen = environment === undefined ? readerRefusal(caller, "records") : undefined;
  if (unseen !== undefined) return refusedByKernel([unseen]);
  const named = environment === undefined ? undefined : environmentAt(environment, desk);
  if (named !== undefined && "code" in named) return refusedInput([named]);
  const misnamed = kindRefusal(request.kind);
  if (misnamed !== undefined) return refusedInput([misnamed]);
  const vmid = await resolveRemembered(folded, ledger.engine, request.vmid);
  if (typeof vmid === "object") return refusedInput([vmid]);
  const { from, to = Number.MAX_SAFE_INTEGER, until } = request;
  const { engine } = ledger;
  const concerns = vmid === undefined ? async () => true : concerning(engine, vmid);
  const shown = async (record: LedgerRecord): Promise<boolean> => sees(record.environment) && concerns(record);
  const found = findIndexed(await index(), { ...request, vmid });
  const covered = found?.covers.size ?? 0;
  // From the record before on, which the first one must link to; of a VM from the first, which a later one may go on
  // with.
  const first = vmid === undefined || found !== undefined ? Math.max(0, Math.max(from, covered) - 1) : 0;
  const lines = (): AsyncIterable<Uint8Array> =>
    until === undefined ? engine.read(first, to) : engine.follow(first, until);
  const rest = { ...request, from: Math.max(from, covered) };
  return {
    pieces: joined(found === undefined ? undefined : indexedPieces(engine, found, request, shown), () =>
      piecesOf(lines(), first, rest, shown),
    ),
  };
};

/** What is found by the index, and then what it does not cover; what is broken ends it. */
async function* joined(
  indexed: AsyncIterable<RecordPiece> | undefined,
  rest: () => AsyncIterable<RecordPiece>,
): AsyncGenerator<RecordPiece> {
  for await (const piece of indexed ?? []) {
    yield piece;
    if (piece.kind === "broken") return;
  }
  yield* rest();
}

async function* indexedPieces(
  engine: Engine,
  { covers, seqs }: Indexed,
  request: Wanted,
  concerns: (record: LedgerRecord) => Promise<boolean>,
): AsyncGenerator<RecordPiece> {
  const { from, to = Number.MAX_SAFE_INTEGER, until } = request;
  let seq = from;
  try {
    for (const some of seqs()) {
      for await (const page of readCandidates(engine, some, covers)) {
        for (const { line, record } of page) {
          ({ seq } = record);
          if (until?.aborted === true || seq >= to) return;
          if ((await concerns(record)) && seq >= from && isWanted(request, record))
            yield { kind: "record", line, record };
        }
      }
    }
  } catch (error) {
    yield { kind: "broken", refusal: readRefusal(error), seq };
  }
}

const KINDS = Object.keys(RECORD_KINDS);

/** A kind, or what kinds begin with. */
const kindRefusal = (kind: string | undefined): Refusal | undefined =>
  kind === undefined || KINDS.some((one) => isOfKind(one, kind))
    ? undefined
    : refuse("usage", { cause: "not-one-of", facts: { argument: "kind", found: kind, known: KINDS } });

const isOfKind = (kind: string, wanted: string): boolean => kind === wanted || kind.startsWith(`${wanted}.`);

type Wanted = Omit<RecordsRequest, "vmid">;

/** A name needs the state to be folded; a number does not. */
const resolveRemembered = async (
  folded: OpenLedger["folded"],
  engine: Engine,
  ref: VmRef | undefined,
): Promise<Vmid | Refusal | undefined> => {
  const number = typeof ref === "string" ? vmidIn(ref) : ref;
  if (ref === undefined || number !== undefined) return number;
  return resolveVm(ref, await readKnownVms(engine, (await folded()).state));
};

const isWanted = ({ correlationId, environment, kind }: Wanted, record: LedgerRecord): boolean =>
  (environment === undefined || record.environment === environment) &&
  (kind === undefined || isOfKind(record.kind, kind)) &&
  (correlationId === undefined || record.correlationId === correlationId);

/**
 * Ends at the first line that is no record, or does not link to the one before: what comes after it stands on nothing.
 */
async function* piecesOf(
  lines: ReturnType<Engine["read"]>,
  first: number,
  request: Wanted,
  concerns: (record: LedgerRecord) => Promise<boolean>,
): AsyncGenerator<RecordPiece> {
  const { from, until } = request;
  let seq = first;
  let hash: Sha256 | undefined = seq === 0 ? GENESIS : undefined;
  try {
    for await (const line of lines) {
      if (until?.aborted === true) return;
      const read = readRecord(line);
      if (read.kind === "finding") throw new LedgerDamage(seq, read.flaw);
      const flaw = hash === undefined ? undefined : linkFlaw({ hash, size: seq }, read.record);
      if (flaw !== undefined) throw new LedgerDamage(seq, flaw.flaw);
      const isConcerned = await concerns(read.record);
      if (isConcerned && seq >= from && isWanted(request, read.record))
        yield { kind: "record", line, record: read.record };
      [hash, seq] = [recordHash(line), seq + 1];
    }
  } catch (error) {
    yield { kind: "broken", refusal: readRefusal(error), seq };
  }
}

/** One record with its path to a signed root: checkable without Dedalus. */
export type RecordProven = Proven & { readonly key: string; readonly seq: number };

type ShowProof = (
  ground: Pick<RecordsGround, "caller" | "desk" | "ledger" | "sees">,
  request: { readonly seq: number },
) => Promise<RecordProven | RefusedAnswer>;

/**
 * Made once for many proofs. For whoever audits or operates all, and of a record that they see for everybody else.
 * keeps B3
 */
export const proofsOf = (): ShowProof => {
  const rootsOver = keptBlocks();
  return async ({ caller, desk, ledger, sees }, { seq }) => {
    const { engine } = ledger;
    const unseen = readerRefusal(caller, "proof");
    if (unseen !== undefined && !(isSize(seq) && (await isSeenAt(engine, seq, sees)))) return refusedByKernel([unseen]);
    const proven = isSize(seq) ? await proveRecord(ledger, desk.signer, seq, rootsOver) : undefined;
    return proven === undefined ? refuseSeq(engine, seq) : { ...proven, key: desk.signer.vkey, seq };
  };
};

/** A record of no environment is of the whole. */
const isSeenAt = async (engine: Engine, seq: number, sees: Sight): Promise<boolean> => {
  for await (const line of engine.read(seq, seq + 1)) {
    const read = readRecord(line);
    return read.kind === "record" && read.record.environment !== undefined && sees(read.record.environment);
  }
  return false;
};

/** There is no record with this number, and for some numbers there never will be. */
export const refuseSeq = async (engine: Engine, seq: number): Promise<RefusedAnswer> => {
  const { size } = await engine.head();
  return refusedInput([refuse("usage", { cause: "record-unknown", facts: { seq, size } })]);
};
