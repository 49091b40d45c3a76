// The frame of the console in a real browser: who comes in, what a browser may do with it, and where nothing is.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { signInWithPasskey, startBrowser } from "../boundary/approval/at-approval.ts";
import { atConsole, type BuiltConsole, builtConsole } from "./at-console.ts";

let browser: Browser;
let console: BuiltConsole;
before(async () => {
  console = builtConsole();
  browser = await startBrowser();
});
after(() => browser.close());

test("whoever is not signed in is shown nothing, signs in, and comes back to the page", async (t) => {
  const { asked, origin, person } = await atConsole(t, browser, console);
  await asked();
  const { page } = await person("finn", ["observer"]);
  await page.context().clearCookies();
  await page.goto(`${origin}/console/?environment=home`);
  await page.getByText("You are not signed in.").waitFor();
  assert.equal(await page.getByRole("table").count(), 0);
  await page.getByRole("link", { name: "Sign in" }).click();
  await signInWithPasskey(page);
  await page.waitForURL(`${origin}/console/?environment=home`);
  await page.getByRole("cell", { name: "web-01" }).waitFor();
});

test("a page that is not there, and a filter that no page has, are named with the way back", async (t) => {
  const { origin, person } = await atConsole(t, browser, console);
  const { page } = await person("finn", ["observer"]);
  for (const path of ["/console/nowhere", "/console/?colour=red"]) {
    await page.goto(`${origin}${path}`);
    await page.getByRole("heading", { name: "No such page" }).waitFor();
    await page.getByRole("link", { name: "Back to the fleet" }).waitFor();
  }
});

test("the frame lets nothing in from elsewhere and nothing run that is not a file of ours", async (t) => {
  const { origin, person } = await atConsole(t, browser, console);
  const { context, page } = await person("finn", ["observer"]);
  const frame = await context.request.get(`${origin}/console/`);
  const policy = frame.headers()["content-security-policy"] ?? "";
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "connect-src 'self'"])
    assert.ok(policy.includes(part), part);
  assert.doesNotMatch(policy, /unsafe|data:|https?:/);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${origin}/console/`);
  await page.getByRole("heading", { name: "Fleet" }).waitFor();
  assert.deepEqual(
    asked.filter((url) => !url.startsWith(`${origin}/`)),
    [],
  );
  assert.ok(
    asked.some((url) => url.endsWith(".woff2")),
    "it was heard at all",
  );
  const missing = await context.request.get(`${origin}/console/console-00000000.js`);
  assert.equal(missing.status(), 404);
});

test("a page that was built for another contract says so, and shows and asks for nothing", async (t) => {
  const { origin, person } = await atConsole(t, browser, { ...console, openapi: "{}" });
  const { page } = await person("finn", ["observer"]);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${origin}/console/`);
  await page.getByText("This page was built for another version of the service.").waitFor();
  assert.deepEqual(
    asked.filter((path) => path.startsWith("/v1/")),
    [],
  );
});
