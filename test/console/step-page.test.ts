// One step in the console, in real browsers: read whole, approved by one person, and refused in the kernel's own words.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { framedExplanation } from "../../src/spine/words/steps/explanation-in-words.ts";
import { keyed, picture, signInWithPasskey, startBrowser } from "../boundary/approval/at-approval.ts";
import { ok } from "../service/serving.ts";
import { assertReadable } from "./a11y.ts";
import { atConsole, type BuiltConsole, builtConsole } from "./at-console.ts";
import { planOf } from "./plan-of.ts";

let browser: Browser;
let console: BuiltConsole;
before(async () => {
  console = builtConsole();
  browser = await startBrowser();
});
after(() => browser.close());

const squeezed = (text: string): string => text.trim().replaceAll(/\s+/g, " ");
const button = (page: Page, name: string) => page.getByRole("button", { name });
const stepPath = (origin: string, plan: string): string => `${origin}/console/plans/${plan}/steps/1`;

for (const [colorScheme, width] of [
  ["light", 1000],
  ["dark", 320],
] as const)
  test(`whoever decides reads every line, and the yes carries the digests of what was read (${colorScheme}, ${width} px)`, async (t) => {
    const at = await atConsole(t, browser, console);
    const { asked, decisions, origin, person, robo, served, service } = at;
    const { page } = await person("finn", ["approver"], { colorScheme, width });
    const { plan } = await asked();
    await page.goto(stepPath(origin, plan));
    await button(page, "Approve: Start web-01 (VM 101)").waitFor();
    const { explanation, shown, words } = ok(await service.review(robo, { plan, step: { number: 1 } })).value;
    const framed = framedExplanation(explanation, shown);
    const text = squeezed(await page.locator("main").innerText());
    for (const line of [framed.heading, ...framed.lines, framed.end]) assert.ok(text.includes(squeezed(line)), line);
    assert.match(text, /robo, an agent, through the service; alice made its token/);
    assert.match(text, /0 of 1 given/);
    assert.match(text, /As of \d+ records/);
    assert.equal(await page.evaluate("document.activeElement.tagName"), "MAIN", "no act has the focus");
    await assertReadable(page);
    await picture(page, `console-step-${colorScheme}-${width}`);

    assert.equal(await button(page, "Approve").isDisabled(), true, "a decision needs a reason");
    await page.getByLabel("Reason").fill("looked at it");
    await page.getByLabel("Reason").press("Enter");
    assert.deepEqual(await decisions(), [], "Enter never acts");
    await page.getByLabel("Reason").fill("looked at it");
    await button(page, "Approve").dblclick();
    await page.getByText(/Recorded as record \d+/).waitFor();
    const [record, ...others] = await decisions();
    const { request, words: recorded } = Object(record?.body);
    assert.deepEqual(
      [record?.actor.id, record?.kind, others.length, request.explanation, recorded, request.reason],
      ["finn", "approve", 0, explanation.hash, words, "looked at it"],
    );
    assert.equal(served.provider.counts.calls, 0, "an approval applies nothing");
    await page.reload();
    await page.getByText("Approved by finn, until").waitFor();
    assert.equal((await decisions()).length, 1, "reloading only reads");
  });

test("an own request is not approved: the button is disabled with the kernel's sentence, and the other person's is not", async (t) => {
  const { asked, decisions, origin, person } = await atConsole(t, browser, console);
  const olga = await person("olga", ["approver", "operator"]);
  const finn = await person("finn", ["approver"]);
  const plan = await planOf(olga, origin);
  await olga.page.goto(stepPath(origin, plan));
  await olga.page.getByText("approval-own").first().waitFor();
  await olga.page.getByLabel("Reason").fill("mine");
  assert.equal(await button(olga.page, "Approve").isDisabled(), true);
  assert.equal(await button(olga.page, "Deny").isDisabled(), false);
  await finn.page.goto(stepPath(origin, plan));
  await finn.page.getByLabel("Reason").fill("agreed");
  assert.equal(await button(finn.page, "Approve").isDisabled(), false);
  await asked();
  assert.deepEqual(await decisions(), []);
});

test("words or an explanation that were altered on the way are not shown, and nothing can be agreed to", async (t) => {
  const { asked, origin, person } = await atConsole(t, browser, console);
  const { page } = await person("finn", ["approver"]);
  const { plan } = await asked();
  const alter = async (pattern: string, from: string, to: string): Promise<void> => {
    await page.route(pattern, async (route) => {
      const reply = await route.fetch();
      const body = await reply.text();
      assert.ok(body.includes(from), from);
      await route.fulfill({ body: body.replace(from, to), response: reply });
    });
    await page.goto(stepPath(origin, plan));
    await page.getByText("What came is not what it is said to be.").waitFor();
    assert.equal(await button(page, "Approve").count(), 0);
    await page.unroute(pattern);
  };
  await alter("**/v1/blobs/*", "Approve", "Reprove");
  await alter("**/review", '"power":"starts"', '"power":"none"');
  await page.goto(stepPath(origin, plan));
  await button(page, "Approve").waitFor();
});

