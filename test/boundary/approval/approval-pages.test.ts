// A person approves or denies a step in a real browser: what the page shows, what is recorded, and what is not.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { framedExplanation } from "../../../src/spine/words/steps/explanation-in-words.ts";
import { bearer, OPERATOR, ok } from "../../service/serving.ts";
import { atApproval, keyed, picture, signInWithPasskey, startBrowser } from "./at-approval.ts";

let browser: Browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());

const reasonOf = (page: Page) => page.getByLabel("Reason");
const button = (page: Page, name: "Approve" | "Deny") => page.getByRole("button", { exact: true, name });
const resultOf = (record: { readonly body: unknown } | undefined): string => Object(record?.body).result.kind;
const squeezed = (text: string): string => text.trim().replaceAll(/\s+/g, " ");

for (const [colorScheme, width] of [
  ["light", 1000],
  ["dark", 1000],
  ["light", 320],
  ["dark", 320],
] as const)
  test(`whoever is asked signs in, reads everything and approves; nothing is applied (${colorScheme}, ${width} px)`, async (t) => {
    const { asked, decisions, person, robo, served, service } = await atApproval(t, browser);
    const { page } = await person("finn", ["approver"], { colorScheme, width });
    const { path, plan } = await asked();
    const step = { plan, step: { number: 1 } };
    await page.context().clearCookies();
    await page.goto(path);
    await signInWithPasskey(page);
    await page.waitForURL(path);
    const { explanation, shown } = ok(await service.review(robo, step)).value;
    const text = squeezed(await page.locator("main").innerText());
    const framed = framedExplanation(explanation, shown);
    for (const line of [framed.heading, ...framed.lines, framed.end]) assert.ok(text.includes(squeezed(line)), line);
    const expires = `Expires ${shown.endsAt?.slice(0, 19).replace("T", " ")} UTC`;
    for (const part of [explanation.hash, explanation.plan, plan, "four-eyes", expires])
      assert.ok(text.includes(part), part);
    assert.match(text, /robo, an agent, through the service; alice made its token/);
    assert.match(text, /0 of 1 given/);
    assert.equal(await page.evaluate("document.activeElement.tagName"), "BODY", "nothing has the focus");
    assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, "nothing is cut");
    await picture(page, `step-${colorScheme}-${width}`);

    await reasonOf(page).fill("looked at it");
    await reasonOf(page).press("Enter");
    assert.deepEqual(await decisions(), [], "Enter is a line break, and no decision");
    await reasonOf(page).fill("looked at it,\nand agreed");
    await button(page, "Approve").click();
    await page.getByRole("heading", { name: "Approved" }).waitFor();
    const [record, ...others] = await decisions();
    assert.deepEqual(
      [record?.actor.id, record?.kind, resultOf(record), others.length],
      ["finn", "approve", "approved", 0],
    );
    const { door, request, words } = Object(record?.body);
    assert.deepEqual(
      [door, request.reason, request.explanation],
      ["service", "looked at it, and agreed", explanation.hash],
    );
    assert.equal(words, ok(await service.review(robo, step)).value.words);
    const result = squeezed(await page.locator("main").innerText());
    assert.match(result, new RegExp(`Record ${record?.seq}: ${record?.auditId}`));
    assert.match(result, /1 of 1 given: finn/);
    assert.equal(served.provider.counts.calls, 0, "an approval applies nothing");
    await picture(page, `approved-${colorScheme}-${width}`);
    await page.reload();
    assert.equal((await decisions()).length, 1);

    const applied = ok(await service.apply(keyed(robo), step));
    await applied.value.underway?.ended;
    await page.getByRole("link", { name: "Back to the step" }).click();
    await page.getByText("Tried: succeeded").waitFor();
    assert.equal(await button(page, "Approve").isDisabled(), true);
    assert.equal(await button(page, "Deny").isDisabled(), true);
    await picture(page, `applied-${colorScheme}-${width}`);
  });

test("a denial is recorded with its reason, and the step is over", async (t) => {
  const { asked, decisions, person } = await atApproval(t, browser);
  const { page } = await person("finn", ["approver"]);
  const { path } = await asked();
  await page.goto(path);
  await reasonOf(page).fill("not before the backup");
  await button(page, "Deny").click();
  await page.getByRole("heading", { name: "Denied" }).waitFor();
  const [record] = await decisions();
  assert.deepEqual([record?.actor.id, record?.kind, resultOf(record)], ["finn", "deny", "done"]);
  await page.goto(path);
  await page.getByText("Denied by finn: “not before the backup”").waitFor();
  await page.getByText("You cannot approve it now").waitFor();
  assert.equal(await button(page, "Approve").isDisabled(), true);
  await picture(page, "denied");
});

