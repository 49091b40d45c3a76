// Answers that were computed a moment ago on the same head, for the same credential and request: a plan that many look
// at is put together once. The very same value comes back, so that a door can keep what it made of it.
//
// On one head a credential proves one caller with one sight until it ends, so that whoever shows it again before that
// need not be proven again; on another head everything is forgotten. What else hangs on the clock (an approval that
// ends, a step that expires) is judged at most a second late, and only where it is shown: whoever decides judges anew.
// keeps B2, B3

import type { Head } from "../../ledger/engine.ts";
import type { Instant } from "../../spine/model.ts";
import { later } from "../../spine/values/instant.ts";
import type { Caller, CallerCredential, ProvenCaller } from "./callers.ts";

const HELD_MS = 1_000;
const ANSWERS_MAX = 1_000;

type Asked = { readonly at: Instant; readonly head: Head; readonly name: string };
type Remembered = { readonly from: Instant; readonly until: Instant; readonly value: object };
/** Who was proven by a credential on the head, until when, and what they were answered. */
type KnownReader = {
  readonly actor: ProvenCaller["actor"];
  readonly answers: Map<string, Remembered>;
  readonly door: Caller["door"];
  /** Undefined for the operator at the ledger's own files, whom nothing ends. */
  readonly endsAt: Instant | undefined;
};

export type RecalledAnswer = Pick<KnownReader, "actor"> & Pick<Remembered, "value">;
export type RememberedAnswers = {
  /** Undefined where the caller must be proven, or the answer computed. */
  readonly find: (
    asked: Asked,
    caller: Pick<Caller, "credential" | "door">,
    request: object,
  ) => RecalledAnswer | undefined;
  /** Of a caller who was proven on that head. */
  readonly keep: (asked: Asked, caller: ProvenCaller, request: object, value: object) => void;
};

const readerKey = (credential: CallerCredential): string =>
  credential.kind === "token" ? credential.hash : credential.kind;
const answerKey = (name: string, request: object): string => `${name} ${JSON.stringify(request)}`;

export const rememberAnswers = (): RememberedAnswers => {
  let hash = "";
  let count = 0;
  const readers = new Map<string, KnownReader>();
  const forget = (head: Head): void => {
    readers.clear();
    count = 0;
    hash = head.hash;
  };
  const readerOf = ({ actor, credential, door, endsAt }: ProvenCaller): KnownReader => {
    if (credential.kind === "token" && endsAt === undefined) throw new TypeError("a token ends");
    const key = readerKey(credential);
    const known = readers.get(key);
    if (known?.door === door) return known;
    const first = { actor, answers: new Map(), door, endsAt };
    readers.set(key, first);
    return first;
  };
  return {
    find: ({ at, head, name }, { credential, door }, request) => {
      const reader = head.hash === hash ? readers.get(readerKey(credential)) : undefined;
      if (reader === undefined || reader.door !== door) return undefined;
      if (reader.endsAt !== undefined && at >= reader.endsAt) return undefined;
      const found = reader.answers.get(answerKey(name, request));
      if (found === undefined || at < found.from || at >= found.until) return undefined;
      return { actor: reader.actor, value: found.value };
    },
    keep: ({ at, head, name }, caller, request, value) => {
      if (head.hash !== hash || count >= ANSWERS_MAX) forget(head);
      readerOf(caller).answers.set(answerKey(name, request), { from: at, until: later(at, HELD_MS), value });
      count += 1;
    },
  };
};
