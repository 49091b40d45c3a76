// Performs one apply: the one loop in which the kernel has effects. Which comes next is the protocol's; here each
// is done.
//
// The ledger, the provider and the clocks are handed in. Nothing is repeated, and no error ends it half way: what
// cannot be done becomes a value that the protocol knows what to do with. keeps P7-S1: it runs when somebody
// applies, and ends. Keeps P7-F1, P7-F3.

import type { Actuator } from "../../adapters/actuator.ts";
import type { Detail, Source } from "../../adapters/source.ts";
import { LedgerUnread } from "../../ledger/failure.ts";
import type { SubmissionAnswer } from "../../ledger/write/submission.ts";
import { diagnostic } from "../../spine/diagnostic-codes.ts";
import type { Action, Refusal, Vmid, VmState } from "../../spine/model.ts";
import { msOf } from "../../spine/values/instant.ts";
import type { Command, RequestOf, StepRef } from "../command/request.ts";
import { answerRefusals, resultOf } from "../command/submission-result.ts";
import { type CommandDesk, commandOf, KERNEL_ACTOR } from "../command-desk.ts";
import { freezeOf } from "../decide/freezing.ts";
import { asSaid } from "../decide/grounds.ts";
import { type EntryReader, judgeSinceClaim } from "../decide/stands-on.ts";
import type { State } from "../state/state.ts";
import { openIntent } from "../state/state.ts";
import { type Claim, claimOf } from "./claim.ts";
import {
  type ApplyProgress,
  afterAnchor,
  afterCheck,
  afterClaim,
  afterConclude,
  afterDispatched,
  afterObserve,
  afterObserveAfter,
  afterSend,
  afterVerdict,
  type End,
  hasMoved,
  type LastCheck,
  type ObservedAgain,
  type Unanchored,
  type Unreadable,
} from "./protocol.ts";

/** Decides inside the commit loop; nobody is answered before it is durable. */
export type CommandWriter = {
  /** Folds in what others have written, and gives the state after that. */
  readonly refresh: () => Promise<State>;
  readonly state: () => State;
  readonly submit: (command: Command) => Promise<SubmissionAnswer>;
};

/**
 * A process that is told to end: from `begun` on no call leaves, and from `over` on no verdict is waited for any
 * more.
 */
export type PerformerEnding = { readonly begun: AbortSignal; readonly over: AbortSignal };

export type ApplyGround = {
  readonly actuator: Actuator;
  /**
   * Makes a checkpoint over at least so many records durable outside the ledger. Resolves with why it could not;
   * nothing when a ledger that loses one of them will be known to be cut.
   */
  readonly anchor: (size: number) => Promise<Unanchored | undefined>;
  readonly desk: CommandDesk;
  /** Why the ledger that holds the intent, or its anchor, is not there any more; nothing while both are. */
  readonly displaced: () => Refusal | undefined;
  /** Why what is configured now is not what this process claimed under, or cannot be read; nothing while it is. */
  readonly edited: () => Refusal | undefined;
  /** Absent where the process ends with what it performs. */
  readonly ending?: PerformerEnding;
  /** Never steps back, and goes on while the process is paused. */
  readonly monotonicMs: () => number;
  /**
   * Whether this process still holds the lock that it claimed under; without it others take it for gone. Never
   * rejects.
   */
  readonly owns: () => Promise<boolean>;
  readonly onProgress?: (progress: ApplyProgress) => void;
  /**
   * The state of its VM that a step was planned on, from the plan's own observation; for telling what changed, only.
   */
  readonly plannedOn?: (of: StepRef) => Promise<VmState | undefined>;
  /** Reads the blob of what a state has registered; asked when that is not what the claim was decided on. */
  readonly registered: EntryReader;
  /** Aborts after so many milliseconds. */
  readonly signalIn: (ms: number) => AbortSignal;
  readonly source: Source;
  readonly writer: CommandWriter;
};

