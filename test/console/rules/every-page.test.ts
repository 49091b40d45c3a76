// What every page of the console is held to, whatever it is about: WCAG 2.2 AA in both themes, no page wider than a
// screen of 320 px or one that is zoomed, everything by keyboard, nothing that moves. A page without a row here fails.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { PAGES, type PageName } from "../../../src/console/page-address.ts";
import { assertReadable } from "../a11y.ts";
import { LOOKS, lookAs } from "../shared-console.ts";
import { once, pathsOfPages, recorded, stage } from "./rule-stage.ts";

/** What is seen once it has come; a long page is more of its `part`. */
const ROWS: Readonly<Record<PageName, { readonly part?: string; readonly shown: string }>> = {
  after: { shown: "only now" },
  approvals: { shown: "Requested by" },
  fleet: { shown: "Observe home" },
  incident: { shown: "Stages" },
  ledger: { shown: "As of" },
  plan: { shown: "What changed" },
  plans: { shown: "Requested by" },
  posture: { shown: "Unfreeze home" },
  record: { shown: "Add a remark" },
  rules: { part: "#N1", shown: "P7-S3" },
  start: { shown: "Registered for home" },
  step: { shown: "Your decision" },
  verify: { shown: "Public key" },
  vm: { shown: "Desired beside observed" },
};

test("every page of the console has its row", () => {
  assert.deepEqual(Object.keys(ROWS).sort(), Object.keys(PAGES).sort());
});

/** A step that waits for approval, so that no list is empty. */
const paths = once(async () => {
  const { plan } = await stage().newStep();
  return pathsOfPages(plan);
});

const openPage = async (name: PageName): Promise<Page> => {
  const page = await stage().open((await paths())[name]);
  await page.getByText(ROWS[name].shown).first().waitFor();
  return page;
};

/** Zoomed to 200 %, a screen of 1280 px has half of them. */
const ZOOMED = { height: 450, width: 640 };
const TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

type Stop = {
  /** Among everything on the page that can have the focus. */
  readonly at: number;
  readonly isLast: boolean;
  readonly isSeen: boolean;
};

const STOP = `(() => {
  const usable = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex='0']";
  const all = [...document.querySelectorAll(usable)].filter((one) => one.checkVisibility());
  const focus = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(focus);
  return {
    at: all.indexOf(focus),
    isLast: focus === all.at(-1),
    isSeen: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1,
  };
})()`;

const STOPS = 12;

/** From what has the focus when the page has come: one after the other, none left out, and it is seen which it is. */
const assertTabbed = async (page: Page, name: string): Promise<void> => {
  let before: Stop | undefined;
  for (let times = 0; times < STOPS && before?.isLast !== true; times += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate<Stop>(STOP);
    assert.ok(stop.isSeen && stop.at >= 0, `${name}: the focus is not seen after ${times + 1} × Tab`);
    if (before !== undefined) assert.equal(stop.at, before.at + 1, `${name}: something is left out`);
    before = stop;
  }
};

for (const name of Object.keys(ROWS) as PageName[])
  test(`the page ${name} is read by everybody: by keyboard, by assistive technology, in both themes, narrow and zoomed`, async () => {
    const page = await openPage(name);
    try {
      await assertTabbed(page, name);
      assert.equal(await page.evaluate("document.getAnimations().length"), 0, "nothing moves");
      await page.setViewportSize(ZOOMED);
      assert.equal(await page.evaluate(TOO_WIDE), 0, "nothing is beside a screen that is zoomed to 200 %");
      for (const look of LOOKS.toReversed()) {
        await lookAs(page, look);
        await assertReadable(page, ROWS[name].part);
      }
    } finally {
      await lookAs(page, LOOKS[0]);
    }
  });

test("a step is read and decided by keyboard alone", async () => {
  const { at, newStep, open } = stage();
  const page = await open((await newStep()).path);
  const before = (await at.decisions()).length;
  const tabTo = async (what: string): Promise<void> => {
    const name = (): Promise<string> =>
      page.evaluate<string>("(document.activeElement.labels?.[0] ?? document.activeElement).textContent");
    for (let presses = 0; !(await name()).startsWith(what); presses += 1) {
      assert.ok(presses < 60, `${what} is reached by Tab`);
      await page.keyboard.press("Tab");
    }
  };
  await tabTo("Reason");
  await page.keyboard.type("read by keyboard");
  await tabTo("Approve: ");
  await page.keyboard.press("Space");
  await recorded(page).waitFor();
  assert.equal((await at.decisions()).length, before + 1);
});
