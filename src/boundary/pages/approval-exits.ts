// Where the pages of an approval end without a step: nobody is signed in, or there is nothing to show them.

import type { Problem } from "../../formats/problem.ts";
import type { Refusal } from "../../spine/model.ts";
import { refusalText } from "./against-part.ts";
import { html } from "./html.ts";
import type { WebPage } from "./web-page.ts";

/** In the query of whoever was sent on by a page of ours: nobody is sent on twice. */
export const SENT_ON = "here";

/** A browser that comes from another site shows its session to a page that this one leads to. */
export const sentOnPage = (path: string): WebPage => ({
  body: html`<p><a href="${path}?${SENT_ON}">Go on</a></p>`,
  goesOnTo: `${path}?${SENT_ON}`,
  status: 200,
  title: "Approve or deny",
});

/** The reason is theirs alone: it is shown once more, and recorded nowhere. */
export const signedOutMeanwhilePage = (path: string, reason: string): WebPage => ({
  body: html`<div role="alert"><p><strong>Your session has ended.</strong> Nothing was recorded.</p></div>
<p><a class="button" href="/sign-in?to=${encodeURIComponent(path)}">Sign in and go on</a></p>${
    reason === ""
      ? undefined
      : html`
<label for="reason">Your reason</label>
<textarea id="reason" rows="3" readonly>
${reason}</textarea>`
  }`,
  status: 401,
  title: "Not signed in",
});

const TITLES: Readonly<Record<number, string>> = { 403: "Not allowed", 404: "Not found" };

export const approvalRefusedPage = (refusals: readonly (Problem | Refusal)[], status: number): WebPage => ({
  body: html`<div role="alert">${refusals.map(refusalText)}</div>`,
  status,
  title: TITLES[status] ?? "Not possible now",
});
