// The pages of plans in a real browser: what each row says, what is refused word for word, what is found in a long one,
// and that looking at them asks for nothing.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { PageName } from "../../src/console/page-address.ts";
import { parsePlan } from "../../src/formats/plan-json.ts";
import { keyed, picture } from "../boundary/approval/at-approval.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { assertReadable } from "./a11y.ts";
import { LOOKS, lookAs, registerVms, type SharedConsole, sharedConsole } from "./shared-console.ts";

let short = "";
const planned = async ({ at }: SharedConsole): Promise<string> =>
  ok(await at.service.makePlan(keyed(at.robo), { environment: "home", registeredOnly: true, scope: "all" })).value.id;

const shared = sharedConsole("finn", ["observer"], async (console) => {
  await registerVms(console.at, [{ vmid: 101 }, { name: "web-02", vmid: 102 }, { vmid: 103 }]);
  short = await planned(console);
});

const open = async (path: string): Promise<Page> => {
  const { at, page } = shared();
  await page.goto(`${at.origin}/console${path}`);
  return page;
};

test("the list has each plan with who asked for it, how it stands and what it does, and leads to it", async () => {
  const page = await open("/plans");
  const row = page.getByRole("row", { name: short });
  await row.waitFor();
  const text = (await row.innerText()).replaceAll(/\s+/g, " ");
  for (const part of ["home", "robo", "awaiting approval", "start 2 VMs", "1 refused, 0 in sync"])
    assert.ok(text.includes(part), `${part} in ${text}`);
  await row.getByRole("link", { name: short }).click();
  await page.getByRole("heading", { name: `Plan ${short}` }).waitFor();
});

test("a step and a refusal have a row each: before and after, effect, tier, who must agree; the rule and its sentences", async () => {
  const page = await open(`/plans/${short}`);
  const step = page.getByRole("row", { name: "101 web-01" });
  await step.waitFor();
  const text = (await step.innerText()).replaceAll(/\s+/g, " ");
  for (const part of ["step", "start", "stopped → running", "starts", "reversible", "low", "0 of 1"])
    assert.ok(text.includes(part), `${part} in ${text}`);
  assert.equal(await step.getByRole("link", { name: "start" }).getAttribute("href"), `/console/plans/${short}/steps/1`);
  const refused = page.getByRole("row", { name: "102" });
  const said = await refused.innerText();
  for (const part of ["refused", "VM has another name", "it is named web-01, and the desired entry says web-02", "N8"])
    assert.ok(said.includes(part), `${part} in ${said}`);
  await page
    .getByRole("definition")
    .filter({ hasText: "robo, an agent, through the service; alice made its token" })
    .waitFor();
  for (const text of [`dedalus plan show ${short}`, `/v1/plans/${short}'`]) await page.getByText(text).waitFor();
});

test("what keeps the reader from applying is said once for all steps that it is said of", async () => {
  const { service } = shared().at;
  ok(await service.freeze(OPERATOR, { environment: "home", reason: "a drill" }));
  const page = await open(`/plans/${short}`);
  await page.getByRole("heading", { name: "Steps 1-2" }).waitFor();
  assert.equal(await page.getByText("a drill").count(), 1);
  ok(await service.unfreeze(OPERATOR, { environment: "home", reason: "over" }));
});

test("what is typed into the search and chosen is in the address, and the address shows it again", async () => {
  const page = await open(`/plans/${short}`);
  const search = page.getByRole("searchbox");
  await search.fill("n8");
  await page.getByText("1 of 3 answers").waitFor();
  assert.equal(await page.evaluate("document.activeElement.type === 'search'"), true);
  assert.equal(new URL(page.url()).search, "?find=n8");
  await page.getByRole("combobox", { name: "Show" }).selectOption("step");
  await page.getByText("0 of 3 answers").waitFor();
  await page.goto(`${page.url().split("?")[0]}?show=step`);
  await page.getByText("2 of 3 answers").waitFor();
});

test("beside another plan it says what moved, and one that is not there is refused in its place", async () => {
  const console = shared();
  await registerVms(console.at, [{ vmid: 101 }, { vmid: 102 }]);
  const later = await planned(console);
  const page = await open(`/plans/${later}`);
  await page.getByLabel("Compare with an earlier plan").fill(short);
  await page.getByRole("button", { exact: true, name: "Compare" }).click();
  await page.getByText("2 answers changed, 1 did not; based on another desired state").waitFor();
  assert.equal(new URL(page.url()).search, `?beside=${short}`);
  const moved = page.getByRole("table", { name: "Answers that changed" });
  const [, first = "", second = ""] = await moved.getByRole("row").allInnerTexts();
  assert.equal(
    first.replaceAll(/\s+/g, " "),
    "102 refused it is named web-01, and the desired entry says web-02 (N8) step start web-01: stopped → running Entry: name web-02 → web-01",
  );
  assert.match(second.replaceAll(/\s+/g, " "), /^103 step start web-01: stopped → running not in the plan /);
  await page.getByText(`/v1/plans/${later}/compared?with=${short}'`).waitFor();
  await open(`/plans/${later}?beside=${later}`);
  await page.getByText("no answer changed; based on the same inputs").waitFor();
  await open(`/plans/${later}?beside=01KA4QJ5V8R3W2T6Y7Z8N9M0P1`);
  await page.getByRole("alert").getByText("Nothing was done.").waitFor();
});

