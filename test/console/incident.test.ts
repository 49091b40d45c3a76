// An incident and a state of then in a real browser: what is told, what is missing, what is handed on.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, test } from "node:test";
import type { Page } from "playwright-core";
import { readProof } from "../../src/ledger/verify/proof-file.ts";
import { keyed, picture } from "../boundary/approval/at-approval.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { LOOKS, lookAs, sharedConsole } from "./shared-console.ts";

const rowsOf = (page: Page) => page.locator("tr[data-row]");

let [frozen, plan] = [0, ""];

/** A plan of the agent's, asked for and refused once, and a freeze behind it. */
const shared = sharedConsole("ada", ["auditor"], async ({ at }) => {
  ({ plan } = await at.asked());
  ok(await at.service.requestApproval(keyed(at.robo), { plan, step: { number: 1 } }));
  frozen = ok(await at.service.freeze(keyed(OPERATOR), { reason: "look at web-01 first" })).head.size - 1;
});
afterEach(async () => {
  const { page, person } = shared();
  await person.context.unrouteAll();
  await page.emulateMedia({ media: "screen" });
  await lookAs(page, LOOKS[0]);
});

test("an incident of a VM, a correlation or a span has its records in chain order, and names the stages it lacks", async () => {
  const { at, page } = shared();
  const { origin, served } = at;
  const records = await served.records();
  const shown = async (query: string): Promise<readonly string[]> => {
    await page.goto(`${origin}/console/incident?${query}`);
    await page.getByRole("heading", { name: "Stages" }).waitFor();
    return rowsOf(page).locator("th").allTextContents();
  };
  assert.deepEqual(
    await shown(`from=2&to=${frozen}`),
    Array.from({ length: frozen - 1 }, (_, at) => String(at + 2)),
  );
  await page.getByText(`Step 1 of plan ${plan}`).waitFor();
  await page.getByText("Not among these records: approve, challenge, apply, dispatched, outcome.").waitFor();
  const planned = records.find(({ kind }) => kind === "plan") ?? assert.fail("a plan");
  assert.deepEqual(
    await shown(`correlation=${planned.correlationId}`),
    records.filter(({ correlationId }) => correlationId === planned.correlationId).map(({ seq }) => String(seq)),
  );
  const ofVm = await shown("vm=101&environment=home");
  assert.ok(ofVm.includes(String(records.find(({ kind }) => kind === "request-approval")?.seq)), ofVm.join());
  await page.goto(`${origin}/console/incident`);
  await page.getByText("Enter a VM, a correlation or a range of records.").waitFor();
  await page.goto(`${origin}/console/incident?from=first`);
  await page.getByText("Nothing was done.").waitFor();
});

test("an incident is saved as one file whose proofs hold elsewhere, and not where a proof is of another line", async () => {
  const { at, page } = shared();
  const { origin, service } = at;
  await page.goto(`${origin}/console/incident?from=2&to=${frozen}`);
  const save = page.getByRole("button", { name: "Save as one file with proofs" });
  const [download] = await Promise.all([page.waitForEvent("download"), save.click()]);
  const file = JSON.parse(readFileSync(await download.path(), "utf8"));
  const { key } = ok(await service.checkpoints(OPERATOR, {})).value;
  assert.equal(file.key, key);
  assert.equal(file.records.length, frozen - 1);
  for (const { line, proof, seq } of file.records) {
    const read = readProof(proof, key);
    assert.ok(read.kind === "proven" && read.record.seq === seq);
    assert.deepEqual(read.record, JSON.parse(line));
  }
  await page.context().route(`**/v1/records/${frozen}/proof`, async (route) => {
    const reply = await route.fetch({ url: route.request().url().replace(`/${frozen}/`, "/2/") });
    await route.fulfill({ response: reply });
  });
  await page.reload();
  await save.click();
  await page.getByText("Not saved.").waitFor();
});

