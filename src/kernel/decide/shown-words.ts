// Whether what somebody agrees to was shown to them in words that can be shown again: in those that the program recorded
// which started last under the same configuration. keeps P7-A2

import type { Refusal, Sha256, Vmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Command } from "../command/request.ts";
import { get } from "../state/persistent-map.ts";
import type { Challenge, State } from "../state/state.ts";

export const wordsRefusal = (state: State, { configHash, words }: Command, vmid: Vmid): Refusal | undefined => {
  const now = get(state.programs, configHash)?.words;
  if (words !== undefined && words === now) return undefined;
  const shown = words ?? "that it does not name";
  return now === undefined
    ? refuse("words-differ", { cause: "unknown", facts: { shown }, vmid })
    : refuse("words-differ", { cause: "program", facts: { now, shown }, vmid });
};

/** A yes is given to the words of the challenge, and to no others. */
export const confirmedWordsRefusal = (
  challenge: Pick<Challenge, "words">,
  words: Sha256 | undefined,
  vmid: Vmid,
): Refusal | undefined =>
  challenge.words === words
    ? undefined
    : refuse("words-differ", {
        cause: "challenge",
        facts: { challenge: challenge.words ?? "none", shown: words ?? "none" },
        vmid,
      });
