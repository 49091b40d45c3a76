// The page where there is nothing: a link of an invitation or an approval that this service does not know, or a console
// that it does not have. It says what whoever runs the service can do, and nothing of what is served.

import { type Html, html } from "./html.ts";
import type { WebPage } from "./web-page.ts";

export type PagesServed = { readonly hasConsole: boolean; readonly hasSignIn: boolean };

export const strayedPage = (path: string, served: PagesServed): WebPage => ({
  body: html`<p>There is nothing at <code>${path}</code>.</p>
${reasonFor(path, served)}
<p><a href="/">Start page</a></p>`,
  status: 404,
  title: "Not found",
});

const CONSOLE = /^\/console(?:\/|$)/;

const reasonFor = (path: string, { hasConsole, hasSignIn }: PagesServed): Html => {
  if (!hasSignIn)
    return html`<p>This service was started without an address for browsers, so it has no pages to sign in, to approve or to redeem an
invitation. Ask whoever runs it to write <code>service.url</code> into <code>dedalus.yaml</code> and to restart it. Then a link with that
address works.</p>`;
  if (CONSOLE.test(path) && !hasConsole)
    return html`<p>The console is not part of this installation. In the sources <code>make console</code> builds it; then restart the
service.</p>`;
  return html`<p class="soft">Check the address: a link of Dedalus works only whole.</p>`;
};
