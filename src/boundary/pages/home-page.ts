// The page at the service's own address: what this is, and where to go on. It says nothing of what is served, for
// whoever opens it is proven by nothing.

import { html } from "./html.ts";
import type { WebPage } from "./web-page.ts";

/** People sign in here where the service has an address of its own (service.url). */
export const homePage = (hasSignIn: boolean): WebPage => ({
  body: html`<p>This is a service of Dedalus, a control plane for virtual machines. It plans, asks people for approval, and applies one
step at a time.</p>
${
  hasSignIn
    ? html`<p><a class="button" href="/sign-in">Sign in</a></p>`
    : html`<p class="soft">Nobody signs in here in a browser: service.url is not configured.</p>`
}
<p class="soft">At a terminal every command asks here, with the address of this page as its option <code>--server</code>.</p>
<ul><li><a href="/openapi.json">What the service takes over HTTP</a></li>
<li><a href="/readyz">Whether it is ready</a></li><li><a href="/healthz">Whether it lives</a></li></ul>`,
  status: 200,
  title: "Start",
});