export type ApplyEnd = ApplyProgress & { readonly at: "done" | "not-claimed" };

const OBSERVE_MAX_MS = 30_000;

export const performApply = async (ground: ApplyGround, command: Command<"apply">): Promise<ApplyEnd> => {
  const fromMs = ground.monotonicMs();
  let progress: ApplyProgress = { at: "claim" };
  while (progress.at !== "done" && progress.at !== "not-claimed") {
    ground.onProgress?.(progress);
    progress = await performNext(ground, command, progress, fromMs);
  }
  return progress;
};

const performNext = async (
  ground: ApplyGround,
  command: Command<"apply">,
  progress: Exclude<ApplyProgress, ApplyEnd>,
  fromMs: number,
): Promise<ApplyProgress> => {
  const { actuator, writer } = ground;
  switch (progress.at) {
    case "claim": {
      const answer = await writer.submit(command);
      return afterClaim(claimOf(answer) ?? { refusals: answerRefusals(answer) });
    }
    case "anchor":
      return afterAnchor(progress, await ground.anchor(progress.claim.size).catch(unanchored));
    case "observe": {
      const seen = await observeAgain(ground, progress.claim);
      return afterObserve(progress, seen, hasMoved(progress, seen) ? await readPlannedOn(ground, command) : undefined);
    }
    case "check":
      return afterCheck(progress, await checkNow(ground, progress.claim, fromMs));
    case "send": {
      const { claim, intent } = progress;
      let objected: ApplyProgress | undefined;
      // Once more when the call's own connection stands: to make it may have taken as long as to observe.
      const mayLeave = async (): Promise<boolean> => {
        const next = afterCheck({ at: "check", claim, seen: intent.seen }, await checkNow(ground, claim, fromMs));
        if (next.at !== "send") objected = next;
        return objected === undefined;
      };
      // Until when it may leave; how long an answer is waited for is the actuator's.
      const sent = async () =>
        actuator.send(intent, ground.signalIn(leftMs(ground, claim.sendBy, claim, fromMs)), mayLeave);
      return afterSend(progress, await sent().catch(doubtful), objected);
    }
    case "dispatched":
      await record(ground, progress.claim, {
        intent: progress.claim.id,
        kind: "dispatched",
        reference: progress.reference,
      });
      return afterDispatched(progress);
    case "verdict": {
      const { claim, intent, reference } = progress;
      const verdict = async () =>
        actuator.verdict(intent, reference, waitedFor(ground, leftMs(ground, claim.settleBy, claim, fromMs)));
      return afterVerdict(progress, await verdict().catch(doubtful));
    }
    case "observe-after":
      return afterObserveAfter(progress, await observeAgain(ground, progress.claim));
    case "conclude": {
      const { claim, end } = progress;
      const told = recordable(end);
      const answer = await record(ground, claim, { ...told, intent: claim.id, kind: "outcome" });
      return afterConclude({ ...progress, end: told }, resultOf(answer)?.kind === "ended");
    }
  }
};

const waitedFor = ({ ending, signalIn }: ApplyGround, ms: number): AbortSignal =>
  ending === undefined ? signalIn(ms) : AbortSignal.any([signalIn(ms), ending.over]);

const readPlannedOn = async (ground: ApplyGround, { request }: Command<"apply">): Promise<VmState | undefined> => {
  try {
    return await ground.plannedOn?.(request.of);
  } catch {
    return undefined; // It is not known what changed; that something did is.
  }
};

/** What was said, within the bounds of a record. */
const recordable = (end: End): End => {
  const { diagnostics } = end;
  return diagnostics === undefined
    ? withinBounds(end)
    : { ...withinBounds(end), diagnostics: diagnostics.map(withinBounds) };
};

const withinBounds = <T extends { readonly said?: string }>(value: T): T => {
  const { said, ...rest } = value;
  const told = said === undefined ? undefined : asSaid(said);
  // The compiler does not follow a member through a rest.
  return (told === undefined ? rest : { ...rest, said: told }) as T;
};

