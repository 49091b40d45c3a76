// A key is answered once. It is looked up before anything is observed or called: the same request gets what was stored,
// another one conflicts; and of two at once in one process, one is performed and both get its answer. keeps B6
//
// Between processes the ledger decides: whose answering record is second finds the first in its place.

import { bodyOf } from "../../kernel/command/record-body.ts";
import { canonicalText, type OutsideCause, profileText } from "../../ledger/record/profile.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import { recordOf } from "../../ledger/verify/chain-state.ts";
import type { Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { type RefusedAnswer, refusedByKernel, type ServiceAnswer } from "../answer.ts";
import { readingIn, type ServiceSession } from "../hold/session.ts";
import { answerFrom, type ServiceAct } from "./act.ts";

/**
 * The digest of what a door was asked: the operation and its request, in canonical form. A key or a request that no
 * record can carry is refused as it would be without a key.
 */
export const requestDigest = (key: string, operation: string, request: object): Sha256 | Refusal => {
  if (!isUlid(key)) return unfit("key-not-ulid");
  const asked = JSON.parse(JSON.stringify({ operation, request }));
  const told = profileText(asked);
  if (told.kind === "outside" && HALF.has(told.cause)) return unfit(told.cause);
  return sha256(canonicalText(asked));
};

/** Half of a character has no bytes that it could be known by. */
const HALF: ReadonlySet<OutsideCause> = new Set(["key-half-surrogate", "text-half-surrogate"]);

const unfit = (said: string): Refusal => refuse("record-unwritten", { cause: "unfit", facts: { said } });

type Underway = { readonly answer: Promise<ServiceAnswer<object>>; readonly asked: Sha256 };
/** What is being answered at the moment, by caller and key. */
export type Answering = Map<string, Underway>;

export const answerOnce = async <R, T extends object>(
  session: ServiceSession,
  act: ServiceAct<R, T>,
  request: R,
  answering: Answering,
): Promise<ServiceAnswer<T>> => {
  const { asked, key } = session.answering;
  if (asked === undefined || key === undefined) return act.perform(session, request);
  const name = `${key} ${session.caller.actor.id}`;
  const underway = answering.get(name);
  if (underway !== undefined) {
    if (underway.asked === asked) {
      // The same caller, key and request: the same operation, and so the same value. What was stored is read from the
      // record, as for everybody who comes later; what was refused on the way is no stored answer.
      const answer = (await underway.answer) as ServiceAnswer<T>;
      return (await findStoredAnswer(session, act, key, asked)) ?? answer;
    }
    // Another request waits until the ledger tells whether the key was used.
    await underway.answer.catch(() => "told-to-the-other");
    return answerOnce(session, act, request, answering);
  }
  const answer = (async () => (await findStoredAnswer(session, act, key, asked)) ?? act.perform(session, request))();
  answering.set(name, { answer, asked });
  try {
    return await answer;
  } finally {
    answering.delete(name);
  }
};

const keyReused = (seq: number): RefusedAnswer => refusedByKernel([refuse("key-reused", { facts: { seq } })]);

const findStoredAnswer = async <R, T extends object>(
  session: ServiceSession,
  act: ServiceAct<R, T>,
  key: Ulid,
  asked: Sha256,
): Promise<ServiceAnswer<T> | undefined> => {
  const { caller, ledger, writer } = session;
  const use = await ledger.engine.lookup(caller.actor.id, key);
  if (use === undefined) return undefined;
  if (use.request !== asked) return keyReused(use.seq);
  // The value is read on a state that knows the record.
  await writer.refresh();
  for await (const line of ledger.engine.read(use.seq, use.seq + 1)) {
    const record = recordOf(line, use.seq);
    const result = bodyOf(record)?.result;
    if (result?.kind === "refused") return { ...refusedByKernel(result.refusals), replayed: true };
    return act.mend?.(session, record) ?? answerFrom(readingIn(session), record, true, act.valueIn);
  }
  throw new Error(`the ledger cannot be read: record ${use.seq} is named by a key and is not there`);
};
