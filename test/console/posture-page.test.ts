// Posture, rules and the first steps in a real browser: freezes with their reasons, the sentences of the kernel
// where they cannot be pressed, and each rule at its anchor.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { RULE_IDS } from "../../src/spine/rules/invariants.ts";
import { REFUSAL_CODES } from "../../src/spine/rules/refusals.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { sharedConsole } from "./shared-console.ts";

const shared = sharedConsole("olga", ["operator"]);

const open = async (path: string): Promise<Page> => {
  const { at, page } = shared();
  await page.goto(`${at.origin}/console${path}`);
  return page;
};

test("who reads, what serves, and that nothing is frozen or open", async () => {
  const page = await open("/posture");
  for (const text of [
    "operator in all",
    "Nothing is frozen.",
    "No intent is open, and no VM is blocked.",
    "home: four-eyes, not frozen, no policy",
  ])
    await page.getByText(text).waitFor();
  await page.getByRole("row", { name: "robo" }).getByText("agent in all").waitFor();
  await page.getByText("dedalus status").first().waitFor();
  const { value } = ok(await shared().at.service.people(OPERATOR, {}));
  const [session] = value.people.find(({ name }) => name === "olga")?.sessions ?? [];
  const end = session?.expiresAt ?? assert.fail("she is signed in");
  await page.getByText(`expires at ${end.slice(0, 10)} ${end.slice(11, 19)} UTC, or earlier when idle`).waitFor();
});

test("freezing needs a reason and one press; lifting it is refused until there is a freeze", async () => {
  const page = await open("/posture");
  const freeze = page.getByRole("button", { exact: true, name: "Freeze home" });
  const lift = page.getByRole("button", { name: "Unfreeze home" });
  await freeze.waitFor();
  assert.deepEqual([await freeze.isDisabled(), await lift.isDisabled()], [true, true]);
  await page.getByLabel("Reason, for home").fill("a drill");
  assert.deepEqual([await freeze.isDisabled(), await lift.isDisabled()], [false, true]);
  const before = (await shared().at.served.records()).length;
  await page.keyboard.press("Enter");
  assert.equal((await shared().at.served.records()).length, before);
  await page.getByLabel("Reason, for home").fill("a drill");
  await freeze.dblclick();
  await page.getByText("Recorded as record").waitFor();
  const records = await shared().at.served.records();
  assert.deepEqual(
    records.slice(before).map(({ kind }) => kind),
    ["freeze"],
  );
  await open("/posture");
  await page.getByText("a drill").waitFor();
  await page.getByLabel("Reason, for home").fill("over");
  await lift.click();
  await page.getByText("Recorded as record").waitFor();
  assert.equal(ok(await shared().at.service.status(OPERATOR, {})).value.freezes.length, 0);
});

test("whoever may not freeze reads the kernel's sentence, and why the tokens are not shown", async (t) => {
  const { at } = shared();
  const { page } = await at.person("finn", ["observer"]);
  t.after(() => page.close());
  await page.goto(`${at.origin}/console/posture`);
  await page.getByLabel("Reason, for home").fill("a drill");
  const freeze = page.getByRole("button", { exact: true, name: "Freeze home" });
  assert.equal(await freeze.isDisabled(), true);
  const described = await freeze.getAttribute("aria-describedby");
  const { allowances } = (await (await page.context().request.get(`${at.origin}/v1/allowances`)).json()) as {
    readonly allowances: readonly {
      readonly act: string;
      readonly environment?: string;
      readonly refusals: readonly { readonly text: { readonly detail: string } }[];
    }[];
  };
  const [refusal] =
    allowances.find(({ act, environment }) => act === "freeze" && environment === "home")?.refusals ?? [];
  const said = await page.locator(`[id="${described}"]`).innerText();
  assert.ok(refusal !== undefined && said.includes(refusal.text.detail), said);
});

test("every rule is there at its anchor with every refusal behind it, and a refusal leads to its rule", async () => {
  const page = await open("/rules#P7-F1");
  await page.getByRole("heading", { exact: true, name: "P7-F1" }).waitFor();
  assert.equal(await page.evaluate("document.activeElement.id"), "P7-F1");
  assert.deepEqual(await page.evaluate("Array.from(document.querySelectorAll('section.rule'), ({ id }) => id)"), [
    ...RULE_IDS,
  ]);
  const text = await page.locator("main").innerText();
  for (const code of REFUSAL_CODES) assert.ok(text.includes(`(${code}, at `), code);
  await open("/plans/01KA4QJ5V8R3W2T6Y7Z8N9M0P1");
  const link = page.getByRole("alert").getByRole("link").first();
  const rule = await link.innerText();
  await link.click();
  await page.waitForURL(`**/console/rules#${rule}`);
  await page.getByRole("heading", { exact: true, name: rule }).waitFor();
});

test("the first steps name what is missing: an observation where VMs are registered", async () => {
  const page = await open("/start");
  await page.getByText("Registered for home: 1 VM.").waitFor();
  await page.getByText("dedalus observe --env home").waitFor();
});
