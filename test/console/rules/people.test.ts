// Several people at one four-eyes environment, each in a browser of their own: one asks, another approves, the first
// applies; who may not act reads why; and a session that ends elsewhere ends here too.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { ProblemJson } from "../../../src/boundary/contract/problem-json.ts";
import { keyed } from "../../boundary/approval/at-approval.ts";
import { cannot } from "../../cannot.ts";
import { OPERATOR } from "../../service/serving.ts";
import { approveButton, decide, nothingCame, once, pageRead, recorded, stage } from "./rule-stage.ts";

/** VMs that no other test of the folder asks for. */
const VMS = { deleted: 353, kept: 352, started: 351, waiting: 354 };

const people = once(async () => {
  const { at, person: finn } = stage();
  return {
    finn,
    gwen: await at.person("gwen", ["approver"]),
    olga: await at.person("olga", ["operator"]),
  };
});
type Name = keyof Awaited<ReturnType<typeof people>>;

const button = (page: Page, name: string) => page.getByRole("button", { exact: true, name });

/** A plan of olga's for one action on one VM, and the address of its step. */
const askedFor = async (kind: string, vmid: number): Promise<string> => {
  const { at } = stage();
  const { context, csrf } = (await people()).olga;
  const reply = await context.request.post(`${at.origin}/v1/plans`, {
    data: { environment: "home", registeredOnly: true, request: { action: { kind }, vmid }, scope: [vmid] },
    headers: { "dedalus-csrf": await csrf(), "idempotency-key": keyed(OPERATOR).key ?? "" },
  });
  const { id } = (await reply.json()) as { readonly id?: string };
  return `${at.origin}/console/plans/${id ?? assert.fail(await reply.text())}/steps/1`;
};

const openAs = async (name: Name, url: string): Promise<Page> => {
  const { page } = (await people())[name];
  await page.goto(url);
  await pageRead(page);
  return page;
};

const approveAs = async (name: Name, url: string): Promise<void> => {
  const page = await openAs(name, url);
  await decide(page, "Approve");
  await recorded(page).waitFor();
};

const applyAs = async (name: Name, url: string, title: string, typed?: string): Promise<Page> => {
  const page = await openAs(name, url);
  await button(page, "Show what I would confirm").click();
  await page.getByText("It can be confirmed until").waitFor();
  if (typed !== undefined) await page.getByLabel("The VM’s name").fill(typed);
  await button(page, title).click();
  return page;
};

test("one asks, another approves, and the first applies, each on their own page", async () => {
  const { at } = stage();
  const start = await applyAs("olga", await askedFor("vm.start", VMS.started), `Start web-01 (VM ${VMS.started})`);
  await start.getByText("succeeded").waitFor();
  const url = await askedFor("vm.reset", VMS.started);
  const olga = await openAs("olga", url);
  await olga.getByText("1 approval is needed, 0 given").waitFor();
  assert.equal(await button(olga, "Show what I would confirm").isDisabled(), true);
  await approveAs("finn", url);
  await olga.getByText("more record").waitFor();
  assert.equal(await button(olga, "Show what I would confirm").isDisabled(), true, "news are told, and not swapped in");
  const { calls } = at.served.provider.counts;
  const applied = await applyAs("olga", url, `Reset web-01 (VM ${VMS.started})`);
  await applied.getByText("succeeded").waitFor();
  const records = (await at.served.records()).slice(-5).map(({ actor, kind }) => `${actor.id} ${kind}`);
  assert.deepEqual(records, ["finn approve", "olga challenge", "olga apply", "dedalus dispatched", "dedalus outcome"]);
  assert.equal(at.served.provider.counts.calls, calls + 1);
});

