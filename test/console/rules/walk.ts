// One walk through every page of the console, for every claim about looking: each is opened, left, come back to and
// loaded again; asked what it begins with; pressed at; left alone for a day; and Enter is pressed in each field.

import type { Page } from "playwright-core";
import type { Objection } from "../../cannot.ts";
import { rankingsOn } from "./rankings.ts";
import { type Came, once, pageRead, pathsOfPages, stage } from "./rule-stage.ts";

export type PageWalked = {
  /** Left alone for a day. */
  readonly alone: Came;
  readonly begun: { readonly chosen: number; readonly focus: string; readonly typed: string };
  /** Enter in each of its fields. */
  readonly entered: Came & { readonly fields: number };
  readonly opened: Came;
  readonly path: string;
  /** The keys that press whatever has the focus. */
  readonly pressed: Came;
  readonly ranked: readonly Objection[];
};

const LEAVE = `(() => {
  for (const name of ["blur", "focus", "pagehide", "pageshow", "offline", "online", "resize"])
    dispatchEvent(new Event(name));
  document.dispatchEvent(new Event("visibilitychange"));
})()`;
const BEGUN = `({
  chosen: document.querySelectorAll(".act input:checked, .act option:checked, [autofocus]").length,
  focus: document.activeElement.tagName,
  typed: Array.from(document.querySelectorAll("textarea"), ({ value }) => value).join(""),
})`;
const HOUR_MS = 3_600_000;

export const beginningOf = (page: Page): Promise<PageWalked["begun"]> => page.evaluate<PageWalked["begun"]>(BEGUN);

const leaveAndReturn = async (page: Page): Promise<void> => {
  await page.evaluate(LEAVE);
  await page.reload();
  await pageRead(page);
};

const enterInFields = async (page: Page, reopen: () => Promise<unknown>): Promise<number> => {
  const { pathname } = new URL(page.url());
  const all = page.locator("main input:not([type=checkbox]):visible, main textarea:visible");
  const fields = await all.count();
  for (let at = fields - 1; at >= 0; at -= 1) {
    if (new URL(page.url()).pathname !== pathname) await reopen();
    await all.nth(at).fill("1");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Enter");
  }
  return fields;
};

const walkOne = async (page: Page, path: string): Promise<PageWalked> => {
  const { came: cameAt, open } = stage();
  const came = (deed: () => Promise<unknown>): Promise<Came> => cameAt(deed, page.context());
  const opened = await came(async () => {
    await open(path, page);
    await leaveAndReturn(page);
  });
  const begun = await beginningOf(page);
  const pressed = await came(async () => {
    for (const key of ["Space", "Enter"]) await page.keyboard.press(key);
  });
  const ranked = await rankingsOn(page);
  const alone = await came(async () => {
    await page.clock.runFor(HOUR_MS / 60);
    await page.clock.fastForward(24 * HOUR_MS);
  });
  let fields = 0;
  const entered = await came(async () => {
    fields = await enterInFields(page, () => open(path, page));
  });
  return { alone, begun, entered: { ...entered, fields }, opened, path, pressed, ranked };
};

/** The way back and forth through the pages before is the last of it. */
export const walked = once(async () => {
  const { browser, came, newStep, person } = stage();
  const { plan } = await newStep();
  const context = await browser.newContext({ storageState: await person.context.storageState() });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    await page.clock.install();
    const pages: PageWalked[] = [];
    for (const path of Object.values(pathsOfPages(plan))) pages.push(await walkOne(page, path));
    const returned = await came(async () => {
      for (let times = 3; times > 0; times -= 1) await page.goBack();
      for (let times = 3; times > 0; times -= 1) await page.goForward();
      await pageRead(page);
    }, context);
    return { pages, returned };
  } finally {
    await context.close();
  }
});