test("the approval of an own request is disabled, with the kernel's own words; another person's is not", async (t) => {
  const { asked, decisions, origin, person, service } = await atApproval(t, browser);
  const olga = await person("olga", ["approver", "operator"]);
  const finn = await person("finn", ["approver"]);
  const reply = await olga.context.request.post(`${origin}/v1/plans`, {
    data: { environment: "home", scope: "all" },
    headers: { "dedalus-csrf": await olga.csrf(), "idempotency-key": keyed(OPERATOR).key ?? "" },
  });
  const { id } = (await reply.json()) as { readonly id: string };
  const path = `${origin}/approve/${id}/1`;
  await olga.page.goto(path);
  const [refusal] = codesIn(await olga.page.locator(".against").innerText());
  assert.equal(refusal, "approval-own");
  assert.equal(await button(olga.page, "Approve").isDisabled(), true);
  assert.equal(await button(olga.page, "Deny").isDisabled(), false, "whoever asked may still say no");
  await picture(olga.page, "own");
  await finn.page.goto(path);
  assert.match(await finn.page.locator("main").innerText(), /olga, a person, through the service; invited by alice/);
  assert.equal(await button(finn.page, "Approve").isDisabled(), false);
  await asked();
  assert.deepEqual([await decisions(), ok(await service.plans(OPERATOR, {})).value.plans.length], [[], 2]);
});

const codesIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\((?:[BGN]\d|P7-[A-Z]\d), ([a-z-]+)\)/g), ([, code = ""]) => code);

test("pressed twice it is one act, and so is the same form sent again", async (t) => {
  const { asked, decisions, person } = await atApproval(t, browser);
  const { context, page } = await person("finn", ["approver"]);
  const { path } = await asked();
  await page.goto(path);
  const form = await formOn(page);
  await reasonOf(page).fill("agreed");
  await button(page, "Approve").dblclick();
  await page.getByRole("heading", { name: "Approved" }).waitFor();
  const sent = { ...form.fields, key: form.keys.approve, reason: "agreed" };
  const again = await context.request.post(`${path}/approvals`, { form: sent, maxRedirects: 0 });
  assert.deepEqual([again.status(), (await decisions()).length], [303, 1]);
  const other = await context.request.post(`${path}/approvals`, { form: { ...sent, reason: "something else" } });
  assert.deepEqual([other.status(), codesIn(await other.text()), (await decisions()).length], [409, ["key-reused"], 1]);
});

/** What the form on the page would send, but for the reason. */
const formOn = async (page: Page) => {
  const fieldOf = (name: string) => page.locator(`input[name="${name}"]`).inputValue();
  const keyOf = async (name: "Approve" | "Deny") => (await button(page, name).getAttribute("value")) ?? "";
  return {
    fields: { csrf: await fieldOf("csrf"), explanation: await fieldOf("explanation"), words: await fieldOf("words") },
    keys: { approve: await keyOf("Approve"), deny: await keyOf("Deny") },
  };
};

