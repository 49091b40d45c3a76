// Replay: every recorded request is decided again, on the state that the records before it leave, and the decision is
// held against the recorded one. Equal, or the first difference. It reads records and blobs, and no
// clock, no configuration of today, and nobody's word but the recorded one. Keeps G3, G5, G7.
//
// A trail that says "denied" and then "performed" cannot pass: the second record is not what that state decides.
// Not here: the chain and the canonical bytes (ledger/verify/verify.ts), which say whether the records are the ones
// written.

import type { Draft, LedgerRecord } from "../ledger/record/record.ts";
import type { Page } from "../ledger/verify/chained.ts";
import { floorAfter, isBehind } from "../ledger/write/floor.ts";
import type { DesiredState, Instant, Observation, Refusal, Sha256 } from "../spine/model.ts";
import type { Identities } from "../spine/values/identities.ts";
import type { FailureIn } from "../spine/words/cause.ts";
import type { REPLAY_WORDS } from "../spine/words/refusals/kernel-words.ts";
import { type BlobText, type BlobValues, isNotHere, type NotHere, valuesOf } from "./blob-values.ts";
import { bodyOf, type RecordBody } from "./command/record-body.ts";
import { RECORD_KINDS } from "./command/record-kinds.ts";
import type { Command } from "./command/request.ts";
import type { Result } from "./command/result.ts";
import { decideBy } from "./decide/decide.ts";
import { evolveBy } from "./evolve/evolve.ts";
import { formatRefusal } from "./evolve/ledger-format.ts";
import { get } from "./state/persistent-map.ts";
import { recall } from "./state/recent.ts";
import { INITIAL, type State } from "./state/state.ts";
import { VERSIONS, type Versions } from "./versions.ts";

export type Replayed =
  | ({ readonly kind: "equal"; readonly records: number; readonly foreign: number } & ReplayedTo)
  | { readonly kind: "differs"; readonly difference: Difference; readonly seq: number }
  /** Not damaged: this program cannot read it. */
  | { readonly kind: "unreadable"; readonly refusal: Refusal };

/** Where a decision that is made again differs from its record. */
export type Difference = FailureIn<typeof REPLAY_WORDS>;

/** What the records up to one lead to: on it the next one is decided. */
export type ReplayedTo = { readonly floor: Instant | undefined; readonly state: State };

const NOTHING_REPLAYED: ReplayedTo = { floor: undefined, state: INITIAL };

/** `from` is where an earlier replay was equal to, and the pages begin behind it. */
export const replay = async (
  pages: AsyncIterable<Page> | Iterable<Page>,
  blob: BlobText,
  versions: Versions = VERSIONS,
  from: ReplayedTo = NOTHING_REPLAYED,
): Promise<Replayed> => {
  const values = valuesOf(blob);
  const newest = Math.max(...Object.keys(versions).map(Number));
  let tail = from;
  let foreign = 0;
  for await (const page of pages) {
    for (const record of page) {
      const body = bodyOf(record);
      if (body === undefined) foreign += 1;
      else {
        const refusal = formatRefusal(record.seq, body, newest);
        if (refusal !== undefined) return { kind: "unreadable", refusal };
        const decided = RECORD_KINDS[body.kind].namesBlobs
          ? decidedOnBlobs(versions, tail, record, body, values)
          : decidedAgain(versions, tail, record, body, undefined);
        // Waiting where there is nothing to wait for would cost as much as some decisions.
        const difference = decided instanceof Promise ? await decided : decided;
        if (difference !== undefined) return { difference, kind: "differs", seq: record.seq };
      }
      tail = after(versions, newest, tail, record, body);
    }
  }
  return { ...tail, foreign, kind: "equal", records: tail.state.size };
};

const after = (
  versions: Versions,
  newest: number,
  { floor, state }: ReplayedTo,
  record: LedgerRecord,
  body: RecordBody | undefined,
): ReplayedTo => ({ floor: floorAfter(record, floor), state: evolveBy(versions, newest, state, record, body) });

/** Promised only where a blob has to be read first. */
const decidedOnBlobs = (
  versions: Versions,
  tail: ReplayedTo,
  record: LedgerRecord,
  body: RecordBody,
  values: BlobValues,
): Difference | undefined | Promise<Difference | undefined> => {
  try {
    const given = givenFrom(tail.state, record, body, values);
    if (!isNotHere(given)) return decidedAgain(versions, tail, record, body, given);
    const { digest, isRead } = given;
    return isRead
      ? { cause: "blob-missing", facts: { digest } }
      : decidedOnceRead(versions, tail, record, body, values, digest);
  } catch (error) {
    return stumbled(error);
  }
};

