// One batch: decided, sealed, committed once, and its fate made certain.
//
// Not here: the queue and the loop (sequencer.ts). A commit is sent once; when the reply is lost, the ledger is read.
// What is not found there is unknown to its callers, unless the engine says that reading is final: then nothing was
// written, they hear that, and may ask again under the same keys. It is not asked again for them.

import type { Instant, Sha256 } from "../../spine/model.ts";
import { assert } from "../assert.ts";
import { type Appended, COMMIT_BYTES_MAX, type Commit, type Engine, type Head } from "../engine.ts";
import { LedgerUnread, type UnwrittenFailure } from "../failure.ts";
import { keyUseOf } from "../record/asked.ts";
import type { Draft, LedgerRecord, Sealed } from "../record/record.ts";
import { assertLinked, linkFlaw, recordHash, seal } from "../record/seal.ts";
import { grown, rootOf } from "../tree/merkle.ts";
import { NOTHING_KNOWN, recordOf } from "../verify/chain-state.ts";
import { foldedAt, LedgerDamage } from "../verify/damage.ts";
import { readLineAt } from "../verify/line-at.ts";
import { floorAfter, isBehind } from "./floor.ts";
import type { SavedState } from "./saved-state.ts";
import type { Decided, LedgerDecider, Submission, SubmissionAnswer, WaitingSubmission } from "./submission.ts";

/** How the kinds of acts on the ledger itself begin. */
const ACT = "ledger.";

/** What the ledger holds as far as we have folded it. */
export type Tail<S> = SavedState<S> & { readonly size: number };

export const startOf = <S>({ initial }: { readonly initial: S }): Tail<S> => ({
  ...NOTHING_KNOWN,
  size: 0,
  state: initial,
});

/** How records become a state. */
export type RecordFolding<S> = { readonly evolve: (state: S, record: LedgerRecord) => S };

const stepped = <S>({ evolve }: RecordFolding<S>, tail: Tail<S>, record: LedgerRecord, hash: Sha256): Tail<S> => {
  const tree = grown(tail.tree, hash);
  return {
    floor: floorAfter(record, tail.floor),
    hash,
    // Checkpoints are signed over the size that ends with an act on the ledger.
    roots: record.kind.startsWith(ACT) ? [...tail.roots, { root: rootOf(tree), size: tree.size }] : tail.roots,
    size: tree.size,
    state: evolve(tail.state, record),
    tree,
  };
};

/**
 * Folds in what others have written since, behind what is known: nothing is folded onto a ledger that has lost any of
 * that.
 */
export const catchUp = async <S>(engine: Engine, folding: RecordFolding<S>, from: Tail<S>): Promise<Tail<S>> => {
  const head = await engine.head();
  assertKept(from, head);
  const { size } = head;
  let tail = from;
  for await (const line of engine.read(from.size, size)) tail = foldLine(folding, tail, line);
  return tail;
};

/** The line that comes next, held against the one before. */
export const foldLine = <S>(folding: RecordFolding<S>, tail: Tail<S>, line: Uint8Array): Tail<S> => {
  const record = recordOf(line, tail.size);
  const flaw = linkFlaw(tail, record);
  if (flaw !== undefined) throw new LedgerDamage(tail.size, flaw.flaw);
  return foldedAt(tail.size, () => stepped(folding, tail, record, recordHash(line)));
};

/**
 * A server that went over to a standby which was behind, or a ledger that was restored beneath a process that lives:
 * what we decided on is not there any more. A longer one shows it by the link of its next line.
 */
const assertKept = ({ hash: last, size: covered }: Head, { hash, size }: Head): void => {
  if (size < covered) throw new LedgerDamage(size, { cause: "shorter-than-known", facts: { covered, size } });
  if (size === covered && hash !== last) throw new LedgerDamage(size - 1, { cause: "known-end-differs", facts: {} });
};

type Member<C> = { readonly blobs: Decided["blobs"]; readonly one: WaitingSubmission<C>; readonly sealed: Sealed };
type Batch<C, S> = {
  readonly after: Tail<S>;
  readonly members: readonly Member<C>[];
  /** Answered at once: no record can be made of them, and nobody who waits beside them is the worse for it. */
  readonly unfit: readonly Answered<C>[];
};

/** The lines alone must tell whose key was used for what, and their times must not run against their order. */
const assertAnswers = <C>(draft: Draft, { caller, key }: Submission<C>, floor: Instant | undefined): void => {
  assert.equal(draft.actor.id, caller, "a record names the caller who asked");
  assert.equal(draft.idempotencyKey, key, "a record carries the key it was asked under");
  assert.ok(!isBehind(draft, floor), "no record is stamped earlier than the one before, but for an accepted clock");
};

/** As many as fit one commit, each decided on the state that the one before left. */
const decided = <C, S>(
  decider: LedgerDecider<C, S>,
  tail: Tail<S>,
  waiting: readonly WaitingSubmission<C>[],
): Batch<C, S> => {
  const members: Member<C>[] = [];
  const unfit: Answered<C>[] = [];
  let after = tail;
  let bytes = 0;
  for (const one of waiting) {
    try {
      const { blobs, draft } = decider.decide(after.state, one.submission.command, after.floor);
      assertAnswers(draft, one.submission, after.floor);
      const sealed = seal(draft, { prev: after.hash, seq: after.size });
      bytes += sealed.line.length;
      if (bytes > COMMIT_BYTES_MAX) break;
      assertLinked(after, sealed);
      const next = stepped(decider, after, sealed.record, sealed.hash);
      members.push({ blobs, one, sealed });
      after = next;
    } catch (error) {
      unfit.push({ answer: notWritten(error), one });
    }
  }
  return { after, members, unfit };
};

