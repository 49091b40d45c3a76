// The fleet and one VM in a real browser: desired beside observed with the reason, filters in the address, acts as one
// act of one environment, and ten thousand VMs of which those are in the page that are seen.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { currentText } from "../../src/formats/current-json.ts";
import { doubt } from "../../src/spine/observed-codes.ts";
import { keyed, picture } from "../boundary/approval/at-approval.ts";
import { bearer, OPERATOR, ok } from "../service/serving.ts";
import { observationOf, state, vmidOf } from "../spine/world.ts";
import { assertReadable } from "./a11y.ts";
import { LOOKS, lookAs, registerVms, type SharedConsole, sharedConsole } from "./shared-console.ts";

const bring = async ({ at }: SharedConsole, vms: Parameters<typeof observationOf>[0]): Promise<void> => {
  const made = ok(
    await at.service.createToken(OPERATOR, { days: 7, kind: "agent", name: `probe-${vms.length}`, roles: ["sensor"] }),
  );
  const probe = bearer(made.value.token ?? assert.fail("it is shown once"));
  const text = currentText(observationOf(vms));
  ok(await at.service.ingest(probe, { current: { file: "pushed.json", text }, environment: "home" }));
};

const shared = sharedConsole("olga", ["operator", "observer"], async (console) => {
  await registerVms(console.at, [
    { vmid: 101 },
    { name: "web-02", vmid: 102 },
    { name: "web-03", vmid: 103 },
    { name: "web-04", vmid: 104 },
    { name: "web-05", vmid: 105 },
  ]);
  await bring(console, [
    state({ name: "web-01", node: "pve2", status: "stopped", vmid: vmidOf(101) }),
    state({ name: "other", node: "pve1", status: "running", vmid: vmidOf(102) }),
    state({ name: "web-03", node: "pve1", status: "running", vmid: vmidOf(103) }),
    state({ because: doubt("not-seen"), name: "web-04", status: "unknown", vmid: vmidOf(104) }),
  ]);
});

const open = async (path: string): Promise<Page> => {
  const { at, page } = shared();
  await page.goto(`${at.origin}/console${path}`);
  return page;
};
const rowTexts = async (page: Page): Promise<readonly string[]> => {
  await page.getByRole("row", { name: "101 web-01" }).waitFor();
  const rows = await page.getByRole("table").getByRole("row").allInnerTexts();
  return rows.slice(1).map((text) => text.replaceAll(/\s+/g, " "));
};

test("each VM stands with what is desired, what was observed, and why they differ", async () => {
  const page = await open("/");
  const rows = await rowTexts(page);
  const parts = [
    ["101 web-01", "step", "running", "stopped", "pve2", "web-01: stopped, desired running"],
    ["102 web-02", "refused", "VM has another name", "N8"],
    ["103 web-03", "in sync", "as desired"],
    ["104 web-04", "unknown", "N1"],
    ["105 web-05", "unknown", "not seen, and the observation was not complete", "N1"],
  ];
  assert.equal(rows.length, parts.length);
  for (const [at, told] of parts.entries())
    for (const part of told) assert.ok(rows[at]?.includes(part), `${part} in ${rows[at]}`);
  await page.getByText("four-eyes, not frozen").waitFor();
  await page.getByText(", complete").first().waitFor();
});

test("search, state and order are in the address, and one that nobody knows is named and shows no VM", async () => {
  const page = await open("/?by=node");
  assert.deepEqual(
    (await rowTexts(page)).map((text) => text.slice(0, 3)),
    ["102", "103", "101", "104", "105"],
  );
  await open("/?show=unknown");
  await page.getByText("2 of 5 VMs").waitFor();
  await page.getByRole("row", { name: "105" }).waitFor();
  await open("/");
  await page.getByRole("searchbox").fill("web-03");
  await page.getByText("1 of 5 VMs").waitFor();
  assert.equal(new URL(page.url()).search, "?find=web-03");
  for (const query of ["?show=red", "?by=name", "?environment=none"]) {
    await open(`/${query}`);
    await page.getByText("This page has no such filter.").waitFor();
    assert.equal(await page.getByRole("table").count(), 0);
  }
});

test("a VM is shown with its belief, what it comes from and its records; one that nobody knows is refused", async () => {
  const page = await open("/");
  await page.getByRole("link", { name: "102" }).click();
  await page.getByRole("heading", { name: "VM 102 in home" }).waitFor();
  await page.getByText("it is named other, and the desired entry says web-02").waitFor();
  await page.getByRole("row", { name: "Name" }).getByText("other").waitFor();
  const told = (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
  for (const part of [
    "Source brought by a sensor, not live",
    '"name": "other", "node": "pve1", "status": "running", "vmid": 102',
    "Open intent none Blocked by nothing Last ended none of the last day or two",
    "dedalus history 102 --env home",
    "/v1/vms/102?environment=home'",
  ])
    assert.ok(told.includes(part), `${part} in ${told}`);
  await assertReadable(page);
  await picture(page, "vm-light-1000");
  await open("/vms/home/999");
  await page.getByRole("alert").getByText("Nothing was done.").waitFor();
  await page.getByRole("link", { name: "Back to the fleet" }).click();
  await page.getByRole("heading", { name: "Fleet" }).waitFor();
});

test("a VM's page is of one moment: what was recorded while it was read is not among its records", async () => {
  const { at, page } = shared();
  const records = page.getByRole("table", { name: "Records of this VM" });
  const seqs = async (): Promise<readonly number[]> =>
    (await records.getByRole("rowheader").allInnerTexts()).map(Number);
  const planned = async (): Promise<number> => {
    ok(await at.service.makePlan(keyed(at.robo), { environment: "home", registeredOnly: true, scope: "all" }));
    return (await at.served.records()).length - 1;
  };
  const before = await planned();
  let after = 0;
  await page.route("**/history**", async (route) => {
    after = await planned();
    await route.continue();
  });
  await open("/vms/home/102");
  await page.getByText(`As of ${before + 1} records`).waitFor();
  assert.equal((await seqs()).at(-1), before);
  await page.unroute("**/history**");
  await open("/vms/home/102");
  await page.getByText(`As of ${after + 1} records`).waitFor();
  assert.equal((await seqs()).at(-1), after);
  // One that answers for less than the page stands on has not told its records.
  await page.route("**/history**", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ headers: { ...response.headers(), etag: `"1-${"0".repeat(64)}"` }, response });
  });
  await open("/vms/home/102");
  await page.getByText("No answer from the service.").waitFor();
  await page.unroute("**/history**");
  // Refused for another reason than that there is no record: told, and not taken for none.
  const text = { detail: "it was refused", next: "Ask for it.", summary: "Not yours" };
  const refusal = { cause: "role", code: "role-missing", facts: {}, next: [], rule: "B2", text };
  const problem = { correlationId: "01A", domain: "kernel", outcome: "not_executed", refusals: [refusal], status: 403 };
  await page.route("**/history**", (route) => route.fulfill({ json: problem, status: 403 }));
  await open("/vms/home/102");
  await page.getByText("Not yours: it was refused").waitFor();
  assert.equal(await page.getByText("No records yet.").count(), 0);
  await page.unroute("**/history**");
});

