// What others wrote, on a page: names, reasons, what a provider said. It is text and stays text: what cannot be seen is
// written as its code, and no direction of writing reaches beyond it.

import { visible } from "../../spine/values/invisible.ts";
import { type Html, html } from "./html.ts";

/** A name, or whatever else is one word or several of somebody else's. */
export const asQuoted = (text: string): Html => html`<bdi>${visible(text)}</bdi>`;

/** A sentence of ours in which somebody else's words may stand. */
export const asSentence = (text: string): Html => html`<span class="line">${visible(text)}</span>`;

/** A list of names: `bob, carol`. */
export const names = (list: readonly string[], between = ", "): Html =>
  html`${list.map((name, at) => [at === 0 ? undefined : between, asQuoted(name)])}`;
