// What one record does to the state. Pure; it trusts the record, for whether it was right is decide's matter.
//
// Each record is folded by the version of the rules that decided it. A refused command changes nothing but the size.
// Not here: which versions there are (versions.ts), and kinds that the kernel does not know, which are kept in the
// ledger and change nothing.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import { LedgerOfAnotherTime } from "../../ledger/verify/damage.ts";
import type { Sha256 } from "../../spine/model.ts";
import { later } from "../../spine/values/instant.ts";
import { type RecordBody, shownWordsIn } from "../command/record-body.ts";
import { sectionsOf } from "../command/recorded-config.ts";
import type { Bringing, RequestKind, Requests } from "../command/request.ts";
import type { Result, ResultOf } from "../command/result.ts";
import { servingDigest } from "../command/serving.ts";
import { lastDenialOf } from "../state/last-denial.ts";
import { drop, get, put } from "../state/persistent-map.ts";
import { keep, turned } from "../state/recent.ts";
import { rulesFor, rulesUnder } from "../state/rules-in-force.ts";
import { type Challenge, EVERYWHERE, type State } from "../state/state.ts";
import { claimCounted } from "./fold-claims.ts";
import { clockAccepted } from "./fold-clock.ts";
import { blocked, changeIntent, consumed, opened, reconciled, registeredRootIn, unconfirmed } from "./fold-intents.ts";
import { invited, redeemed, signedIn, signedOut } from "./fold-people.ts";
import { answeredWith, approved, canceled, denied, planned, revoked, waiting } from "./fold-plans.ts";
import { tokened } from "./fold-tokens.ts";
import { frozenToo } from "./frozen-too.ts";
import { goOnWithout } from "./go-on-without.ts";
import { formatRefusal } from "./ledger-format.ts";
import { restored } from "./restored.ts";
import { voidAgreement } from "./void-agreement.ts";

type Fold<K extends RequestKind> = (state: State, record: LedgerRecord, request: Requests[K], result: Result) => State;

const same: Fold<RequestKind> = (state) => state;

/** An act on the ledger brings its configuration, and starts nothing under it. */
const configured = (state: State, { configHash }: LedgerRecord, { config, rules }: Bringing): State => ({
  ...state,
  configs: put(state.configs, configHash, config),
  programs: put(state.programs, configHash, { ...get(state.programs, configHash), rules }),
  sections: put(state.sections, configHash, sectionsOf(config)),
  servings: put(state.servings, configHash, servingDigest(config)),
});

const started = (before: State, record: LedgerRecord, request: Requests["start"]): State => {
  const { configHash } = record;
  const state = configured(before, record, request);
  const { anchor, rules, serves, words } = request;
  return {
    ...state,
    anchors: anchor === undefined ? state.anchors : put(state.anchors, anchor.key, record.seq),
    programs: put(state.programs, configHash, { rules, words }),
    ...(serves === undefined ? {} : { serving: { configHash, digest: serves, rules } }),
    started: configHash,
  };
};

/** Nobody knows what a copy did while it stood. What is open here is ended as anything else that lost its performer. */
const unsealed = (state: State, record: LedgerRecord, { copy, reason }: Requests["ledger.unseal"]): State => ({
  ...goOnWithout(state, record, reason),
  voided: put(state.voided, copy, record.auditId),
});

/**
 * Behind an anchor that was lost a call may have left that this ledger does not know: nothing from before is applied.
 */
const reAnchored = (
  state: State,
  { actor, processTime, seq }: LedgerRecord,
  { found, reason, size }: Requests["ledger.re-anchor"],
): State => ({
  ...voidAgreement(state),
  reAnchored: { at: processTime, by: actor.id, count: (state.reAnchored?.count ?? 0) + 1, found, reason, seq, size },
});

export type Folds = { readonly [K in RequestKind]: Fold<K> };

