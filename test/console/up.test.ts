// make up, from nothing: what it prints leads a newcomer to sign in, to read what an agent asked for, to approve it and
// apply it, to meet a refusal, and to prove a record.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bringUp, signInAs } from "../../tools/console/bring-up.ts";
import { buildConsole } from "../../tools/console/build-console.ts";
import { ROOT } from "../../tools/sources.ts";
import { picture, startBrowser } from "../boundary/approval/at-approval.ts";

test("a newcomer approves what the agent asked for, applies it, meets a refusal, proves a record, and ends it with Ctrl-C", async (t) => {
  // As `make up` does before it starts.
  buildConsole(ROOT, join(ROOT, ".cache/console"));
  const folder = mkdtempSync(join(tmpdir(), "dedalus-up-"));
  t.after(() => rmSync(folder, { force: true, recursive: true }));
  const up = await bringUp(join(folder, "up"));
  t.after(up.stop);
  const browser = await startBrowser();
  t.after(() => browser.close());
  const page = await (await browser.newContext({ viewport: { height: 900, width: 1200 } })).newPage();
  page.setDefaultTimeout(15_000);
  const recorded = page.getByText(/Recorded as record \d+/);
  await signInAs(page, up.url, "olga");
  await page.getByRole("cell", { name: "batch-01" }).waitFor();
  await picture(page, "up-fleet");

  await page.getByRole("link", { name: "Approvals" }).click();
  await page.getByRole("link", { name: "start" }).click();
  await page.getByLabel("Reason").fill("web-01 should run");
  await picture(page, "up-step");
  await page.getByRole("button", { name: "Approve: Start web-01 (VM 101)" }).click();
  await recorded.waitFor();

  await page.getByRole("button", { name: "Refresh the page" }).click();
  await page.getByRole("button", { name: "Show what I would confirm" }).click();
  await page.getByText("It can be confirmed until").waitFor();
  await page.getByRole("button", { exact: true, name: "Start web-01 (VM 101)" }).click();
  await page.getByText("succeeded").waitFor();
  await picture(page, "up-applied");

  await page.getByRole("link", { name: "Fleet" }).click();
  const refused = page.getByRole("row", { name: "109 mail-01" });
  await refused.getByText("it is named old-name, and the desired entry says mail-01").waitFor();
  await page.getByRole("button", { name: "Plan home" }).click();
  await page.getByRole("link", { name: "Open the plan" }).click();
  await page.getByRole("row", { name: "109" }).getByRole("link", { name: "N8" }).click();
  await page.getByRole("heading", { exact: true, name: "N8" }).waitFor();

  await page.getByRole("link", { name: "Ledger" }).click();
  await page.getByRole("row", { name: "outcome" }).getByRole("rowheader").getByRole("link").click();
  await page.getByText("Consistent; origin not proven.").waitFor();
  await page.getByRole("link", { name: "Paste a key that you have from elsewhere." }).click();
  await page.getByLabel("Public key of the ledger").fill(up.key);
  await page.getByRole("button", { exact: true, name: "Verify" }).click();
  await page.getByText(/^Proven.* The key you pasted has signed the root of \d+ records/).waitFor();
  await page.goBack();
  await page.getByText("Proven. The path leads to a root that the key you pasted has signed.").waitFor();
  await picture(page, "up-record");
  assert.equal(await up.stop(), 0);
});
