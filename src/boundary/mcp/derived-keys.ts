// The keys of acts that an agent asks for without one: a row of them follows from the operation and its request, so
// that a call whose answer was lost, and is made again, is answered by the same record. keeps B6
//
// A key that was answered with a refusal is spent, and what was refused may be granted later: then the next of the row
// is asked under. So is one by which people were asked, once an approval of theirs counts no more. They are spent in
// order, so the last one is found by halving. Not here: whose key it is, which the ledger knows by the caller.

import type { Ulid } from "../../ledger/record/record.ts";
import { isUlid, ulidText } from "../../ledger/record/ulid.ts";
import { isRefused, type ServiceAnswer } from "../../service/answer.ts";
import { canonical, type Json } from "../../spine/values/canonical.ts";
import { sha256 } from "../../spine/values/hash.ts";

/** The time of a key is that of its plan: keys lie in the ledger by their time. */
const TIME_DIGITS = 10;
const ULID_BYTES = 16;

export const derivedKey = (operation: string, request: object, plan: string, time: number): Ulid => {
  const digest = Buffer.from(sha256(canonical({ operation, request: request as Json, time })), "hex");
  const key = plan.slice(0, TIME_DIGITS) + ulidText(digest.subarray(0, ULID_BYTES)).slice(TIME_DIGITS);
  if (!isUlid(key)) throw new Error("a plan is named by its id where a key is derived from it");
  return key;
};

/** What the ledger has of a key: nothing, an answer, or one that is over. */
export type DerivedKeyUse = "free" | "over" | "stands";

const isSpent = async (
  answer: ServiceAnswer<unknown>,
  key: Ulid,
  useOf: (key: Ulid) => Promise<DerivedKeyUse>,
): Promise<boolean> => answer.replayed === true && (isRefused(answer) || (await useOf(key)) === "over");

/** Which of a row is the last that has an answer, where the first has one. */
const findLast = async (isAnswered: (time: number) => Promise<boolean>): Promise<number> => {
  let [low, high] = [0, 1];
  while (await isAnswered(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isAnswered(middle)) low = middle;
    else high = middle;
  }
  return low;
};

/** Asks under the last key of the row that has an answer, or under the next one where that is spent. */
export const askDerived = async <T>(
  keyAt: (time: number) => Ulid,
  ask: (key: Ulid) => Promise<ServiceAnswer<T>>,
  useOf: (key: Ulid) => Promise<DerivedKeyUse>,
): Promise<{ readonly answer: ServiceAnswer<T>; readonly key: Ulid }> => {
  const askAt = async (time: number) => ({ answer: await ask(keyAt(time)), key: keyAt(time) });
  const first = await askAt(0);
  if (first.answer.replayed !== true) return first;
  const last = await findLast(async (time) => (await useOf(keyAt(time))) !== "free");
  const found = last === 0 ? first : await askAt(last);
  return (await isSpent(found.answer, found.key, useOf)) ? askAt(last + 1) : found;
};
