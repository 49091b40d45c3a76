// What is seen is what is signed: an explanation and a catalogue of words as the texts that they came as, the digest
// of the structure worked out here, and the lines that whoever agrees reads, rendered from nothing else.
//
// A page shows these lines and sends these digests; one that does not match what the service said is not shown. The
// hash function is given: a browser has none that answers at once. Keeps P7-A2.

import type { Explanation } from "../../spine/model.ts";
import { canonical, type Json } from "../../spine/values/canonical.ts";
import {
  type BesideExplanation,
  explanationInWords,
  framedExplanation,
} from "../../spine/words/steps/explanation-in-words.ts";
import { actionTitle } from "../../spine/words/steps/step-summary.ts";
import { wordsIn } from "../../spine/words/words-catalogue.ts";

export type SeenExplanation = {
  /** The digest of the structure, as it was worked out from it. */
  readonly digest: string;
  readonly end: string;
  readonly heading: string;
  /** By what they are about, in the order in which every door shows them. */
  readonly lines: {
    readonly agreement: readonly string[];
    readonly effects: readonly string[];
    readonly facts: readonly string[];
    readonly rules: readonly string[];
  };
  /** What is done to which VM, as a button says it; absent where there is no step. */
  readonly title?: string;
};

/** The text that an explanation's hash covers. */
const explanationText = ({ hash: _, ...explanation }: Explanation): string => canonical(explanation as Json);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const seenExplanation = (
  explanation: Explanation,
  beside: BesideExplanation,
  wordsText: string,
  sha256: (text: string) => string,
): SeenExplanation => {
  const catalogue = wordsIn(wordsText);
  const digest = sha256(explanationText(explanation));
  const { end, heading, lines } = framedExplanation(explanation, beside, catalogue, digest);
  const { step, vmid } = explanation;
  const { facts, rules } = explanationInWords(explanation, catalogue);
  // Facts, then the effect and what can be undone, then the rules, then who must agree and who was invited.
  const [effects, weighed] = [facts.length, facts.length + 2];
  return {
    digest,
    end,
    heading,
    lines: {
      agreement: lines.slice(weighed + rules.length),
      effects: lines.slice(effects, weighed),
      facts: lines.slice(0, effects),
      rules: lines.slice(weighed, weighed + rules.length),
    },
    ...(step === undefined
      ? undefined
      : { title: `${capital(actionTitle(step.action.kind, step.name, catalogue))} (VM ${vmid})` }),
  };
};
