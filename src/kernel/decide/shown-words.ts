// Whether what somebody agrees to was shown to them in words that can be shown again: in those that the program
// recorded which started last under the same configuration. keeps P7-A2

import type { Refusal, Sha256, Vmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Command } from "../command/request.ts";
import { get } from "../state/persistent-map.ts";
import type { State } from "../state/state.ts";

export const wordsRefusal = (state: State, { configHash, words }: Command, vmid: Vmid): Refusal | undefined => {
  if (words === undefined) return refuse("words-differ", { cause: "unnamed", vmid });
  const now = get(state.programs, configHash)?.words;
  if (words === now) return undefined;
  return now === undefined
    ? refuse("words-differ", { cause: "unknown", facts: { shown: words }, vmid })
    : refuse("words-differ", { cause: "program", facts: { now, shown: words }, vmid });
};

/** A yes is given in the words of the challenge, and in no others; `words` are those that the program has. */
export const confirmedWordsRefusal = (
  challenged: Sha256 | undefined,
  words: Sha256 | undefined,
  vmid: Vmid,
): Refusal | undefined => {
  if (challenged === undefined || words === undefined) return refuse("words-differ", { cause: "unnamed", vmid });
  return challenged === words
    ? undefined
    : refuse("words-differ", { cause: "challenge", facts: { challenge: challenged, shown: words }, vmid });
};
