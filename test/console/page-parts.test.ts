// What several pages of the console share, in a real browser: a title of its own for each, hashes that are copied and
// compared, the way from a refusal to its rule, reasons that are one line, and what is told while nothing is served.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { OPERATOR, ok } from "../service/serving.ts";
import { assertReadable } from "./a11y.ts";
import { sharedConsole } from "./shared-console.ts";

const shared = sharedConsole("olga", ["operator"], async ({ at: { service } }) => {
  assert.equal((await service.unfreeze(OPERATOR, { reason: "nothing is frozen" })).kind, "refused");
});
afterEach(() => shared().person.context.unrouteAll());

const open = async (path: string) => {
  const { at, page } = shared();
  await page.goto(`${at.origin}/console${path}`);
  return page;
};

test("a page has a title of its own, and whoever goes on to the next is taken to its beginning", async () => {
  const page = await open("/ledger/1");
  await page.getByText("As it was written").waitFor();
  assert.equal(await page.title(), "Record 1 – Dedalus");
  await page.getByRole("link", { name: "Record 2" }).click();
  await page.getByRole("heading", { name: "Record 2" }).waitFor();
  assert.equal(await page.title(), "Record 2 – Dedalus");
  assert.equal(await page.evaluate("document.activeElement.id"), "main");
  await open("/nowhere");
  await page.getByText("No such page").waitFor();
  assert.equal(await page.title(), "No such page – Dedalus");
});

test("a hash is copied by a press, and told apart from another one", async () => {
  const { at, person } = shared();
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: at.origin });
  const page = await open("/posture");
  await page.getByRole("button", { name: /^Contract / }).click();
  await page.getByText("copied", { exact: true }).waitFor();
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  assert.match(copied, /^[0-9a-f]{64}$/);
  const other = page.getByLabel("Compare Contract with");
  await other.fill(` ${copied.toUpperCase()} `);
  await page.getByText("the same", { exact: true }).waitFor();
  await other.fill(copied.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")));
  await page.getByText("another one", { exact: true }).waitFor();
});

test("what was refused leads to its rule from the ledger too", async () => {
  const { at } = shared();
  const page = await open("/ledger");
  const refused = (await at.served.records()).find(({ kind }) => kind === "unfreeze") ?? assert.fail("it was refused");
  const row = page
    .locator("tr[data-row]")
    .filter({ has: page.getByRole("link", { exact: true, name: `${refused.seq}` }) });
  const [{ rule }] = (refused.body["result"] as { readonly refusals: readonly [{ readonly rule: string }] }).refusals;
  await row.getByRole("link", { exact: true, name: rule }).click();
  await page.waitForURL(`${at.origin}/console/rules#${rule}`);
});

test("a reason of several lines is recorded as one", async () => {
  const { at } = shared();
  const page = await open("/posture");
  await page.getByLabel("Reason, for home").fill("a drill\n\n  of the night shift");
  await page.getByRole("button", { exact: true, name: "Freeze home" }).click();
  await page.getByText("Recorded as record").waitFor();
  const frozen = (await at.served.records()).at(-1);
  assert.deepEqual(frozen?.body["request"], { reason: "a drill of the night shift" });
  ok(await at.service.unfreeze(OPERATOR, { environment: "home", reason: "it is over" }));
});

test("the posture is told while the service says that it is not ready", async () => {
  const { at, page } = shared();
  const problem = await (await page.request.get(`${at.origin}/v1/plans/nonsense`)).json();
  await page.route("**/readyz", (route) => route.fulfill({ json: problem, status: 503 }));
  await open("/posture");
  await page.getByText("Nothing was done.").waitFor();
  await page.getByText("Nothing is frozen.").waitFor();
});

test("single keys lead somewhere, and are switched off for the browser; the sheet opens by a button all the same", async () => {
  const { at, page } = shared();
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const isOpen = async (): Promise<boolean> => {
    await page.locator("main").focus();
    await page.keyboard.press("?");
    const opened = await sheet.isVisible();
    if (opened) await sheet.getByRole("button", { name: "Close" }).click();
    return opened;
  };
  const choose = async (): Promise<void> => {
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await assertReadable(page);
    await sheet.getByLabel("Use single-key shortcuts in this browser").click();
    await sheet.getByRole("button", { name: "Close" }).click();
  };
  await open("/rules");
  await page.getByRole("heading", { name: "Rules" }).waitFor();
  assert.equal(await isOpen(), true);
  await choose();
  assert.equal(await isOpen(), false);
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await page.reload();
  await page.getByRole("heading", { name: "Rules" }).waitFor();
  assert.equal(await isOpen(), false, "it is kept");
  assert.equal(await page.evaluate("JSON.stringify(localStorage)"), '{"dedalus-keys":"off"}');
  await choose();
  assert.equal(await isOpen(), true);
  assert.equal(await page.evaluate("localStorage.length"), 0);
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await page.waitForURL(`${at.origin}/console/`);
});