test("a plan that is not there is refused word for word, and a filter that is none is named", async () => {
  const page = await open("/plans/01KA4QJ5V8R3W2T6Y7Z8N9M0P1");
  await page.getByRole("alert").getByText("Nothing was done.").waitFor();
  assert.equal(await page.getByRole("table").count(), 0);
  await page.getByRole("link", { name: "All plans" }).click();
  await page.getByRole("link", { name: short }).waitFor();
  await open(`/plans/${short}?show=red`);
  await page.getByText("This page has no such filter.").waitFor();
  assert.equal(await page.getByRole("row", { name: "101" }).count(), 0);
  await page.getByRole("link", { name: "Clear filters" }).click();
  await page.getByRole("row", { name: "101" }).waitFor();
  await open(`/plans/${short}/steps/9`);
  await page.getByRole("alert").getByText("Nothing was done.").waitFor();
  await page.getByRole("link", { name: "Its plan" }).click();
  await page.getByRole("heading", { name: `Plan ${short}` }).waitFor();
});

const ABOUT: Readonly<Record<PageName, (plan: string) => string>> = {
  after: () => "/then/1",
  approvals: () => "/approvals",
  fleet: () => "/",
  incident: () => "/incident?vm=101",
  ledger: () => "/ledger",
  plan: (plan) => `/plans/${plan}`,
  plans: () => "/plans",
  posture: () => "/posture",
  record: () => "/ledger/1",
  rules: () => "/rules",
  start: () => "/start",
  step: (plan) => `/plans/${plan}/steps/1`,
  verify: () => "/verify",
  vm: () => "/vms/home/101",
};

test("every page has its command and its call to copy", async () => {
  for (const pathOf of Object.values(ABOUT)) {
    const page = await open(pathOf(short));
    const foot = page.getByRole("region", { name: "As a command and an API call" });
    await foot.waitFor();
    const texts = await foot.locator("code").allInnerTexts();
    for (const text of texts.filter((one) => one.startsWith("dedalus ") && one !== "dedalus rules"))
      assert.ok(text.endsWith(` --server ${shared().at.origin}`), text);
    for (const begin of ["dedalus ", "curl "])
      assert.ok(
        texts.some((text) => text.startsWith(begin)),
        `${begin} at ${pathOf(short)}`,
      );
  }
});

test("plan.json is what was read, and reads back as the plan", async () => {
  const page = await open(`/plans/${short}`);
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "plan.json" }).click();
  const file = join(shared().at.served.folder, "downloaded.json");
  writeFileSync(file, readFileSync(await (await coming).path()));
  const read = parsePlan(readFileSync(file, "utf8"), "plan.json");
  assert.equal(read.kind, "ok");
  const { value } = ok(await shared().at.service.showPlan(shared().at.robo, { plan: short }));
  assert.equal(read.value.plan.hash, value.plan.hash);
});

for (const look of LOOKS)
  test(`plans and a plan are read by whoever uses assistive technology (${look.colorScheme}, ${look.width} px)`, async () => {
    const { page } = shared();
    await lookAs(page, look);
    await open("/plans");
    await page.getByRole("link", { name: short }).waitFor();
    await assertReadable(page);
    await picture(page, `plans-${look.colorScheme}-${look.width}`);
    await open(`/plans/${short}`);
    await page.getByRole("row", { name: "101" }).waitFor();
    await assertReadable(page);
    await picture(page, `plan-${look.colorScheme}-${look.width}`);
    await lookAs(page, LOOKS[0]);
  });

test("of 1,000 steps those are in the page that are seen, all are counted, and each is found", async () => {
  const console = shared();
  const vmids = Array.from({ length: 1_000 }, (_, at) => ({ vmid: 1_001 + at }));
  await registerVms(console.at, vmids);
  const long = await planned(console);
  const page = await open(`/plans/${long}`);
  const table = page.getByRole("table");
  await page.getByRole("row", { name: "1001 web-01" }).waitFor();
  assert.equal(await table.getAttribute("aria-rowcount"), "1001");
  assert.ok((await table.getByRole("row").count()) < 120);
  assert.equal(await page.getByRole("row", { name: "1001 web-01" }).getAttribute("aria-rowindex"), "2");
  await assertReadable(page);
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  const last = page.getByRole("row", { name: "2000 web-01" });
  await last.waitFor();
  assert.equal(await last.getAttribute("aria-rowindex"), "1001");
  await page.getByRole("searchbox").fill("1500");
  await page.getByRole("row", { name: "1500 web-01" }).waitFor();
  await page.getByText("1 of 1000 answers").waitFor();
});