const unreadable = (error: unknown): Unreadable =>
  error instanceof LedgerUnread ? { refusal: error.refusal } : { said: reasonOf(error) };
const unanchored = (error: unknown): Unanchored => ({ kind: "unwritable", why: unreadable(error) });
const doubtful = (error: unknown) =>
  ({ diagnostics: [diagnostic("adapter-failed", { said: reasonOf(error) })], kind: "unknown" }) as const;
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Whole milliseconds until an instant, counted on the clock that never steps back, from when the step was
 * claimed.
 */
const leftMs = (ground: ApplyGround, until: Claim["sendBy"], claim: Claim, fromMs: number): number =>
  Math.max(0, Math.floor(msOf(until) - msOf(claim.decidedAt) - (ground.monotonicMs() - fromMs)));

const checkNow = async (ground: ApplyGround, claim: Claim, fromMs: number): Promise<LastCheck> => {
  const check = await checkLedger(ground, claim);
  // The last that is asked: whoever finds the lock free after this waits until the time to send is over.
  const isOwner = await ground.owns();
  const isLate = leftMs(ground, claim.sendBy, claim, fromMs) === 0;
  const isEnding = ground.ending?.begun.aborted === true;
  return { ...check, ...checkFiles(ground), isEnding, isLate, isOwner };
};

/** A ledger that cannot be read may hold a freeze, or a registration that protects the VM. */
const checkLedger = async (
  { registered, writer }: ApplyGround,
  { environment, id, step }: Claim,
): Promise<
  | Omit<Extract<LastCheck, { readonly isLate: boolean }>, "displaced" | "edited" | "isEnding" | "isLate" | "isOwner">
  | { readonly unreadable: Unreadable }
> => {
  try {
    const state = await writer.refresh();
    const intent = openIntent(state, id);
    const changed = intent === undefined ? [] : await judgeSinceClaim(state, intent, step, registered);
    return { changed, frozen: freezeOf(state, environment), isOver: intent === undefined };
  } catch (error) {
    return { unreadable: unreadable(error) };
  }
};

const checkFiles = ({ displaced, edited }: ApplyGround) => {
  try {
    return { displaced: displaced(), edited: edited() };
  } catch (error) {
    return { unreadable: unreadable(error) };
  }
};

export const detailsFor = (action: Action): readonly Detail[] => {
  if (action.kind === "vm.snapshot.create") return ["snapshots", { newSnapshot: action.snapshot }];
  return "snapshot" in action ? ["snapshots"] : [];
};

/**
 * Which VMs an observation must be asked for before this action, and after it. A clone is seen at its own vmid, and
 * that this is free is proven by no observation that was not asked for it.
 */
export const wantedFor = (action: Action, vmid: Vmid): readonly [Vmid, ...Vmid[]] =>
  action.kind === "vm.clone" ? [vmid, action.to] : [vmid];

const observeAgain = async ({ signalIn, source }: ApplyGround, claim: Claim): Promise<ObservedAgain> => {
  try {
    const { action, facts, vmid } = claim.step;
    const { observedIdentity } = facts;
    const identity = typeof observedIdentity === "string" ? { identity: observedIdentity } : {};
    const wanted = wantedFor(action, vmid).map((one) => (one === vmid ? { ...identity, vmid } : { vmid: one }));
    return await source.observe(wanted, signalIn(OBSERVE_MAX_MS), detailsFor(action));
  } catch (error) {
    return { kind: "failed", said: reasonOf(error) };
  }
};

const record = (
  { desk, writer }: ApplyGround,
  { correlationId, environment, id }: Claim,
  request: RequestOf<"dispatched"> | RequestOf<"outcome">,
): Promise<SubmissionAnswer> =>
  writer.submit(commandOf({ ...desk, actor: KERNEL_ACTOR }, request, { causationId: id, correlationId, environment }));