test("an incident that is not whole is not saved, and says what it lacks; remarks that did not come are missed", async () => {
  const { at, page, person } = shared();
  const span = `${at.origin}/console/incident?from=2&to=${frozen}`;
  const save = page.getByRole("button", { name: "Save as one file with proofs" });
  const heading = page.getByRole("heading", { name: "Stages" });
  const altered = async (of: RegExp, change: (text: string) => string): Promise<string> => {
    await person.context.route(of, async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ body: change(await reply.text()), response: reply });
    });
    await page.goto(span);
    await heading.waitFor();
    await page.waitForFunction(`!document.body.innerText.includes("Loading…")`);
    const text = await page.locator("main").innerText();
    assert.equal(await save.isDisabled(), true);
    await person.context.unrouteAll();
    return text;
  };
  const records = /records\?from=/;
  const remarks = /records\?.*kind=annotate/;
  const line = (text: string, seq: number): string => {
    const lines = /\{"records":\[(.*)\]\}$/s.exec(text)?.[1]?.split(/(?<=\}),(?=\{"actor")/) ?? [];
    return lines.find((one) => one.includes(`"seq":${seq},`)) ?? assert.fail(text);
  };
  const lost = await altered(records, (text) =>
    text.includes('"seq":3,') ? text.replace(`${line(text, 3)},`, "") : text,
  );
  assert.match(lost, /It is not saved, because it is not whole:\s+Record 3: not given by the service\./);
  const cut = await altered(records, (text) => (text.includes('"seq":3,') ? text.slice(0, -20) : text));
  assert.match(cut, /Nothing is known of what stands after record \d+\./);
  const silent = await altered(remarks, () => '{"records":[{"actor"');
  assert.match(silent, /Not every remark is shown\. The service gave none from record 2 on\./);
  assert.match(silent, /Not every remark is there\. The service gave none from record 2 on\./);
  const garbled = await altered(remarks, () => '{"records":[{"actor":1}]}');
  assert.match(garbled, /Not every remark is shown\. 1 that came cannot be read\./);
  await page.goto(`${at.origin}/console/ledger/2`);
  await page.getByText("No remarks.").waitFor();
  await page.goto(span);
  await save.click();
  await page.getByText(`Saved: ${frozen - 1} records and 0 remarks on them, each with its proof.`).waitFor();
});

test("on paper an incident has its records, stages and remarks, and nothing to press", async () => {
  const { at, page } = shared();
  const { origin } = at;
  await page.goto(`${origin}/console/incident?from=2&to=${frozen}`);
  await page.getByRole("heading", { name: "Stages" }).waitFor();
  await page.emulateMedia({ media: "print" });
  assert.ok(await rowsOf(page).first().isVisible());
  assert.ok(await page.getByRole("heading", { name: "Remarks" }).isVisible());
  for (const name of ["Save as one file with proofs", "Print", "Show"])
    assert.equal(await page.getByRole("button", { name, exact: true }).isVisible(), false, name);
  await picture(page, "console-incident-print");
});

test("the state after a record stands beside now, with what differs marked and both heads named", async () => {
  const { at, page } = shared();
  const { origin, served } = at;
  await page.goto(`${origin}/console/then/${frozen - 1}`);
  await page.getByRole("cell", { name: "only now" }).waitFor();
  const size = (await served.records()).length;
  await page.getByText(`${frozen} records, head`).waitFor();
  await page.getByText(`${size} records, head`).last().waitFor();
  await page.goto(`${origin}/console/then/${frozen}`);
  await page.getByText("look at web-01 first").first().waitFor();
  assert.equal(await page.locator("tr[data-differs]").count(), 0, "nothing changed since");
  await page.goto(`${origin}/console/then/99999`);
  await page.getByText("Nothing was done.").waitFor();
  await page.goto(`${origin}/console/then/never`);
  await page.getByRole("heading", { name: "There is no such record" }).waitFor();
});

test("a remark is recorded about the record that was chosen, and none is chosen beforehand", async () => {
  const { at, page } = shared();
  const { origin, served } = at;
  await page.goto(`${origin}/console/incident?from=2&to=${frozen}`);
  await page.getByLabel("Remark on a record").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Record a remark/ }).count(), 0);
  await page.getByLabel("Remark on a record").selectOption(String(frozen));
  await page.getByLabel(`A remark about record ${frozen}`).fill("frozen in time");
  await page.getByRole("button", { name: `Record a remark about record ${frozen}` }).click();
  await page.getByText("Recorded as record").waitFor();
  const frozenId = (await served.records())[frozen]?.auditId;
  const [remark] = (await served.records()).filter(({ kind }) => kind === "annotate");
  assert.deepEqual(remark?.body["request"], { about: frozenId, text: "frozen in time" });
  await page.reload();
  await page.getByText("frozen in time").waitFor();
});