test("a VM that an unknown outcome blocks says what ends it, and offers that, last and alone", async () => {
  const { page } = shared();
  await page.route("**/v1/vms/101**", async (route) => {
    const response = await route.fetch();
    const intent = {
      action: "vm.start",
      environment: "home",
      id: "01KA4QJ5V8R3W2T6Y7Z8N9M0P1",
      name: "web-01",
      planId: "01KA4QJ5V8R3W2T6Y7Z8N9M0P2",
      sendBy: "2026-01-05T09:30:00.000Z",
      settleBy: "2026-01-05T09:40:00.000Z",
      step: 1,
      vmid: 101,
    };
    await route.fulfill({ json: { ...(await response.json()), blockedIntent: intent }, response });
  });
  await open("/vms/home/101");
  await page.getByText("an observation after 2026-01-05 09:40:00 UTC ends it, and nothing else.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Reconcile VM 101 by a fresh observation" }).isEnabled(), true);
  assert.equal(await page.locator(".act").count(), 1);
  // What the reader may do is not said of this head.
  await page.route("**/v1/allowances**", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ headers: { ...response.headers(), "dedalus-head": `"1-${"0".repeat(64)}"` }, response });
  });
  await open("/vms/home/101");
  await page.getByText("The service did not say whether you may do this.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Reconcile VM 101 by a fresh observation" }).isEnabled(), false);
  await page.unroute("**/v1/allowances**");
  await page.unroute("**/v1/vms/101**");
  await open("/vms/home/101");
  await page.getByRole("heading", { name: "Records" }).waitFor();
  assert.equal(await page.locator(".act").count(), 0);
});

test("looking asks for nothing; pressing asks once, for one environment", async () => {
  const { at, page } = shared();
  const before = (await at.served.records()).length;
  const sent: string[] = [];
  const hear = (request: { readonly method: () => string; readonly url: () => string }): void => {
    if (request.method() !== "GET") sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  };
  page.on("request", hear);
  await open("/");
  await page.reload();
  const button = page.getByRole("button", { name: "Observe home" });
  await button.waitFor();
  await page.keyboard.press("Enter");
  assert.deepEqual([sent, (await at.served.records()).length], [[], before]);
  await button.dblclick();
  await page.getByText("Recorded as record").waitFor();
  assert.deepEqual(sent, ["POST /v1/environments/home/observations"]);
  page.off("request", hear);
});

test("whoever may not plan reads why in the kernel's words, and cannot press", async (t) => {
  const { at } = shared();
  const { page } = await at.person("finn", ["observer"]);
  t.after(() => page.close());
  await page.goto(`${at.origin}/console/`);
  const button = page.getByRole("button", { name: "Plan home" });
  await button.waitFor();
  assert.equal(await button.isDisabled(), true);
  await page.getByText("finn").nth(1).waitFor();
  assert.equal(await page.getByRole("button", { name: "Observe home" }).isDisabled(), false);
});

for (const look of LOOKS)
  test(`the fleet is read by whoever uses assistive technology (${look.colorScheme}, ${look.width} px)`, async () => {
    const { page } = shared();
    await lookAs(page, look);
    await open("/");
    await page.getByRole("row", { name: "101 web-01" }).waitFor();
    await assertReadable(page);
    await picture(page, `fleet-${look.colorScheme}-${look.width}`);
    await lookAs(page, LOOKS[0]);
  });

test("of ten thousand VMs those are in the page that are seen, all are counted, and each is found", async () => {
  const console = shared();
  const vmids = Array.from({ length: 10_000 }, (_, at) => 1_001 + at);
  await registerVms(
    console.at,
    vmids.map((vmid) => ({ vmid })),
  );
  await bring(
    console,
    vmids.map((vmid) => state({ name: "web-01", node: "pve1", status: "running", vmid: vmidOf(vmid) })),
  );
  const page = await open("/");
  await page.getByRole("row", { name: "1001 web-01" }).waitFor();
  const table = page.getByRole("table");
  assert.equal(await table.getAttribute("aria-rowcount"), "10001");
  assert.ok((await table.getByRole("row").count()) < 120);
  await page.getByRole("searchbox").fill("10999");
  await page.getByRole("row", { name: "10999 web-01" }).waitFor();
});