const decidedOnceRead = async (
  versions: Versions,
  tail: ReplayedTo,
  record: LedgerRecord,
  body: RecordBody,
  values: BlobValues,
  digest: Sha256,
): Promise<Difference | undefined> => {
  try {
    await values.read(digest);
  } catch (error) {
    return stumbled(error);
  }
  return decidedOnBlobs(versions, tail, record, body, values);
};

/** The difference, if there is one. */
const decidedAgain = (
  versions: Versions,
  { floor, state }: ReplayedTo,
  record: LedgerRecord,
  body: RecordBody,
  given: Command["given"],
): Difference | undefined => {
  try {
    if (isBehind(record, floor)) return { cause: "stamped-earlier", facts: {} };
    const { draft } = decideBy(versions, state, commandIn(record, body, given), floor);
    return differenceOf(draft, record);
  } catch (error) {
    return stumbled(error);
  }
};

/** What a door asks can be decided. What stumbles over it was asked at none, and its record was made by hand. */
const stumbled = (error: unknown): Difference => {
  const isOfBody = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  // The ledger may fail too, while a blob is read.
  if (!isOfBody) throw error;
  return { cause: "request-unfit", facts: {} };
};

const commandIn = (
  record: LedgerRecord,
  { door, kind, request, token, words }: RecordBody,
  given: Command["given"],
): Command => {
  // Every member in one shape, also those that are undefined: what is added to an object later costs more than they do.
  const command: { readonly [K in keyof Required<Command>]: Command[K] | undefined } = {
    actor: record.actor,
    asked: record.asked,
    at: record.processTime,
    causationId: record.causationId,
    configHash: record.configHash,
    correlationId: record.correlationId,
    door,
    environment: record.environment,
    given,
    id: record.auditId,
    instance: record.instance,
    key: record.idempotencyKey,
    kind,
    request,
    token,
    words,
  };
  return command as Command;
};

/**
 * The values that a request names by digest, from their blobs; or which one is not to be had, or has to be read first.
 * A value that was not judged, or was not the one that its digest names, is in no blob of the record, and is not handed
 * in again.
 */
const givenFrom = (
  state: State,
  { blobs = [], environment = "" }: LedgerRecord,
  { kind, request, result }: RecordBody,
  values: BlobValues,
): Command["given"] | NotHere => {
  switch (kind) {
    case "start": {
      if (!blobs.includes(request.words)) return undefined;
      const words = values.text(request.words);
      return typeof words === "string" ? { words } : words;
    }
    case "register": {
      if (!blobs.includes(request.desired)) return undefined;
      const desired = desiredIn(values, request.desired);
      return isNotHere(desired) ? desired : { desired };
    }
    case "observe":
    case "ingest": {
      const isJudged = blobs.includes(request.observation);
      const observation = isJudged ? observationIn(values, request.observation) : undefined;
      if (isNotHere(observation)) return observation;
      const identities = kind === "observe" ? identitiesFor(state, environment, result, values) : undefined;
      if (isNotHere(identities)) return identities;
      return {
        ...(identities === undefined ? {} : { identities }),
        ...(observation === undefined ? {} : { observation }),
      };
    }
    case "accept-identity":
    case "reconcile": {
      const recorded = recall(state.observations, request.observation);
      const isLeftOut = recorded === undefined || alteredValue(result) === "observation";
      const observation = isLeftOut ? undefined : observationIn(values, recorded.digest);
      if (isNotHere(observation)) return observation;
      const needs = kind === "accept-identity";
      const identities = needs ? identitiesFor(state, environment, result, values) : undefined;
      if (isNotHere(identities)) return identities;
      return {
        ...(identities === undefined ? {} : { identities }),
        ...(observation === undefined ? {} : { observation }),
      };
    }
    case "plan": {
      const registration = get(state.desired, environment);
      const recorded = recall(state.observations, request.observation);
      const other = alteredValue(result);
      // Without either the plan was refused before it was needed.
      const desired =
        registration === undefined || other === "desired" ? undefined : desiredIn(values, registration.digest);
      if (isNotHere(desired)) return desired;
      const observation =
        recorded === undefined || other === "observation" ? undefined : observationIn(values, recorded.digest);
      if (isNotHere(observation)) return observation;
      const identities = identitiesFor(state, environment, result, values);
      if (isNotHere(identities)) return identities;
      return {
        ...(identities === undefined ? {} : { identities }),
        ...(observation === undefined ? {} : { observation }),
        ...(desired === undefined ? {} : { desired }),
      };
    }
    default:
      return undefined;
  }
};

