// The pages of whoever has no provider of identities: an invitation, and signing in with a passkey.
//
// A device is asked by a script (passkey.js); what is said before its buttons stands here. Not here: what comes of it
// (identity/passkey-flow.ts), how a page is framed (web-page.ts).

import type { Grants } from "../../kernel/command/role-grants.ts";
import { html } from "./html.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { hiddenField, type TerminalShown, terminalCodeShown } from "./sign-in-pages.ts";
import type { WebPage } from "./web-page.ts";

const NO_SCRIPT = html`<noscript><p role="alert">A passkey needs JavaScript, which this browser does not run.</p></noscript>`;

/** Where what goes wrong in the script is said. */
const ALERT = html`<p id="alert" role="alert"></p>`;

/**
 * `terminal` is what a command line asked for; without it the browser itself is signed in, and goes on to `to`.
 */
export const passkeyPage = (terminal: TerminalShown | undefined, to?: string): WebPage => ({
  body: html`${terminal === undefined ? html`<p>Use the passkey that you set when you accepted your invitation.</p>` : html`<div id="asked">${terminalCodeShown(terminal)}</div>`}
${ALERT}${NO_SCRIPT}
<form id="sign-in">${terminal === undefined ? undefined : [hiddenField("hash", terminal.hash), hiddenField("id", terminal.id)]}${
    to === undefined ? undefined : hiddenField("to", to)
  }
<button type="submit">Sign in with a passkey</button>
</form>
<p id="done" role="status"></p>`,
  script: PASSKEY_SCRIPT,
  status: 200,
  title: terminal === undefined ? "Sign in" : "Sign in at your terminal",
});

/** The secret of the link stays in the browser: it is behind the `#`, and the script alone sends it. */
export const invitationPage: WebPage = {
  body: html`<div id="invited" hidden>
<p><strong id="inviter"></strong> invites you as <strong id="name"></strong>: <span id="roles"></span>.</p>
<p>A <strong>passkey</strong> is made by this device and is yours alone. What you approve with it counts as another person's decision.</p>
<p class="soft">A token is shown once, for a terminal or a script. It counts as made by whoever invited you, so you cannot approve with it what they ask for.</p>
<button type="button" id="passkey">Set a passkey</button>
<button type="button" id="token" class="second">Show me a token instead</button>
</div>
<p id="done" role="status"></p>
<pre id="secret"></pre>
<p id="go-on" hidden><a href="/sign-in">Sign in</a></p>
${ALERT}${NO_SCRIPT}`,
  script: PASSKEY_SCRIPT,
  status: 200,
  title: "Your invitation",
};

export const offeredText = (grants: Grants): string =>
  grants
    .map(({ environments, roles }) => {
      const where = environments === "all" ? "in all environments" : `in ${environments.join(", ")}`;
      return `${roles.join(", ")} ${where}`;
    })
    .join("; ");