test("an answer that is lost is looked up by its key and never sent again", async (t) => {
  const { asked, decisions, origin, person } = await atConsole(t, browser, console);
  const { page } = await person("finn", ["approver"]);
  const { plan } = await asked();
  await page.goto(stepPath(origin, plan));
  await page.getByLabel("Reason").fill("agreed");
  let sent = 0;
  await page.route("**/approvals", async (route) => {
    sent += 1;
    const reply = await route.fetch();
    assert.equal(reply.status(), 201, await reply.text());
    await route.abort("connectionreset");
  });
  await button(page, "Approve").click();
  await page.getByText(/Recorded as record \d+/).waitFor();
  assert.deepEqual([sent, (await decisions()).length], [1, 1]);

  const { plan: other } = await asked();
  await page.goto(stepPath(origin, other));
  await page.unroute("**/approvals");
  await page.route("**/approvals", (route) => route.abort("connectionreset"));
  await page.getByLabel("Reason").fill("agreed");
  await button(page, "Approve").click();
  await page.getByText("Unknown.").waitFor();
  assert.equal(await button(page, "Approve").isDisabled(), true, "until it is known, nothing else is sent");
  await button(page, "Look it up again").click();
  await page.getByText("Unknown.").waitFor();
  assert.equal((await decisions()).length, 1);
});

test("a session that ended in mid-form sends nothing and keeps what was typed; another person's sends nothing either", async (t) => {
  const { asked, decisions, origin, person } = await atConsole(t, browser, console);
  const finn = await person("finn", ["approver"]);
  const gwen = await person("gwen", ["approver"]);
  const { plan } = await asked();
  const { context, page } = finn;
  await page.goto(stepPath(origin, plan));
  await page.getByLabel("Reason").fill("typed for long");
  const kept = await context.cookies();
  await context.clearCookies();
  await button(page, "Approve").click();
  await page.getByText("You are not signed in.").waitFor();
  assert.equal(await page.getByLabel("Reason").inputValue(), "typed for long");
  await context.addCookies(await gwen.context.cookies());
  await button(page, "Approve").click();
  await page.getByText("Somebody else is signed in here by now.").waitFor();
  assert.deepEqual(await decisions(), []);
  await context.addCookies(kept);
  await button(page, "Approve").click();
  await page.getByText(/Recorded as record \d+/).waitFor();
  assert.deepEqual(
    (await decisions()).map(({ actor }) => actor.id),
    ["finn"],
  );
});

test("what waits says whose decision it is, to each reader in the kernel's words", async (t) => {
  const { asked, origin, person } = await atConsole(t, browser, console);
  const decisionOf = async (name: string, roles: readonly ("approver" | "operator")[]): Promise<readonly string[]> => {
    const { page } = await person(name, roles);
    await page.goto(`${origin}/console/approvals`);
    await page.locator("tr[data-row]").first().waitFor();
    await assertReadable(page);
    assert.match(await page.locator("tr[data-row]").first().innerText(), /0 of 1\s+one more person must approve/);
    return page.locator('[data-head="Your decision"]').allInnerTexts();
  };
  await asked();
  assert.deepEqual(await decisionOf("finn", ["approver"]), ["You may decide."]);
  const [told = ""] = await decisionOf("olga", ["operator"]);
  assert.equal(told, "Role does not cover this: olga has operator (P7-A1)");
});

test("what waits is listed with the way to its page; a plan that is not there is refused in the kernel's words", async (t) => {
  const { asked, origin, person, robo, service } = await atConsole(t, browser, console);
  const { page } = await person("finn", ["approver"]);
  const { plan } = await asked();
  const reason = `<b>full</b> disk & “approved” ${"x".repeat(900)}`;
  ok(await service.requestApproval(keyed(robo), { plan, reason, step: { number: 1 } }));
  await page.goto(`${origin}/console/approvals`);
  await page.getByText(`${reason.slice(0, 200)}… (${reason.length} characters)`).waitFor();
  await assertReadable(page);
  await picture(page, "console-approvals-reason");
  await page.getByRole("link", { name: "start" }).click();
  await page.waitForURL(stepPath(origin, plan));
  await button(page, "Approve").waitFor();
  const told = page.getByRole("region", { name: "Why approval was requested" });
  assert.equal(squeezed(await told.getByRole("listitem").innerText()), `robo: “${reason}”`);
  await assertReadable(page);
  await page.goto(stepPath(origin, "01JCZZZZZZZZZZZZZZZZZZZZZZ"));
  await page.getByText("plan-unknown").waitFor();
  await page.context().clearCookies();
  await page.goto(stepPath(origin, plan));
  await page.getByRole("link", { name: "Sign in" }).click();
  await signInWithPasskey(page);
  await page.waitForURL(stepPath(origin, plan));
  await button(page, "Approve").waitFor();
});