/** What a plan was given in the place of the recorded value; nobody can show it again. */
const alteredValue = (result: Result): unknown =>
  result.kind === "refused" ? result.refusals.find(({ code }) => code === "value-altered")?.cause : undefined;

/** What was remembered then; undefined where nothing was, or where something else was brought. */
const identitiesFor = (
  state: State,
  environment: string,
  result: Result,
  values: BlobValues,
): Identities | NotHere | undefined => {
  const digest = get(state.identities, environment);
  const isOther = result.kind === "refused" && result.refusals.some(({ code }) => code === "identities-moved");
  if (digest === undefined || isOther) return undefined;
  const found = values.value(digest) as { readonly identities: Identities } | NotHere;
  return isNotHere(found) ? found : found.identities;
};

const desiredIn = (values: BlobValues, digest: Sha256): DesiredState | NotHere => {
  const found = values.value(digest) as Omit<DesiredState, "digest"> | NotHere;
  return isNotHere(found) ? found : { digest, environment: found.environment, entries: found.entries };
};

const observationIn = (values: BlobValues, digest: Sha256): Observation | NotHere =>
  values.value(digest) as Observation | NotHere;

/** Where the decision made again differs from the record; undefined when it is the same in every field. */
const differenceOf = (draft: Draft, record: LedgerRecord): Difference | undefined => {
  for (const { field, holds } of FIELDS) {
    if (holds(draft, record)) continue;
    return field === "body" ? bodyDifference(draft, record) : { cause: "field", facts: { field } };
  }
  return undefined;
};

type Holds = (made: Draft, found: LedgerRecord) => boolean;

/**
 * Every field of a draft; the compiler asks for a new one here too. Each is read by a function of its own, which is
 * faster than looking it up by its name.
 */
const HOLDS: { readonly [F in keyof Required<Draft>]: Holds } = {
  actor: (made, found) => isSame(made.actor, found.actor),
  asked: (made, found) => made.asked === found.asked,
  auditId: (made, found) => made.auditId === found.auditId,
  blobs: (made, found) => isSame(made.blobs, found.blobs),
  body: (made, found) => isSame(made.body, found.body),
  causationId: (made, found) => made.causationId === found.causationId,
  configHash: (made, found) => made.configHash === found.configHash,
  correlationId: (made, found) => made.correlationId === found.correlationId,
  environment: (made, found) => made.environment === found.environment,
  eventTime: (made, found) => made.eventTime === found.eventTime,
  idempotencyKey: (made, found) => made.idempotencyKey === found.idempotencyKey,
  instance: (made, found) => made.instance === found.instance,
  kind: (made, found) => made.kind === found.kind,
  processTime: (made, found) => made.processTime === found.processTime,
};
const FIELDS = Object.entries(HOLDS).map(([field, holds]) => ({ field, holds }));

const bodyDifference = (draft: Draft, record: LedgerRecord): Difference => {
  const shown = (result: unknown): string =>
    String((result as { readonly kind?: unknown } | undefined)?.kind ?? "none");
  const [made, found] = [draft.body["result"], record.body["result"]];
  return isSame(made, found)
    ? { cause: "body", facts: {} }
    : { cause: "result", facts: { found: shown(found), made: shown(made) } };
};

const isSame = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) return isSameList(one, other);
  return isSameObject(one as Members, other as Members);
};

/** In any order; a member that is undefined is none. Walked by `for in`, which makes no list of the names. */
const isSameObject = (one: Members, other: Members): boolean => {
  let members = 0;
  for (const name in one) {
    const ours = one[name];
    if (ours === undefined) continue;
    if (!Object.hasOwn(other, name)) return false;
    const theirs = other[name];
    if (ours !== theirs && !isSame(ours, theirs)) return false;
    members += 1;
  }
  for (const name in other) if (other[name] !== undefined) members -= 1;
  return members === 0;
};
type Members = { readonly [key: string]: unknown };

const isSameList = (one: object, other: object): boolean =>
  Array.isArray(one) &&
  Array.isArray(other) &&
  one.length === other.length &&
  one.every((member, at) => isSame(member, other[at]));