/** What cannot be undone, agreed to by two, and confirmed by typing a name. */
const deleted = async (vmid: number, typed: string) => {
  const { came } = stage();
  const url = await askedFor("vm.delete", vmid);
  for (const name of ["finn", "gwen"] as const) await approveAs(name, url);
  const page = await openAs("olga", url);
  await button(page, "Show what I would confirm").click();
  const act = button(page, `Delete web-01 (VM ${vmid})`);
  await act.waitFor();
  assert.equal(await act.isDisabled(), true, "nothing is typed yet");
  return came(
    async () => {
      await page.getByLabel("The VM’s name").fill(typed);
      await page.keyboard.press("Enter");
      await act.dispatchEvent("click");
      if (typed === "web-01") await recorded(page).waitFor();
    },
    (await people()).olga.context,
  );
};

cannot("P7-A2", "do what cannot be undone on a page without its name typed in full", {
  neighbour: async () => {
    const came = await deleted(VMS.deleted, "web-01");
    assert.equal(Object(Object(Object(came.records[0]?.body).request).confirmation).name, "web-01");
    return nothingCame("P7-A2", came);
  },
  offence: async () => nothingCame("P7-A2", await deleted(VMS.kept, "web-0")),
});

for (const role of ["auditor", "observer"] as const)
  test(`an ${role} reads the step, and every act is closed with the kernel's own sentence`, async () => {
    const url = await askedFor("vm.start", VMS.waiting);
    const { context, csrf, page } = await stage().at.person(role, [role]);
    await page.goto(url);
    await pageRead(page);
    const acts = page.locator(".act");
    assert.equal(await acts.count(), 3);
    for (const act of await acts.all()) {
      assert.equal(await act.getByRole("button").isDisabled(), true);
      assert.match(await act.innerText(), /\((?:[BGN]\d|P7-[A-Z]\d), [a-z-]+\)/);
    }
    const reply = await context.request.post(`${url.replace("/console/", "/v1/")}/approvals`, {
      data: { reason: "read and agreed" },
      headers: { "dedalus-csrf": await csrf(), "idempotency-key": keyed(OPERATOR).key ?? "" },
    });
    const { refusals } = (await reply.json()) as ProblemJson;
    const [detail = "", ...others] = refusals.map(({ text }) => text.detail);
    assert.deepEqual(others, []);
    assert.ok((await acts.first().innerText()).includes(detail), detail);
  });

test("who signs out in another tab acts no more here, not even by what is on its way, and what was typed stays", async () => {
  const { at } = stage();
  const page = await openAs("gwen", await askedFor("vm.start", VMS.waiting));
  const signOut = async (): Promise<void> => {
    const other = await (await people()).gwen.context.newPage();
    await other.goto(`${at.origin}/signed-in`);
    await other.getByRole("button", { name: "Sign out" }).click();
    await other.getByText("Your session has ended.").waitFor();
    await other.close();
  };
  const before = (await at.decisions()).length;
  await page.route(
    "**/approvals",
    async (route) => {
      await signOut();
      await route.continue();
    },
    { times: 1 },
  );
  await decide(page, "Approve", "typed for long");
  await page.getByText("Nothing was done.").waitFor();
  assert.match(await page.locator(".act").first().innerText(), /Sign in, in another tab/);
  await approveButton(page).click();
  await page.getByText("You are not signed in.").waitFor();
  assert.equal(await page.getByLabel("Reason").inputValue(), "typed for long");
  assert.equal((await at.decisions()).length, before);
});

test("a session that is over by the clock acts no more, and its pages show nothing", async () => {
  const { at } = stage();
  const url = await askedFor("vm.start", VMS.waiting);
  const page = await openAs("finn", url);
  await page.getByLabel("Reason").fill("typed for long");
  const before = (await at.served.records()).length;
  at.served.clock.aheadMs = 24 * 3_600_000;
  try {
    await approveButton(page).click();
    await page.getByText("You are not signed in.").waitFor();
    assert.equal((await at.served.records()).length, before);
    await page.goto(url);
    await page.getByText("You are not signed in.").waitFor();
    assert.equal(await page.getByText("web-01").count(), 0);
  } finally {
    at.served.clock.aheadMs = 0;
  }
});