const FOLDS: Folds = {
  "accept-clock": (state, record, _, result) => clockAccepted(state, record, result as ResultOf<"clock-accepted">),
  "accept-identity": (state, record, _, result) =>
    remembered(state, record, (result as ResultOf<"identity-accepted">).identities),
  annotate: same,
  apply: (state, record, request, result) => ({
    ...state,
    challenges: unconfirmed(state, request),
    claims: claimCounted(state, record, request),
    open: opened(state, record, request, result as ResultOf<"intended">),
    plans: consumed(state, record, request),
  }),
  approve: (state, record, request, result) => approved(state, record, request, result as ResultOf<"approved">),
  cancel: (state, _, { plan }) => canceled(state, plan),
  challenge: (state, record, { here, of }, result) => {
    const { expiresAt, explanation } = result as ResultOf<"challenged">;
    const { index, plan, step } = of;
    const { auditId: id } = record;
    const denied = lastDenialOf(state, { environment: record.environment ?? "" }, step)?.id;
    const registered = registeredRootIn(state, record.environment);
    const words = shownWordsIn(record);
    // Set one by one, which is faster than spreading what may be absent.
    const challenge: Partial<Writable<Challenge>> = { by: record.actor.id };
    if (denied !== undefined) challenge.denied = denied;
    challenge.expiresAt = expiresAt;
    challenge.explanation = explanation;
    challenge.id = id;
    challenge.index = index;
    if (here !== undefined) challenge.instance = record.instance;
    challenge.plan = plan;
    if (registered !== undefined) challenge.registered = registered;
    challenge.step = step.hash;
    if (words !== undefined) challenge.words = words;
    return { ...state, challenges: keep(state.challenges, id, challenge as Challenge) };
  },
  deny: denied,
  register: (state, { auditId, environment = "" }, { root, vms, desired }) => ({
    ...state,
    desired: put(state.desired, environment, { digest: desired, id: auditId, root, size: vms }),
  }),
  dispatched: (state, _, { intent, reference }) => changeIntent(state, intent, (one) => ({ ...one, reference })),
  freeze: (state, { actor, auditId, environment = EVERYWHERE, processTime }, { reason }) => ({
    ...state,
    freezes: frozenToo(state.freezes, environment, { at: processTime, by: actor.id, id: auditId, reason }),
  }),
  invite: invited,
  ingest: (state, record, request) => withObservation(state, record, request, false),
  "ledger.checkpoint": configured,
  "ledger.join": configured,
  "ledger.restore": (state, record, request) => restored(configured(state, record, request), record, request),
  "ledger.unlock": configured,
  "ledger.seal": (state, record, request) => ({
    ...configured(state, record, request),
    seal: { copy: request.copy, seq: record.seq },
  }),
  "ledger.unseal": (state, record, request) => unsealed(configured(state, record, request), record, request),
  "ledger.re-anchor": (state, record, request) => reAnchored(configured(state, record, request), record, request),
  observe: (state, record, request, result) =>
    withObservation(
      remembered(state, record, result.kind === "observed" ? result.identities : undefined),
      record,
      request,
      isLive(state, record),
    ),
  // One that came late finds no open intent, and changes nothing.
  outcome: (state, record, { intent, reference, ...end }) => blocked(state, intent, end, record, reference),
  plan: (state, record, request, result) =>
    // A plan that is answered again stands as it was.
    result.kind === "planned"
      ? answeredWith(planned(state, record, request, result), record, record.auditId)
      : answeredWith(state, record, (result as ResultOf<"unchanged">).plan),
  reconcile: (state, _, { intent }) => reconciled(state, intent),
  recover: (state, record, { ground, intent }) => blocked(state, intent, { cause: ground, outcome: "unknown" }, record),
  redeem: redeemed,
  "request-approval": waiting,
  revoke: revoked,
  "sign-in": signedIn,
  "sign-out": signedOut,
  start: started,
  token: tokened,
  unfreeze: (state, { environment = EVERYWHERE }) => ({ ...state, freezes: drop(state.freezes, environment) }),
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const isLive = (state: State, { configHash, environment = "" }: LedgerRecord): boolean =>
  get(state.configs, configHash)?.environments[environment]?.live === true;

const remembered = (state: State, { environment = "" }: LedgerRecord, digest: Sha256 | undefined): State =>
  digest === undefined ? state : { ...state, identities: put(state.identities, environment, digest) };

const withObservation = (
  state: State,
  { auditId, environment = "", processTime }: LedgerRecord,
  { covers, observation, observedAt, tookMs = 0 }: Requests["observe"],
  live: boolean,
): State => {
  const at = later(processTime, -tookMs);
  const recorded = {
    at,
    ...(covers === undefined ? {} : { covers }),
    digest: observation,
    environment,
    live,
    ...(observedAt === undefined ? {} : { observedAt }),
  };
  return { ...state, observations: keep(state.observations, auditId, recorded) };
};

const dayTurned = (state: State, day: string): State =>
  day === state.plans.day
    ? state
    : {
        ...state,
        answered: turned(state.answered, day),
        challenges: turned(state.challenges, day),
        intents: turned(state.intents, day),
        latest: turned(state.latest, day),
        observations: turned(state.observations, day),
        plans: turned(state.plans, day),
      };

/** Everything by which one version of the rules folds; the state that comes of it has one shape for all of them. */
export type Folding = {
  /** What is forgotten when a record is of another day. */
  readonly dayTurned: (state: State, day: string) => State;
  readonly folds: Folds;
};

/** That of RULES_VERSION. */
export const FOLDING: Folding = { dayTurned, folds: FOLDS };

export type FoldingVersions = Readonly<Record<number, Folding>>;

/** `newest` is the last version that there is; a ledger of a later one is of another time. */
export const evolveBy = (
  versions: FoldingVersions,
  newest: number,
  before: State,
  record: LedgerRecord,
  body: RecordBody | undefined,
): State => {
  const ofAnotherTime = body === undefined ? undefined : formatRefusal(record.seq, body, newest);
  if (ofAnotherTime !== undefined) throw new LedgerOfAnotherTime(ofAnotherTime);
  const { configHash, processTime, seq } = record;
  const rules = body === undefined ? rulesUnder(before, configHash) : rulesFor(before, configHash, body.request);
  const version = versions[rules];
  if (version === undefined) throw new RangeError(`there are no rules ${rules}`);
  const state = version.dayTurned({ ...before, size: seq + 1 }, processTime.slice(0, "2026-11-15".length));
  if (body === undefined || body.result.kind === "refused") return state;
  return (version.folds[body.kind] as Fold<RequestKind>)(state, record, body.request, body.result);
};