test("a form without the word of its session, from another page or with a field too many decides nothing", async (t) => {
  const { asked, decisions, origin, person } = await atApproval(t, browser);
  const { context, page } = await person("finn", ["approver"]);
  const gwen = await person("gwen", ["approver"]);
  const { path } = await asked();
  await page.goto(path);
  const { fields, keys } = await formOn(page);
  const sent = { ...fields, key: keys.approve, reason: "agreed & typed" };
  const { csrf: _, ...bare } = sent;
  const post = async (form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await context.request.post(`${path}/approvals`, { form, headers, maxRedirects: 0 });
    return { body: await reply.text(), status: reply.status() };
  };
  for (const form of [bare, { ...sent, csrf: "" }, { ...sent, csrf: await gwen.csrf() }]) {
    const { body, status } = await post(form);
    assert.deepEqual([status, body.includes("agreed &amp; typed")], [403, true], "the reason is kept");
  }
  for (const headers of [
    { origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])
    assert.equal((await post(sent, headers)).status, 403);
  for (const form of [
    { ...sent, by: "gwen" },
    { ...sent, key: "1" },
    { ...sent, words: "x" },
    { ...sent, explanation: "" },
    { ...sent, reason: "" },
  ])
    assert.equal((await post(form)).status, 400);
  const twice = await context.request.post(`${path}/approvals`, {
    data: `${new URLSearchParams(sent)}&reason=another`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  assert.equal(twice.status(), 403);
  for (const method of ["POST", "PUT"])
    assert.equal((await context.request.fetch(path, { form: sent, method })).status(), 404, method);
  assert.equal((await context.request.get(`${path}/approvals`)).status(), 404, "no GET acts");
  assert.deepEqual(await decisions(), []);
  assert.equal((await post(sent)).status, 303);
  assert.equal((await decisions()).length, 1);
  assert.equal((await context.request.get(`${origin}/v1/whoami`)).status(), 200);
});

test("a step that ends between reading and pressing is refused in the kernel's words, and the reason is still there", async (t) => {
  const { asked, decisions, person, served } = await atApproval(t, browser);
  const { page } = await person("finn", ["approver"]);
  const { path } = await asked();
  await page.goto(path);
  await reasonOf(page).fill("a reason that took long");
  served.clock.aheadMs = 61 * 60_000;
  await button(page, "Approve").click();
  await page.getByRole("alert").getByText("Nothing was approved or denied by it.").waitFor();
  assert.deepEqual(codesIn(await page.getByRole("alert").innerText()), ["step-expired"]);
  assert.equal(await reasonOf(page).inputValue(), "a reason that took long");
  assert.equal(await button(page, "Approve").isDisabled(), true);
  assert.deepEqual((await decisions()).map(resultOf), ["refused"], "a refusal is on record, too");
  await picture(page, "expired");
});

test("a session that ends while the reason is typed records nothing, and the reason comes back after signing in", async (t) => {
  const { asked, decisions, origin, person } = await atApproval(t, browser);
  const { context, csrf, page } = await person("finn", ["approver"]);
  const { path } = await asked();
  await page.goto(path);
  await reasonOf(page).fill("the <b>same</b> reason");
  const out = await context.request.post(`${origin}/sign-out`, { form: { csrf: await csrf() } });
  assert.equal(out.status(), 200);
  await button(page, "Approve").click();
  await page.getByText("Your session has ended.").waitFor();
  assert.equal(await page.getByLabel("Your reason").inputValue(), "the <b>same</b> reason");
  await picture(page, "session-ended");
  assert.deepEqual(await decisions(), []);
  await page.getByRole("link", { name: "Sign in and go on" }).click();
  await signInWithPasskey(page);
  await page.waitForURL(path);
  assert.equal(await reasonOf(page).inputValue(), "the <b>same</b> reason");
  await button(page, "Approve").click();
  await page.getByRole("heading", { name: "Approved" }).waitFor();
  assert.equal(Object((await decisions())[0]?.body).request.reason, "the <b>same</b> reason");
  await page.goto((await asked()).path);
});

test("what is agreed to is what was shown: an explanation that is another by then is refused, and shown", async (t) => {
  const { asked, decisions, person, service } = await atApproval(t, browser);
  const { page } = await person("finn", ["approver"]);
  const gwen = await person("gwen", ["approver"]);
  const { path } = await asked();
  const { token = "" } = ok(await service.createToken(OPERATOR, { days: 1, name: "other", roles: ["agent"] })).value;
  const other = await asked(bearer(token));
  await page.goto(path);
  await reasonOf(page).fill("agreed");
  await gwen.page.goto(other.path);
  await reasonOf(gwen.page).fill("not this VM");
  await button(gwen.page, "Deny").click();
  await gwen.page.getByRole("heading", { name: "Denied" }).waitFor();
  await button(page, "Approve").click();
  assert.deepEqual(codesIn(await page.getByRole("alert").innerText()), ["explanation-differs"]);
  assert.equal(await reasonOf(page).inputValue(), "agreed");
  assert.match(await page.locator(".explanation").innerText(), /not this VM/);
  await button(page, "Approve").click();
  await page.getByRole("heading", { name: "Approved" }).waitFor();
  assert.deepEqual(
    (await decisions()).map(({ kind }) => kind),
    ["deny", "approve"],
  );
});

test("a freeze, a plan that was replaced and a role that is missing disable what the kernel would refuse", async (t) => {
  const { asked, person, robo, service } = await atApproval(t, browser);
  const { page } = await person("finn", ["approver"]);
  const vera = await person("vera", ["observer"]);
  const { path, plan } = await asked();
  await vera.page.goto(path);
  await vera.page.getByText("You can neither approve nor deny it now").waitFor();
  assert.deepEqual(codesIn(await vera.page.locator("#against").innerText()), ["role-missing"]);
  assert.deepEqual(
    [await button(vera.page, "Approve").isDisabled(), await button(vera.page, "Deny").isDisabled()],
    [true, true],
  );
  ok(await service.freeze(OPERATOR, { environment: "home", reason: "an incident" }));
  await page.goto(path);
  assert.deepEqual(codesIn(await page.locator("#against").innerText()), ["frozen"]);
  assert.deepEqual(
    [await button(page, "Approve").isDisabled(), await button(page, "Deny").isDisabled()],
    [true, false],
  );
  await picture(page, "frozen");
  ok(await service.unfreeze(OPERATOR, { environment: "home", reason: "over" }));
  ok(await service.cancel(keyed(robo), { plan, reason: "not wanted" }));
  await page.goto(path);
  assert.deepEqual(codesIn(await page.locator("#against").innerText()), ["plan-closed"]);
});

test("a plan that nobody knows, or a step that it does not have, is told in a sentence", async (t) => {
  const { asked, origin, person } = await atApproval(t, browser);
  const { context, page } = await person("finn", ["approver"]);
  const { path } = await asked();
  const status = async (address: string): Promise<number> => (await context.request.get(address)).status();
  assert.equal(await status(`${origin}/approve/01KA4QJ5V8R3W2T6Y7Z8N9M0P1/1`), 404);
  assert.equal(await status(`${path}9`), 400);
  assert.equal(await status(`${origin}/approve/latest/1`), 404);
  assert.equal(await status(`${origin}/approve/${"x".repeat(1_500)}/1`), 400);
  assert.equal(
    await status(`${path}/decisions/01KA4QJ5V8R3W2T6Y7Z8N9M0P1`),
    200,
    "a key of nobody's leads to the step",
  );
  await page.goto(`${origin}/approve/01KA4QJ5V8R3W2T6Y7Z8N9M0P1/1`);
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  await picture(page, "unknown");
});
