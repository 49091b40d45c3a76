// What a step's page stands on: the step as whoever decides on it reads it, and the words as the bytes of their blob.
//
// Both digests are worked out here, from what came. What does not match what the service says of it is not shown: no
// page asks anybody to agree to a text that it cannot vouch for. Keeps P7-A2.

import type { SeenExplanation, seenExplanation } from "../../boundary/contract/seen-explanation.ts";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { type ReadAnswer, read, readServiceText } from "../ask/get.ts";
import { sha256Hex } from "../digest.ts";

export type StepLoaded = {
  readonly reviewed: AnswerBodies["review"];
  readonly seen: SeenExplanation | "altered";
  readonly wordsText: string;
};

type Explained = { readonly explanation: AnswerBodies["review"]["explanation"] };

/** The lines to read, or that what came is not what it is said to be. */
export const seenOf = async (
  { explanation }: Explained,
  beside: Parameters<typeof seenExplanation>[1],
  wordsText: string,
): Promise<SeenExplanation | "altered"> => {
  const words = await import("../../boundary/contract/seen-explanation.ts");
  const seen = words.seenExplanation(explanation, beside, wordsText, sha256Hex);
  return seen.digest === explanation.hash ? seen : "altered";
};

export const loadStep = async (plan: string, step: string, signal: AbortSignal): Promise<ReadAnswer<StepLoaded>> => {
  const named = /^[1-9][0-9]{0,8}$/.test(step) ? { number: Number(step) } : { vmid: step };
  const heard = await read("review", { plan, step: named }, signal);
  if (heard.kind !== "read") return heard;
  const { value: reviewed } = heard;
  const words = await readServiceText(`/v1/blobs/${reviewed.words}`, signal);
  if (words.kind !== "read") return words;
  const isWords = sha256Hex(words.text) === reviewed.words;
  const seen = isWords ? await seenOf(reviewed, reviewed.progress, words.text) : "altered";
  return { ...heard, value: { reviewed, seen, wordsText: words.text } };
};