/** What cannot be recorded was not done. */
export const notWritten = (error: unknown): SubmissionAnswer => ({ failure: unwrittenBy(error), kind: "read-only" });

const unwrittenBy = (error: unknown): UnwrittenFailure => {
  if (error instanceof LedgerUnread) return error.failure;
  if (error instanceof LedgerDamage) return { cause: "damaged", facts: { flaw: error.flaw.cause } };
  return { cause: "unfit", facts: { said: error instanceof Error ? error.message : String(error) } };
};

const commitOf = <C, S>({ members }: Batch<C, S>): Commit => ({
  blobs: new Map(members.flatMap(({ blobs }) => [...(blobs ?? [])])),
  keys: members.map(({ sealed }) => keyUseOf(sealed.record)),
  lines: members.map(({ sealed }) => sealed.line),
});

const nameOf = <C>({ caller, key }: Submission<C>): string => `${key} ${caller}`;

/** The first use of each key; a repeat waits for the answer of the first. */
const firstUses = <C>(waiting: readonly WaitingSubmission<C>[]): readonly WaitingSubmission<C>[] => {
  const seen = new Set<string>();
  return waiting.filter(({ submission }) => !seen.has(nameOf(submission)) && seen.add(nameOf(submission)));
};

type Answered<C> = { readonly answer: SubmissionAnswer; readonly one: WaitingSubmission<C> };
/** `left` are to be decided again; the others are answered once `tail` is what everybody sees. */
export type Settlement<C, S> = {
  readonly answered: readonly Answered<C>[];
  readonly left: readonly WaitingSubmission<C>[];
  readonly tail: Tail<S>;
};

/** One commit, and what became of everybody who was in it. */
export const settle = async <C, S>(
  engine: Engine,
  decider: LedgerDecider<C, S>,
  tail: Tail<S>,
  taken: readonly WaitingSubmission<C>[],
): Promise<Settlement<C, S>> => {
  const batch = decided(decider, tail, firstUses(taken));
  const { after, members, unfit } = batch;
  const result: Appended = members.length === 0 ? { kind: "ok" } : await appendBatch(engine, batch, tail);
  switch (result.kind) {
    case "ok": {
      const answered = [...members.map(recorded), ...unfit];
      return { answered, left: unanswered(taken, answered), tail: after };
    }
    case "conflict":
      return { answered: [], left: taken, tail: await catchUp(engine, decider, tail) };
    case "duplicate": {
      const answered = await lookUpKeys(engine, members);
      return { answered, left: unanswered(taken, answered), tail: await catchUp(engine, decider, tail) };
    }
    case "read-only":
    case "unknown": {
      const { failure, kind } = result;
      return { answered: taken.map((one) => ({ answer: { failure, kind }, one })), left: [], tail };
    }
  }
};

const recorded = <C>({ one, sealed }: Member<C>): Answered<C> => ({
  answer: { kind: "recorded", record: sealed.record, replayed: false },
  one,
});

const unanswered = <C>(
  taken: readonly WaitingSubmission<C>[],
  answered: readonly Answered<C>[],
): readonly WaitingSubmission<C>[] => {
  const done = new Set(answered.map(({ one }) => one));
  return taken.filter((one) => !done.has(one));
};

/** Those whose key is in the ledger get the stored answer, or hear that the key was used for something else. */
const lookUpKeys = async <C>(engine: Engine, members: readonly Member<C>[]): Promise<readonly Answered<C>[]> => {
  const answered: Answered<C>[] = [];
  for (const { one, sealed } of members) {
    const { caller, key, request } = keyUseOf(sealed.record);
    const use = await engine.lookup(caller, key);
    if (use === undefined) continue;
    if (use.request !== request) answered.push({ answer: { kind: "key-reused", seq: use.seq }, one });
    else {
      const record = await recordAt(engine, use.seq);
      answered.push({ answer: { kind: "recorded", record, replayed: true }, one });
    }
  }
  return answered;
};

const recordAt = async (engine: Engine, seq: number): Promise<LedgerRecord> => {
  const line = await readLineAt(engine, seq);
  if (line === undefined) throw new LedgerDamage(seq, { cause: "line-missing", facts: {} });
  return recordOf(line, seq);
};

/** After a lost reply the ledger tells. */
const appendBatch = async <C, S>(engine: Engine, batch: Batch<C, S>, tail: Tail<S>): Promise<Appended> => {
  const result = await engine.append(commitOf(batch), { hash: tail.hash, size: tail.size });
  if (result.kind !== "unknown") return result;
  // Whoever cannot read does not know either.
  return fateOf(engine, batch, tail, result).catch(() => result);
};

/**
 * A commit goes in only at the size it expects, so that a head beyond that size has decided: ours is there, or never
 * will be. It is there when the hash of its last line is: that hash stands for every line before. The keys do not tell;
 * another process may have been asked the same under the same key.
 */
const fateOf = async <C, S>(
  engine: Engine,
  { members }: Batch<C, S>,
  tail: Tail<S>,
  lost: Extract<Appended, { readonly kind: "unknown" }>,
): Promise<Appended> => {
  const last = members.at(-1)?.sealed;
  const { size } = await engine.head();
  if (size > tail.size && last !== undefined) {
    const line = await readLineAt(engine, last.record.seq);
    return line !== undefined && recordHash(line) === last.hash ? { kind: "ok" } : { kind: "conflict", size };
  }
  return lost.reading === "final" ? { failure: lost.failure, kind: "read-only" } : lost;
};
