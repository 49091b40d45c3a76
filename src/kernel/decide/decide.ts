// decide(): one command on one state gives one record, granted or refused. Pure and total: time, ids and actor come
// with the command, and the same command on the same state is the same record, byte for byte. keeps P7-D2
//
// Who asks, at which instance, and whether all is frozen are judged first, the same for every command; then the
// command's own decider. All of them belong to a version of the rules: a record is decided again by the version that
// decided it. What is the same under every version is the form of a record.
// Not here: which versions there are (versions.ts), what a record does to the state (evolve/evolve.ts), making it
// durable (ledger/write/sequencer.ts).

import type { Draft } from "../../ledger/record/record.ts";
import { judgedAt } from "../../ledger/write/floor.ts";
import type { Instant, Refusal } from "../../spine/model.ts";
import type { Json } from "../../spine/values/canonical.ts";
import type { Command, RequestKind } from "../command/request.ts";
import { type DecidedInText, type Decision, refused } from "../command/result.ts";
import { rulesFor } from "../state/rules-in-force.ts";
import type { State } from "../state/state.ts";
import { actorRefusal, MAY, type May } from "./actors.ts";
import { decideApproval, decideChallenge, decideDenial, decideRevocation, decideWaiting } from "./agree.ts";
import { decideApply } from "./apply-step.ts";
import { decideDispatched, decideOutcome, decideReconcile, decideRecovery } from "./end-intent.ts";
import { decideFreeze, freezeOf } from "./freezing.ts";
import { decideInvite, decideRedeem } from "./invitations.ts";
import { decideAcceptClock } from "./judge-clock.ts";
import {
  decideCheckpoint,
  decideJoin,
  decideReAnchor,
  decideRestore,
  decideSeal,
  decideUnlock,
  decideUnseal,
} from "./ledger-acts.ts";
import { decideNote, decideObservation, decideRegistration, decideStart } from "./record-as-is.ts";
import { decideCancel, decidePlan } from "./record-plan.ts";
import { decideAcceptIdentity } from "./remember-identities.ts";
import { type Decider, RULEBOOK, type Rulebook } from "./rulebook.ts";
import { outdatedRefusal } from "./serving-instance.ts";
import { decideSignIn, decideSignOut } from "./session-acts.ts";
import { decideToken } from "./token-acts.ts";

type DeciderRow<K extends RequestKind> = {
  readonly decide: Decider<K>;
  /** A freeze never stands in the way of seeing, of denying, or of ending what was begun. */
  readonly isStoppedByFreeze: boolean;
  /** Taken also from an instance whose configuration rules no longer: what stops, and what ends what was begun. */
  readonly isTakenAnywhere: boolean;
};
export type Deciders = { readonly [K in RequestKind]: DeciderRow<K> };

const always = <D>(decide: D) => ({ decide, isStoppedByFreeze: false, isTakenAnywhere: false });
const anywhere = <D>(decide: D) => ({ ...always(decide), isTakenAnywhere: true });
const unlessFrozen = <D>(decide: D) => ({ ...always(decide), isStoppedByFreeze: true });

const DECIDERS: Deciders = {
  "accept-clock": always(decideAcceptClock),
  "accept-identity": always(decideAcceptIdentity),
  annotate: always(decideNote),
  apply: unlessFrozen(decideApply),
  approve: unlessFrozen(decideApproval),
  cancel: anywhere(decideCancel),
  challenge: unlessFrozen(decideChallenge),
  deny: anywhere(decideDenial),
  dispatched: anywhere(decideDispatched),
  freeze: anywhere(decideFreeze),
  ingest: always(decideObservation),
  invite: always(decideInvite),
  "ledger.checkpoint": always(decideCheckpoint),
  "ledger.join": always(decideJoin),
  "ledger.re-anchor": always(decideReAnchor),
  "ledger.restore": always(decideRestore),
  "ledger.seal": always(decideSeal),
  "ledger.unlock": always(decideUnlock),
  "ledger.unseal": always(decideUnseal),
  observe: always(decideObservation),
  outcome: anywhere(decideOutcome),
  plan: always(decidePlan),
  reconcile: always(decideReconcile),
  recover: anywhere(decideRecovery),
  redeem: always(decideRedeem),
  register: always(decideRegistration),
  "request-approval": unlessFrozen(decideWaiting),
  revoke: anywhere(decideRevocation),
  "sign-in": always(decideSignIn),
  "sign-out": anywhere(decideSignOut),
  start: anywhere(decideStart),
  token: always(decideToken),
  unfreeze: always(decideFreeze),
};

