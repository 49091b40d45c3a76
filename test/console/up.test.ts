// make up, from nothing: what it prints leads a newcomer to sign in, to read what an agent asked for, and to decide.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { buildConsole } from "../../tools/console/build-console.ts";
import { ROOT } from "../../tools/sources.ts";
import { picture, startBrowser } from "../boundary/approval/at-approval.ts";

const signIn = async (page: Page, url: string, name: string): Promise<void> => {
  await page.goto(url);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(url);
};

test("a newcomer signs in, reads what the agent asked for, approves it, and it ends with Ctrl-C", async (t) => {
  // As `make up` does before it starts.
  buildConsole(ROOT, join(ROOT, ".cache/console"));
  const folder = mkdtempSync(join(tmpdir(), "dedalus-up-"));
  t.after(() => rmSync(folder, { force: true, recursive: true }));
  const child = spawn(process.execPath, [join(ROOT, "examples/up/up.ts"), join(folder, "up")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  let said = "";
  for await (const piece of child.stdout) {
    said += piece;
    if (said.includes("Ctrl-C ends it.")) break;
  }
  const [url = ""] = /http:\/\/localhost:\d+\/console\//.exec(said) ?? [];
  assert.notEqual(url, "", said);
  const browser = await startBrowser();
  t.after(() => browser.close());
  const page = await (await browser.newContext({ viewport: { height: 900, width: 1200 } })).newPage();
  page.setDefaultTimeout(15_000);
  await signIn(page, url, "olga");
  await page.getByRole("cell", { name: "batch-01" }).waitFor();
  await picture(page, "up-fleet");
  await page.getByRole("link", { name: "Approvals" }).click();
  await page.getByRole("link", { name: "vm.start" }).click();
  await page.getByLabel("Reason").fill("web-01 should run");
  await picture(page, "up-step");
  await page.getByRole("button", { name: "Approve: Start web-01 (VM 101)" }).click();
  await page.getByText(/Recorded as record \d+/).waitFor();
  child.kill("SIGINT");
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
});
