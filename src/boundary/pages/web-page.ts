// A page of the service: one frame, one style, and what the browser may do with it, which is next to nothing.
//
// Pages work without script, but for those that ask a device for a passkey. Both themes, readable at 200
// percent, and no font or picture from elsewhere. Not here: what a page says (the files beside).

import { type Html, html } from "./html.ts";

export type WebPage = {
  readonly body: Html;
  /**
   * A path that the browser opens by itself. Not a redirect: after one from another site the cookie of the session is
   * not sent, and after a page of our own it is.
   */
  readonly goesOnTo?: string;
  /** The path of the one script that this page may run. */
  readonly script?: string;
  readonly status: number;
  readonly title: string;
};

const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --back: #ffffff; --soft: #57606a; --line: #d0d7de; --field: #f6f8fa;
  --strong: #0b57a4; --on-strong: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --back: #0d1117; --soft: #9da7b1; --line: #30363d;
  --field: #161b22; --strong: #79b8ff; --on-strong: #0d1117; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 2rem 1.25rem; }
header { border-bottom: 1px solid var(--line); padding: .75rem max(1.25rem, 50% - 18.75rem); font-weight: 600; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 1rem; }
p { margin: 0 0 1rem; }
a { color: var(--strong); }
.soft { color: var(--soft); }
.code { font: 600 1.75rem/1.2 ui-monospace, monospace; letter-spacing: .08em; background: var(--field);
  border: 1px solid var(--line); border-radius: .4rem; padding: .75rem 1rem; display: inline-block; }
pre, code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 1rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
button, .button { font: inherit; font-weight: 600; padding: .55rem 1rem; border-radius: .4rem; cursor: pointer;
  border: 1px solid var(--strong); background: var(--strong); color: var(--on-strong); margin: 0 .5rem .5rem 0; }
button.second { background: transparent; color: var(--strong); }
button:disabled { opacity: .55; cursor: not-allowed; }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
[role="alert"] { border-left: 4px solid var(--strong); background: var(--field); padding: .75rem 1rem; margin: 0 0 1rem; }
[role="alert"]:empty { display: none; }
[role="alert"] p:last-child { margin: 0; }
h2 { font-size: 1.1rem; line-height: 1.3; margin: 0 0 .5rem; } h3 { font-size: 1rem; margin: 0 0 .25rem; }
h1, h2, li, p { overflow-wrap: anywhere; } .line, bdi { unicode-bidi: isolate; }
section { margin: 0 0 1.5rem; } ul { margin: 0 0 .75rem; padding: 0 0 0 1.1rem; } li { margin: 0 0 .25rem; }
.explanation { border: 1px solid var(--line); border-radius: .4rem; padding: 1rem; }
.explanation ul { list-style: none; padding: 0; } .explanation .rules { color: var(--soft); font-size: .9rem; }
.hash { font: .85rem/1.4 ui-monospace, monospace; margin: 0; }
.against { border-left: 4px solid var(--line); padding: .25rem 0 .25rem 1rem; margin: 0 0 1rem; } .against p { margin: 0 0 .5rem; }
label { display: block; font-weight: 600; margin: 0 0 .25rem; }
textarea { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--soft); border-radius: .4rem;
  width: 100%; padding: .5rem .75rem; margin: 0 0 .25rem; resize: vertical; }
textarea[readonly] { background: var(--field); }
.button { display: inline-block; text-decoration: none; }
.foot { border-top: 1px solid var(--line); padding-top: .75rem; }
@media (max-width: 30rem) { header { padding: .75rem 1rem; } main { padding: 1.25rem 1rem; } dl { display: block; } dd { margin: 0 0 .5rem; } }
`;

/** `nonce` lets our own style in, and no other. */
export const pageText = ({ body, goesOnTo, script, title }: WebPage, nonce: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Dedalus</title>${
    goesOnTo === undefined
      ? undefined
      : html`
<meta http-equiv="refresh" content="0; url=${goesOnTo}">`
  }
<style nonce="${nonce}">${{ html: STYLE }}</style>${
    script === undefined
      ? undefined
      : html`
<script type="module" src="${script}"></script>`
  }
</head>
<body>
<header>Dedalus</header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.html;

/** What a browser may load and do for a page; whatever is not listed, not. */
export const pageHeaders = ({ script }: WebPage, nonce: string): Readonly<Record<string, string>> => ({
  "cache-control": "no-store",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(script === undefined ? [] : ["script-src 'self'", "connect-src 'self'"]),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "content-type": "text/html; charset=utf-8",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // With none at all a form of our own page would come from nowhere, and be refused as foreign.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
});
