// The ledger in a real browser: its timeline, one record with its proof, and what is shown when bytes are not what was
// written.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { Page } from "playwright-core";
import { keyed, picture } from "../boundary/approval/at-approval.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { sharedConsole } from "./shared-console.ts";

const shared = sharedConsole("ada", ["auditor"], async ({ at }) => void (await at.asked()));
afterEach(() => shared().page.unrouteAll());

const rowsOf = (page: Page) => page.locator("tr[data-row]");

/** Every page of records with its text changed on its way. */
const alter = (page: Page, change: (text: string) => string): Promise<unknown> =>
  page.route("**/v1/records?*", async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ body: change(await reply.text()), response: reply });
  });

test("the timeline has every record in chain order, filters live in the address, and what they leave out is named", async () => {
  const { at, page } = shared();
  const { origin, served, service } = at;
  await page.goto(`${origin}/console/ledger`);
  await rowsOf(page).first().waitFor();
  const records = await served.records();
  assert.deepEqual(
    await rowsOf(page).locator("th").allTextContents(),
    records.map(({ seq }) => String(seq)),
  );
  await page.getByLabel("Kind").fill("plan");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(`${origin}/console/ledger?kind=plan`);
  await page.getByText(/^Records 0–\d+ are not shown\.$/).waitFor();
  const plan = records.find(({ kind }) => kind === "plan") ?? assert.fail("a plan was made");
  assert.deepEqual(await rowsOf(page).locator("th").allTextContents(), [String(plan.seq)]);
  await page.goto(`${origin}/console/ledger?correlation=${plan.correlationId}`);
  await rowsOf(page).first().waitFor();
  assert.equal(
    await rowsOf(page).count(),
    records.filter(({ correlationId }) => correlationId === plan.correlationId).length,
  );
  const frozen = ok(await service.freeze(OPERATOR, { reason: "a look at the ledger" }));
  await page.goto(`${origin}/console/ledger?from=${frozen.head.size - 1}`);
  await page.getByText(`Record ${frozen.head.size - 1} of ${frozen.head.size}`).waitFor();
  assert.equal(await rowsOf(page).count(), 1);
});

test("a filter that the service does not know is refused in its words", async () => {
  const { at, page } = shared();
  const { origin } = at;
  for (const query of ["kind=nonsense", "from=first", "environment=nowhere"]) {
    await page.goto(`${origin}/console/ledger?${query}`);
    await page.getByText("Nothing was done.").waitFor();
    assert.equal(await page.getByRole("table").count(), 0);
  }
  await page.goto(`${origin}/console/ledger/first`);
  await page.getByRole("heading", { name: "There is no such record" }).waitFor();
  await page.goto(`${origin}/console/ledger/99999`);
  await page.getByText("Nothing was done.").waitFor();
  assert.equal(await page.getByRole("link", { name: "Record 100000" }).count(), 0);
  await page.getByRole("link", { name: "Back to the ledger" }).click();
  await page.getByRole("rowheader", { exact: true, name: "0" }).waitFor();
  await page.goto(`${origin}/console/ledger?from=99999`);
  await page.getByText("No records; the ledger has").waitFor();
  assert.equal(await page.getByRole("table").count(), 0);
  await page.getByRole("link", { name: "Earlier records" }).click();
  await page.getByRole("rowheader", { exact: true, name: "0" }).waitFor();
});

test("a record is shown from the bytes that were proven, under the key that somebody pasted", async () => {
  const { at, page, person } = shared();
  const { context } = person;
  const { origin, service } = at;
  const line = await (await context.request.get(`${origin}/v1/records/3`)).text();
  await page.goto(`${origin}/console/ledger/3`);
  await page.getByText("Consistent; origin not proven.").waitFor();
  assert.equal(await page.locator("[data-line]").textContent(), line);
  const { key } = ok(await service.checkpoints(OPERATOR, {})).value;
  await page.getByRole("link", { name: "Paste a key" }).click();
  await page.getByLabel("Public key of the ledger").fill(key);
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByText("Proven.").waitFor();
  await picture(page, "console-verified");
  await page.goBack();
  await page.getByText("The path leads to a root that the key you pasted has signed.").waitFor();
});

test("a remark is recorded about the record that is shown, once, and stands on its page", async () => {
  const { at, page } = shared();
  const { origin, served } = at;
  await page.goto(`${origin}/console/ledger/1`);
  const button = page.getByRole("button", { name: "Record a remark about record 1" });
  await button.waitFor();
  assert.ok(await button.isDisabled());
  await page.getByLabel("A remark about record 1").fill("checked <b>by hand</b>");
  await button.dblclick();
  await page.getByText("Recorded as record").waitFor();
  const remarks = (await served.records()).filter(({ kind }) => kind === "annotate");
  assert.equal(remarks.length, 1);
  await page.reload();
  await page.getByText("checked <b>by hand</b>").waitFor();
  await page.getByText("No remarks.").waitFor({ state: "detached" });
});

