// What a step's page stands on: the step as whoever decides on it reads it, and the words as the bytes of their blob.
//
// Both digests are worked out here, from what came. What does not match what the service says of it is not shown: no
// page asks anybody to agree to a text that it cannot vouch for. Keeps P7-A2.

import type { SeenExplanation, seenExplanation } from "../../boundary/contract/seen-explanation.ts";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { type ReadAnswer, read, readServiceText } from "../ask/get.ts";
import { sha256Hex } from "../digest.ts";

/** A catalogue of words: its digest, and the text that has it. */
export type WordsRead = { readonly digest: string; readonly text: string };

export type StepLoaded = {
  readonly reviewed: AnswerBodies["review"];
  readonly seen: SeenExplanation | "altered";
  /** Those that the step was shown in. */
  readonly words?: WordsRead;
};

type Explained = { readonly explanation: AnswerBodies["review"]["explanation"] };

/** The lines to read, or that what came is not what it is said to be. */
const seenOf = async (
  { explanation }: Explained,
  beside: Parameters<typeof seenExplanation>[1],
  wordsText: string,
): Promise<SeenExplanation | "altered"> => {
  const words = await import("../../boundary/contract/seen-explanation.ts");
  const seen = words.seenExplanation(explanation, beside, wordsText, sha256Hex);
  return seen.digest === explanation.hash ? seen : "altered";
};

/** The words that a digest names; what came under it and has another is none. */
const readWords = async (digest: string, signal?: AbortSignal): Promise<ReadAnswer<WordsRead | "altered">> => {
  const heard = await readServiceText(`/v1/blobs/${digest}`, signal);
  if (heard.kind !== "read") return heard;
  const { text } = heard;
  return { ...heard, value: sha256Hex(text) === digest ? { digest, text } : "altered" };
};

export const loadStep = async (plan: string, step: string, signal: AbortSignal): Promise<ReadAnswer<StepLoaded>> => {
  const named = /^[1-9][0-9]{0,8}$/.test(step) ? { number: Number(step) } : { vmid: step };
  const heard = await read("review", { plan, step: named }, signal);
  if (heard.kind !== "read") return heard;
  const { value: reviewed } = heard;
  const heardWords = await readWords(reviewed.words, signal);
  if (heardWords.kind !== "read") return heardWords;
  const { value: words } = heardWords;
  if (words === "altered") return { ...heard, value: { reviewed, seen: "altered" } };
  const seen = await seenOf(reviewed, reviewed.progress, words.text);
  return { ...heard, value: { reviewed, seen, words } };
};

type Challenged = AnswerBodies["challenge"];
export type ChallengeSeen = {
  readonly challenge: NonNullable<Challenged["challenge"]>;
  readonly seen: SeenExplanation;
};

/** What was shown by a challenge, in the words that it names: those that the page has, or as their blob. */
export const seenOfChallenge = async (
  { challenge, explanation, progress }: Challenged,
  had: WordsRead,
): Promise<ReadAnswer<ChallengeSeen | "altered">> => {
  if (challenge === undefined || progress === undefined) return { kind: "lost" };
  const heard: ReadAnswer<WordsRead | "altered"> =
    challenge.words === had.digest ? { kind: "read", text: had.text, value: had } : await readWords(challenge.words);
  if (heard.kind !== "read") return heard;
  const { value: words } = heard;
  if (words === "altered") return { ...heard, value: words };
  const seen = await seenOf({ explanation }, progress, words.text);
  // What is confirmed is the challenge, and it names the text too.
  const isSaid = seen !== "altered" && seen.digest === challenge.hash;
  return { ...heard, value: isSaid ? { challenge, seen } : "altered" };
};
