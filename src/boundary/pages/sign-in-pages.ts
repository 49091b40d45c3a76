// The pages of signing in: the question of a terminal, and what came of it.
//
// Each says what will happen before its button, and a page that cannot go on says why and what to do. Not here: who
// signs in (identity/), passkeys (passkey-pages.ts), how a page is framed (web-page.ts).

import { type Html, html } from "./html.ts";
import type { WebPage } from "./web-page.ts";

/** A value that a form brings back. */
export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

export type TerminalShown = { readonly code: string; readonly hash: string; readonly id: string };

export const terminalCodeShown = ({
  code,
}: TerminalShown): Html => html`<p>A command line asks to be signed in as you. It shows this code:</p>
<p class="code">${code}</p>
<p>Go on only if <strong>your own terminal</strong> shows exactly this code. Whoever sent you here with another one would act in
your name.</p>`;

export type TerminalQuestion = TerminalShown & { readonly flow: string; readonly name: string };

/** After the provider said who it is. `flow` is what was sealed of that. */
export const terminalPage = ({ flow, name, ...terminal }: TerminalQuestion): WebPage => ({
  body: html`${terminalCodeShown(terminal)}
<dl><dt>You are</dt><dd>${name}</dd></dl>
<form method="post" action="/sign-in/terminal">${hiddenField("flow", flow)}
<button type="submit" name="answer" value="yes">Sign in at this terminal</button>
<button type="submit" class="second" name="answer" value="no">Cancel</button>
</form>`,
  status: 200,
  title: "Sign in at your terminal",
});

/** `csrf` is the word of this session, for the form that ends it; `to` is where its person came from. */
export const signedInPage = (name: string, csrf: string, to?: string): WebPage => ({
  body: html`<p>You are signed in as <strong>${name}</strong>.</p>
${
  to === undefined
    ? html`<p class="soft">A request for approval has the address of its page; open it in this browser. At a terminal,
the command <code>status</code> lists what waits for approval.</p>`
    : html`<p><a href="${to}">Go on</a></p>`
}
<form method="post" action="/sign-out">${hiddenField("csrf", csrf)}<button type="submit" class="second">Sign out</button></form>`,
  ...(to === undefined ? {} : { goesOnTo: to }),
  status: 200,
  title: "Signed in",
});

export const terminalSignedInPage = (name: string): WebPage => ({
  body: html`<p>Your terminal is signed in as <strong>${name}</strong>. You can close this page.</p>`,
  status: 200,
  title: "Signed in",
});

export const signedOutPage: WebPage = {
  body: html`<p>Your session has ended. Nothing that you approved was changed by it.</p><p><a href="/sign-in">Sign in again</a></p>`,
  status: 200,
  title: "Signed out",
};

export type SignInFlaw = keyof typeof FLAWS;

const FLAWS = {
  answer: [502, "Sign-in failed", "The identity provider gave an answer that cannot be used. Try again."],
  canceled: [200, "Not signed in", "Nothing was recorded. You can close this page."],
  declined: [403, "Not signed in", "The identity provider did not sign you in."],
  foreign: [403, "Not signed in", "This form came from another page. Go back and try again."],
  malformed: [400, "Not signed in", "The address of this page is not whole. Copy it again from your terminal."],
  over: [400, "Not signed in", "This took too long, or was begun in another browser. Begin again."],
  unavailable: [
    503,
    "Sign-in failed",
    "The identity provider cannot be used as it is configured. Ask an operator: the command doctor says what is wrong.",
  ],
  unreachable: [502, "Sign-in failed", "The identity provider cannot be reached. Try again later."],
} as const satisfies Readonly<Record<string, readonly [number, string, string]>>;

export const signInFlawPage = (flaw: SignInFlaw): WebPage => {
  const [status, title, text] = FLAWS[flaw];
  return { body: html`<p>${text}</p><p><a href="/sign-in">Sign in</a></p>`, status, title };
};

/** What the kernel refused, in the catalogue's words. */
export const signInRefusedPage = (
  refusals: readonly { readonly detail: string; readonly summary: string }[],
): WebPage => ({
  body: html`${refusals.map(({ detail, summary }) => html`<p role="alert"><strong>${summary}.</strong> ${detail}</p>`)}`,
  status: 403,
  title: "Not signed in",
});
