// What others wrote, on every page: markup, directions of writing, what cannot be seen, and very long texts are shown
// as data, run nothing and break nothing. And what proves a person stands nowhere that a script or an address leaks.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page, Route } from "playwright-core";
import { keyed } from "../../boundary/approval/at-approval.ts";
import { OPERATOR, ok } from "../../service/serving.ts";
import { decide, pageRead, pathsOfPages, recorded, stage } from "./rule-stage.ts";

const MARKUP = `<img src=x onerror="window.ran=1"><script>window.ran=1</script>"'><svg onload=window.ran=1>`;
const HIDDEN = "pay\u202eload\u2066\u200b\u200f\ufeff\u0007end";
const LONG = "x".repeat(10_000);
const HOSTILE = `${MARKUP} javascript:alert(1) {{7*7}} &lt;b&gt; %3Cimg%3E`;

type Watched = {
  /** What its policy refused to the page, and what ran all the same. */
  readonly found: () => Promise<readonly string[]>;
  readonly page: Page;
};

/** A narrow page of its own, watched from its beginning. */
const watchedPage = async (work: (watched: Watched) => Promise<void>): Promise<void> => {
  const page = await stage().person.context.newPage();
  page.setDefaultTimeout(10_000);
  await page.setViewportSize({ height: 900, width: 320 });
  const seen: string[] = [];
  page.on("dialog", (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) seen.push(message.text());
  });
  await page.addInitScript(`
    window.violations = [];
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => window.violations.push(violatedDirective));
  `);
  const inPage = (): Promise<readonly string[]> =>
    page.evaluate<readonly string[]>("[...window.violations, ...(window.ran === undefined ? [] : ['ran'])]");
  try {
    await work({ found: async () => [...seen, ...(await inPage())], page });
  } finally {
    await page.close();
  }
};

const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;
type Shown = { readonly elements: number; readonly text: string; readonly width: number };
const SHOWN = `({
  elements: document.querySelectorAll("main img, main script, main iframe, main svg[onload], [onerror]").length,
  text: document.body.textContent,
  width: document.documentElement.scrollWidth - innerWidth,
})`;
/** Every place where a page could leave something. */
const KEPT = `(async () => ({
  caches: await caches.keys(),
  cookie: document.cookie,
  databases: await indexedDB.databases(),
  local: JSON.stringify(localStorage),
  name: window.name,
  session: JSON.stringify(sessionStorage),
  state: JSON.stringify(history.state),
}))()`;

const assertHarmless = async ({ found, page }: Watched, what: string): Promise<void> => {
  assert.deepEqual(await found(), [], what);
  const { elements, text, width } = await page.evaluate<Shown>(SHOWN);
  assert.equal(elements, 0, what);
  assert.doesNotMatch(text, INVISIBLE, what);
  assert.ok(width <= 0, `${what} is ${width} px too wide`);
};

/** Records that somebody filled with it: a denial, a freeze, a remark. */
const fill = async (text: string): Promise<string> => {
  const { at, newStep, open } = stage();
  const { path, plan } = await newStep();
  ok(await at.service.freeze(keyed(OPERATOR), { environment: "home", reason: text }));
  ok(await at.service.unfreeze(keyed(OPERATOR), { environment: "home", reason: text }));
  ok(await at.service.annotate(keyed(OPERATOR), { about: 1, text }));
  const page = await open(path);
  await decide(page, "Deny", text);
  await recorded(page).waitFor();
  return plan;
};

test("what people wrote is shown as they wrote it, runs nothing, and breaks nothing at 320 px", () =>
  watchedPage(async (watched) => {
    const { at, open } = stage();
    const { page } = watched;
    const known = (await at.served.records()).length;
    const plans = [await fill(HOSTILE), await fill(`a ${"long ".repeat(100)}${"x".repeat(400)}`)];
    ok(await at.service.freeze(keyed(OPERATOR), { environment: "home", reason: HOSTILE }));
    const filled = (await at.served.records()).slice(known).filter(({ kind }) => /freeze|annotate|deny/.test(kind));
    const paths = [
      ...Object.values(pathsOfPages(plans[0] ?? "")),
      `/console/plans/${plans[1]}/steps/1`,
      ...filled.map(({ seq }) => `/console/ledger/${seq}`),
    ];
    for (const path of paths) {
      await open(path, page);
      await assertHarmless(watched, path);
    }
    for (const path of [`/console/plans/${plans[0]}/steps/1`, "/console/posture"]) {
      await open(path, page);
      assert.ok((await page.locator("main").innerText()).includes(HOSTILE), `word for word at ${path}`);
    }
    ok(await at.service.unfreeze(keyed(OPERATOR), { environment: "home", reason: "over" }));
  }));

/** Whatever the service lets through: every name in its answers is another on the way. */
const renamed = (name: string) => async (route: Route) => {
  const reply = await route.fetch();
  const body = (await reply.text()).replaceAll('"web-01"', JSON.stringify(name));
  await route.fulfill({ body, response: reply });
};

const NAMES = {
  hidden: { name: HIDDEN, shown: "pay\\u{202e}load\\u{2066}\\u{200b}\\u{200f}\\u{feff}\\u{7}end" },
  long: { name: LONG, shown: "… (10000 characters)" },
  markup: { name: MARKUP, shown: MARKUP },
};

for (const [what, { name, shown }] of Object.entries(NAMES))
  test(`a name or a provider's word is data on every list (${what})`, () =>
    watchedPage(async (watched) => {
      const { newStep, open } = stage();
      const { page } = watched;
      const { plan } = await newStep();
      await page.route(/\/v1\/(?:fleet|vms|plans|status)/, renamed(name));
      for (const path of ["/console/", "/console/vms/home/101", "/console/plans", `/console/plans/${plan}`]) {
        await open(path, page);
        await assertHarmless(watched, `${path} ${what}`);
        assert.ok((await page.locator("main").innerText()).includes(shown), `${path} shows it as data`);
      }
    }));

test("neither the session nor its word is in an address, a store, an attribute or a text of a page", async () => {
  const { at, newStep, open, person } = stage();
  const words = [await person.csrf(), ...(await person.context.cookies()).map(({ value }) => value)];
  assert.ok(words.length > 1 && words.every((word) => word.length > 15), "there is something to leak");
  const addresses: string[] = [];
  const page = await person.context.newPage();
  page.on("request", (request) => addresses.push(request.url(), request.headers()["referer"] ?? ""));
  const { path: step, plan } = await newStep();
  for (const path of Object.values(pathsOfPages(plan))) {
    await page.goto(`${at.origin}${path}`);
    await pageRead(page);
    assert.deepEqual(
      await page.evaluate(KEPT),
      { caches: [], cookie: "", databases: [], local: "{}", name: "", session: "{}", state: "null" },
      path,
    );
    const html = await page.content();
    for (const word of words) assert.equal(html.includes(word), false, path);
  }
  await open(step, page);
  await decide(page, "Approve");
  await recorded(page).waitFor();
  const leaks = words.filter((word) => addresses.some((url) => url.includes(word)));
  assert.deepEqual(leaks, []);
  await page.close();
});