test("whoever sees one environment is shown its records with the others named, and proves one of them", async () => {
  const { origin, person, served } = shared().at;
  const { page } = await person("finn", ["observer"]);
  await page.goto(`${origin}/console/ledger`);
  await page.getByText("Nothing was done.").waitFor();
  await page.goto(`${origin}/console/ledger?environment=home`);
  await page
    .getByText(/^Records? .*not shown\.$/)
    .first()
    .waitFor();
  const records = (await served.records()).filter(({ environment }) => environment === "home");
  assert.deepEqual(
    await rowsOf(page).locator("th").allTextContents(),
    records.map(({ seq }) => String(seq)),
  );
  await page.goto(`${origin}/console/ledger/${records[0]?.seq}`);
  await page.getByText("Consistent; origin not proven.").waitFor();
});

test("an altered record, a missing one and an answer that was cut are named in the timeline", async () => {
  const { at, page } = shared();
  const { origin } = at;
  const shown = async (change: (text: string) => string, expected: RegExp): Promise<void> => {
    await page.unrouteAll();
    await alter(page, change);
    await page.goto(`${origin}/console/ledger?from=0`);
    await page.getByText(expected).first().waitFor();
  };
  await shown((text) => text.replace('"seq":2,"v":1}', '"seq":2,"v":1,"w":1}'), /Record 2 does not hold/);
  await page.getByText("unproven", { exact: true }).first().waitFor();
  await picture(page, "console-ledger-altered");
  await shown((text) => text.replace('"door":"local"', '"door":"lokal"'), /Record 0 or record 1 was altered/);
  await shown((text) => text.replace(/,\{"actor":(?:(?!\},\{"actor").)*"seq":2,"v":1\}/, ""), /^Record 2 is missing/);
  await shown((text) => text.slice(0, -200), /The answer was cut off after record/);
});

test("a record that is another than the page before showed is named", async () => {
  const { at, page } = shared();
  const { origin } = at;
  await page.goto(`${origin}/console/ledger?from=0`);
  await rowsOf(page).first().waitFor();
  await alter(page, (text) => text.replace('"door":"local"', '"door":"lokal"'));
  await page.getByRole("link", { name: "Fleet" }).click();
  await page.getByRole("heading", { name: "Fleet" }).waitFor();
  await page.getByRole("link", { name: "Ledger" }).click();
  await page.getByText("a different record was shown here before").first().waitFor();
});

test("a filtered ledger begins with the newest that fit, and has both ends and every page between by its address", async () => {
  const { at, page } = shared();
  const { origin, served, service } = at;
  // Remarks, with other records among them: more than two pages of them, and rarer ones far back.
  for (let count = 0; count < 230; count += 1) {
    ok(await service.annotate(OPERATOR, { text: `remark ${count}` }));
    if (count % 3 === 0) ok(await service.freeze(keyed(OPERATOR), { reason: "a drill" }));
    if (count % 3 === 0) ok(await service.unfreeze(keyed(OPERATOR), { reason: "over" }));
  }
  const seqs = (await served.records()).filter(({ kind }) => kind === "annotate").map(({ seq }) => String(seq));
  const shown = async (): Promise<readonly string[]> => {
    await rowsOf(page).first().waitFor();
    return rowsOf(page).locator("th").allTextContents();
  };
  const follow = async (name: string): Promise<readonly string[]> => {
    const before = page.url();
    await page.getByRole("link", { name }).click();
    await page.waitForURL((url) => url.href !== before);
    await page.getByText("Loading…").waitFor({ state: "detached" });
    return shown();
  };
  await page.goto(`${origin}/console/ledger?kind=annotate`);
  assert.deepEqual(await shown(), seqs.slice(-100));
  assert.equal(await page.getByRole("link", { name: "Newest records" }).count(), 0);
  assert.deepEqual(await follow("Earlier records"), seqs.slice(-200, -100));
  await page.reload();
  assert.deepEqual(await shown(), seqs.slice(-200, -100), "the address is the view");
  assert.deepEqual(await follow("Earlier records"), seqs.slice(0, -200));
  assert.equal(await page.getByRole("link", { name: "First records" }).count(), 0);
  assert.deepEqual((await follow("Later records")).slice(0, 1), seqs.slice(-200, -199));
  assert.deepEqual(await follow("First records"), seqs.slice(0, 100));
  assert.deepEqual(await follow("Newest records"), seqs.slice(-100));
  // Rare ones, and none: all that fit are on the first page that is shown.
  await page.goto(`${origin}/console/ledger?kind=plan`);
  assert.equal((await shown()).length, (await served.records()).filter(({ kind }) => kind === "plan").length);
  await page.goto(`${origin}/console/ledger?kind=apply`);
  await page.getByText("No matching records; the ledger has").waitFor();
  await page.goto(`${origin}/console/ledger?kind=plan&before=first`);
  await page.getByText("Nothing was done.").waitFor();
});

test("a page of rows that cannot be read hides nothing that follows it", async () => {
  const { at, page } = shared();
  const { origin } = at;
  await page.route("**/v1/records?from=0&*", async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ body: (await reply.text()).replaceAll('"v":1}', '"v":1,"w":1}'), response: reply });
  });
  await page.goto(`${origin}/console/ledger?from=0`);
  await page.getByText("Record 99 does not hold").waitFor();
  await page.getByRole("link", { name: "Later records" }).click();
  await page.getByRole("rowheader", { exact: true, name: "100" }).waitFor();
});
