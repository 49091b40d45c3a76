// What a page shows is its snapshot and nothing of the browser: not where it is, not when; and it puts nothing before
// anything else.

import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import { keyed } from "../../boundary/approval/at-approval.ts";
import { cannot, type Objection } from "../../cannot.ts";
import { OPERATOR, ok } from "../../service/serving.ts";
import { rankingsOn } from "./rankings.ts";
import { pageRead, pathsOfPages, stage } from "./rule-stage.ts";
import { walked } from "./walk.ts";

/** Every answer of the service, so that two browsers get the same snapshot. */
const keepAnswers = () => {
  const kept = new Map<string, { readonly body: string; readonly headers: Record<string, string>; status: number }>();
  const same = async (route: Route): Promise<void> => {
    const { pathname, search } = new URL(route.request().url());
    const key = `${pathname}${search}`;
    if (!kept.has(key)) {
      const reply = await route.fetch();
      kept.set(key, { body: await reply.text(), headers: reply.headers(), status: reply.status() });
    }
    await route.fulfill(kept.get(key) ?? {});
  };
  return async (context: BrowserContext): Promise<void> => {
    // Never answered: when a browser takes a stream for lost is no part of a snapshot.
    await context.route("**/v1/events*", () => undefined);
    await context.route(/\/v1\/(?!events)|\/console\/session/, same);
  };
};

const PLACES_AND_TIMES = [
  { locale: "en-US", time: "2026-01-05T09:00:00Z", timezoneId: "America/St_Johns" },
  { locale: "ar-EG", time: "2031-07-19T23:59:59Z", timezoneId: "Pacific/Kiritimati" },
] as const;

const shownIn = async (
  browser: Browser,
  look: (typeof PLACES_AND_TIMES)[number],
  keep: (context: BrowserContext) => Promise<void>,
  paths: readonly string[],
  touch: (page: Page) => Promise<unknown>,
): Promise<readonly string[]> => {
  const { at, person } = stage();
  const { locale, time, timezoneId } = look;
  const context = await browser.newContext({
    locale,
    storageState: await person.context.storageState(),
    timezoneId,
    viewport: { height: 900, width: 1_000 },
  });
  try {
    await keep(context);
    const page = await context.newPage();
    await page.clock.install({ time });
    const shown: string[] = [];
    for (const path of paths) {
      await page.goto(`${at.origin}${path}`);
      await pageRead(page);
      await touch(page);
      shown.push(await page.locator("#console").innerHTML());
    }
    return shown;
  } finally {
    await context.close();
  }
};

/** One snapshot at two places, in two languages and at two times. */
const shownTwice = async (
  paths: readonly string[],
  touch: (page: Page) => Promise<unknown>,
): Promise<readonly Objection[]> => {
  const { browser } = stage();
  const keep = keepAnswers();
  const [here, there] = PLACES_AND_TIMES;
  const first = await shownIn(browser, here, keep, paths, touch);
  const second = await shownIn(browser, there, keep, paths, touch);
  for (const html of first) assert.ok(html.length > 400, html);
  return first.flatMap((html, at) => (html === second[at] ? [] : [{ path: paths[at], rule: "P7-D1" }]));
};

cannot("P7-D1", "show one snapshot in two ways, by zone, language or clock", {
  neighbour: async () => shownTwice(Object.values(pathsOfPages((await stage().newStep()).plan)), async () => undefined),
  // What a page would look like that asked the browser for the time.
  offence: () =>
    shownTwice(["/console/"], (page) =>
      page.evaluate("document.querySelector('h1').append(new Date().toLocaleString())"),
    ),
});

