// That a page tells whoever reads it that the ledger has moved on, whatever they may read of it; and that it does not
// listen, where it does not.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page, Route } from "playwright-core";
import { once, pageRead, stage } from "./rule-stage.ts";

const approver = once(() => stage().at.person("abby", ["approver"]));

const news = (page: Page) => page.getByText(/The ledger has \d+ more records? than this page shows\./);
const deaf = (page: Page) => page.getByText("Live updates are off");

for (const path of ["/console/approvals", "/console/plans", "/console/"])
  test(`an approver, who does not read the whole ledger, is told of news at ${path}`, async () => {
    const { newStep, open } = stage();
    const page = await open(path, (await approver()).page);
    await newStep();
    await news(page).waitFor();
    assert.equal(await deaf(page).count(), 0);
  });

test("a page that cannot listen says so, and no more once it can", async () => {
  const { open, page } = stage();
  const cut = (route: Route): Promise<void> => route.abort("connectionreset");
  await page.route("**/v1/events*", cut);
  await open("/console/approvals");
  await deaf(page).waitFor();
  await page.unroute("**/v1/events*", cut);
  await page.reload();
  await pageRead(page);
  assert.equal(await page.locator(".news").isVisible(), false, "nothing to tell takes no room");
  await stage().newStep();
  await news(page).waitFor();
  assert.equal(await deaf(page).count(), 0);
});