/** Everything by which one version of the rules decides. */
export type Deciding = {
  readonly deciders: Deciders;
  /** Judged before the decider is asked, whatever the command. */
  readonly gate: (version: Deciding, state: State, command: Command, at: Instant) => Refusal | undefined;
  readonly may: May;
  readonly rulebook: Rulebook;
};

const actorAndFreeze: Deciding["gate"] = ({ deciders, may }, state, command, at) => {
  const { isStoppedByFreeze, isTakenAnywhere } = deciders[command.kind];
  return (
    actorRefusal(may, state, command, at) ??
    (isTakenAnywhere || isRevocation(command) ? undefined : outdatedRefusal(state, command)) ??
    (isStoppedByFreeze ? freezeOf(state, command.environment) : undefined)
  );
};

/** Of a token: a brake among the acts on tokens. */
const isRevocation = ({ kind, request }: Command): boolean => kind === "token" && request.act === "revoke";

/** That of RULES_VERSION. */
export const DECIDING: Deciding = {
  deciders: DECIDERS,
  gate: actorAndFreeze,
  may: MAY,
  rulebook: RULEBOOK,
};

/**
 * `floor` is the process time of the head: no decision is judged or stamped earlier, whatever the clock says, but for
 * an accepted clock, which is stamped by that very clock. It throws where it has no such rules: nobody can be answered
 * then, and nothing is recorded.
 */
export const decideBy = (
  versions: Readonly<Record<number, Deciding>>,
  state: State,
  command: Command,
  floor: Instant | undefined,
): DecidedInText => {
  const rules = rulesFor(state, command.configHash, command.request);
  const version = versions[rules];
  if (version === undefined) throw new RangeError(`there are no rules ${rules}`);
  const judged = judgedAt(command.at, floor);
  const { blobs, result } = judge(version, state, command, judged);
  const at = result.kind === "clock-accepted" ? command.at : judged;
  const { actor, asked, causationId, configHash, correlationId, door, environment, id, instance, key, kind } = command;
  const { request, token, words } = command;
  const body: Record<string, Json> = {
    door,
    request: request as Json,
    result: result as Json,
    state: summaryOf(state),
  };
  if (token !== undefined) body["token"] = token;
  if (words !== undefined) body["words"] = words;
  // Set one by one, which is faster than spreading what may be absent; the order of the keys is sealing's matter.
  const draft: Writable<Draft> = {
    actor,
    auditId: id,
    body,
    configHash,
    correlationId,
    eventTime: eventTimeOf(command) ?? at,
    idempotencyKey: key,
    instance,
    kind,
    processTime: at,
  };
  if (asked !== undefined) draft.asked = asked;
  if (causationId !== undefined) draft.causationId = causationId;
  if (environment !== undefined) draft.environment = environment;
  if (blobs === undefined) return { draft };
  draft.blobs = [...blobs.keys()].sort();
  return { blobs, draft };
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** An observation happened when the provider was observed. */
const eventTimeOf = ({ kind, request }: Command): Instant | undefined =>
  kind === "observe" || kind === "ingest" ? request.observedAt : undefined;

/** On which state it was decided, in numbers; the whole of it is the fold of the records before. */
const summaryOf = ({ blocked, freezes, open, size }: State): Json => ({
  blocked: blocked.size,
  freezes: freezes.size,
  open: open.size,
  size,
});

const judge = (version: Deciding, state: State, command: Command, at: Instant): Decision => {
  const refusal = version.gate(version, state, command, at);
  return refusal === undefined
    ? (version.deciders[command.kind].decide as Decider<RequestKind>)(state, command, at, version.rulebook)
    : refused(refusal);
};