/** The ledger gets a record before those reads of a page that are chosen by their number; one read after the other. */
const readWhileMoving = async (path: string, isMoved: (number: number) => boolean): Promise<string> => {
  const { at, open, page } = stage();
  let [number, last] = [0, Promise.resolve()];
  const read = (route: Route): Promise<void> => {
    number += 1;
    const moves = isMoved(number);
    last = last.then(async () => {
      if (moves) ok(await at.service.annotate(keyed(OPERATOR), { about: 1, text: "the ledger moves on" }));
      await route.fulfill({ response: await route.fetch() });
    });
    return last;
  };
  const pattern = /\/v1\/(?!events)/;
  await page.route(pattern, read);
  try {
    await open(path);
    return await page.locator("main").innerText();
  } finally {
    await page.unroute(pattern, read);
  }
};

/** An objection where nothing is shown, and it is said why. */
const isUnshown = (text: string): readonly Objection[] =>
  text.includes("The ledger moved on while this page was read.") && !text.includes("As of ") ? [{ rule: "P7-D1" }] : [];

for (const [name, path] of Object.entries({
  fleet: "/console/",
  posture: "/console/posture",
}))
  cannot("P7-D1", `put the page of the ${name} together from two states of the ledger`, {
    // It moves on once, and all of it is read again.
    neighbour: async () => {
      const text = await readWhileMoving(path, (number) => number === 2);
      assert.ok(text.includes(`As of ${(await stage().at.served.records()).length} records`), text.slice(0, 200));
      return isUnshown(text);
    },
    offence: async () => isUnshown(await readWhileMoving(path, () => true)),
  });

/** An objection where the remark that was made while the page was read is not on it. */
const isWithoutRemark = (text: string): readonly Objection[] => {
  assert.match(text, /As of \d+ records/);
  return text.includes("a remark of now") ? [] : [{ rule: "P7-D1" }];
};

cannot("P7-D1", "show a remark in an incident that is younger than the head which the page names", {
  neighbour: async () => isWithoutRemark(await readWhileMoving("/console/incident?from=0&to=3", () => false)),
  offence: async () => {
    const { at, open, page } = stage();
    const remark = async (route: Route): Promise<void> => {
      ok(await at.service.annotate(keyed(OPERATOR), { about: 1, text: "a remark of now" }));
      await route.continue();
    };
    await page.route(/kind=annotate/, remark, { times: 1 });
    await open("/console/incident?from=0&to=3");
    return isWithoutRemark(await page.locator("main").innerText());
  },
});

type Ranked = { readonly path: () => Promise<string>; readonly spoil: string };
const FIRST_LAST = "(([first, ...rest]) => rest.at(-1).after(first))(document.querySelectorAll('tr[data-row]'))";
const stepPath = async (): Promise<string> => (await stage().newStep()).path;

/** What a page would look like that did it. */
const RANKED: Readonly<Record<string, Ranked>> = {
  "list VMs in another order than by their numbers": { path: async () => "/console/", spoil: FIRST_LAST },
  "list records in another order than that of the chain": { path: async () => "/console/ledger", spoil: FIRST_LAST },
  "offer one act before another": {
    path: stepPath,
    spoil: "document.querySelector('.act > button').style.fontWeight = '900'",
  },
  "recommend anything": {
    path: stepPath,
    spoil: "document.querySelector('main p').append('Approving is recommended.')",
  },
};

for (const [what, { path, spoil }] of Object.entries(RANKED)) {
  const rankings = async (spoilt = ""): Promise<readonly Objection[]> => {
    const page = await stage().open(await path());
    const reason = page.getByLabel("Reason");
    if ((await reason.count()) > 0) await reason.fill("both acts are open");
    await page.evaluate(spoilt);
    return rankingsOn(page);
  };
  cannot("P7-A3", what, { neighbour: () => rankings(), offence: () => rankings(spoil) });
}

cannot("P7-A3", "rank anything on any page", {
  neighbour: async () => (await walked()).pages.flatMap(({ ranked }) => ranked),
  offence: async () => {
    const page = await stage().open("/console/plans");
    await page.evaluate("document.querySelector('th').setAttribute('aria-sort', 'descending')");
    return rankingsOn(page);
  },
});
