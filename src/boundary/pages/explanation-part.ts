// The explanation of a step on a page: every line of the text that is agreed to, in the words and in the order in which
// every other door shows it, and its hash. Nothing of it is left out or shortened. Keeps P7-A2.

import type { Explanation } from "../../spine/model.ts";
import {
  type BesideExplanation,
  explanationInWords,
  framedExplanation,
} from "../../spine/words/steps/explanation-in-words.ts";
import { type Html, html } from "./html.ts";
import { asSentence } from "./quoted.ts";

const item = (line: string): Html => html`<li>${asSentence(line.trim())}</li>`;
const listOf = (name: string, lines: readonly string[]): Html | undefined =>
  lines.length === 0 ? undefined : html`<ul class="${name}">${lines.map(item)}</ul>`;

export const explanationPart = (explanation: Explanation, beside: BesideExplanation): Html => {
  const { end, heading, lines } = framedExplanation(explanation, beside);
  const { facts, rules } = explanationInWords(explanation);
  // Facts, then the effect and what can be undone, then the rules, then who must agree and who was invited.
  const [effects, weighed] = [facts.length, facts.length + 2];
  return html`<section aria-labelledby="explanation" class="explanation">
<h2 id="explanation">${asSentence(heading)}</h2>
${listOf("facts", lines.slice(0, effects))}
${listOf("effects", lines.slice(effects, weighed))}
${listOf("rules", lines.slice(weighed, weighed + rules.length))}
${listOf("agreement", lines.slice(weighed + rules.length))}
<p class="hash">${asSentence(end.trim())}</p>
</section>`;
};
