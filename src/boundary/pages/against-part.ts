// Why a decision would be refused, or was: the kernel's own words, beside what they are about.

import type { Problem } from "../../formats/problem.ts";
import type { Refusal } from "../../spine/model.ts";
import { inWords } from "../../spine/words/refusals/refusal-words.ts";
import { type Html, html } from "./html.ts";
import { asSentence } from "./quoted.ts";

export const refusalText = (refusal: Problem | Refusal): Html => {
  const { because, next, summary } = inWords(refusal);
  return html`<p><strong>${asSentence(summary)}:</strong> ${asSentence(because)} <span class="soft">(${refusal.rule}, ${refusal.code})</span><br>
<span class="soft">${asSentence(next)}</span></p>`;
};

/** Nothing where nothing stands against it. */
export const againstPart = (what: string, refusals: readonly Refusal[]): Html | undefined =>
  refusals.length === 0 ? undefined : html`<div class="against"><h3>${what}</h3>${refusals.map(refusalText)}</div>`;
