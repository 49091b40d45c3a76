// Applying a step in the console, in real browsers: what is confirmed is what was shown, what stands against it closes
// the button, and what is over is planned again.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { type AtApproval, keyed, picture, startBrowser } from "../boundary/approval/at-approval.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { atConsole, type BuiltConsole, builtConsole } from "./at-console.ts";
import { planOf } from "./plan-of.ts";

let browser: Browser;
let console: BuiltConsole;
before(async () => {
  console = builtConsole();
  browser = await startBrowser();
});
after(() => browser.close());

const button = (page: Page, name: string) => page.getByRole("button", { name });
const stepPath = (origin: string, plan: string): string => `${origin}/console/plans/${plan}/steps/1`;
const kindsOf = async ({ served }: AtApproval): Promise<readonly string[]> =>
  (await served.records()).map(({ kind }) => kind);

test("a person applies in three presses, and the outcome is shown as it is recorded", async (t) => {
  const at = await atConsole(t, browser, console);
  const { origin, person, served } = at;
  const olga = await person("olga", ["operator"]);
  const plan = await planOf(olga, origin);
  await olga.page.goto(stepPath(origin, plan));
  await button(olga.page, "Show what I would confirm").click();
  await olga.page.getByText("It can be confirmed until").waitFor();
  assert.equal(served.provider.counts.calls, 0, "what is shown is not applied");
  assert.deepEqual(
    (await kindsOf(at)).filter((kind) => kind === "challenge" || kind === "apply"),
    ["challenge"],
  );
  await button(olga.page, "Start web-01 (VM 101)").last().click();
  await olga.page.getByText("succeeded").waitFor();
  assert.equal(served.provider.counts.calls, 1);
  await picture(olga.page, "console-applied");
  await olga.page.goBack();
  await olga.page.goForward();
  await olga.page.getByText("Tried: succeeded").waitFor();
  assert.equal(served.provider.counts.calls, 1, "going back and forward only reads");
});

test("a confirmation carries the digests of what was shown and of its words, and no others are taken", async (t) => {
  const { origin, person, served } = await atConsole(t, browser, console);
  const olga = await person("olga", ["operator"]);
  const { page } = olga;
  const plan = await planOf(olga, origin);
  const shown = async (): Promise<void> => {
    await page.goto(stepPath(origin, plan));
    await button(page, "Show what I would confirm").click();
  };
  // A challenge that names other words, which do not come, or come as others: nothing can be confirmed.
  const other = createHash("sha256").update("{}").digest("hex");
  await page.route("**/challenges", async (route) => {
    const reply = await route.fetch();
    const answer = await reply.json();
    answer.challenge.words = other;
    await route.fulfill({ json: answer, response: reply });
  });
  for (const [status, told] of [
    [404, "No answer from the service."],
    [200, "What came is not what it is said to be."],
  ] as const) {
    await page.route(`**/v1/blobs/${other}`, (route) => route.fulfill({ body: "{ }", status }));
    await shown();
    await page.getByText(told).waitFor();
    assert.equal(await page.getByText("It can be confirmed until").count(), 0);
    await page.unroute(`**/v1/blobs/${other}`);
  }
  await page.unroute("**/challenges");
  // A yes in other words than the challenge was shown in is refused by the kernel.
  await shown();
  await page.getByText("It can be confirmed until").waitFor();
  await page.route("**/applies", (route) => {
    const { confirmation, ...rest } = route.request().postDataJSON();
    return route.continue({ postData: { ...rest, confirmation: { ...confirmation, words: "0".repeat(64) } } });
  });
  await button(page, "Start web-01 (VM 101)").last().click();
  await page.getByText("words-differ").waitFor();
  assert.equal(served.provider.counts.calls, 0);
  await page.unroute("**/applies");
  // Its neighbour: the very same, unaltered.
  await shown();
  await page.getByText("It can be confirmed until").waitFor();
  const sent = page.waitForRequest("**/applies");
  await button(page, "Start web-01 (VM 101)").last().click();
  const { confirmation } = (await sent).postDataJSON();
  await page.getByText("succeeded").waitFor();
  const challenge = (await served.records()).findLast(({ kind }) => kind === "challenge");
  const applied = (await served.records()).findLast(({ kind }) => kind === "apply");
  const [said, done] = [Object(challenge?.body), Object(applied?.body)];
  assert.deepEqual(confirmation, {
    challenge: challenge?.auditId,
    explanation: said.result.explanation,
    words: said.words,
  });
  assert.equal(done.words, said.words);
});

test("what stands against a step when it is shown closes its button, with the kernel's sentence", async (t) => {
  const { origin, person, served, service } = await atConsole(t, browser, console);
  const olga = await person("olga", ["operator"]);
  const { context, page } = olga;
  const plan = await planOf(olga, origin);
  const frozen = { environment: "home", reason: "look first" };
  ok(await service.freeze(keyed(OPERATOR), frozen));
  const reply = await context.request.get(`${origin}/v1/plans/${plan}/steps/1/review`);
  const { progress } = (await reply.json()) as { readonly progress: { readonly objections: readonly unknown[] } };
  ok(await service.unfreeze(keyed(OPERATOR), frozen));
  const apply = button(page, "Start web-01 (VM 101)").last();
  const shown = async (): Promise<boolean> => {
    await page.goto(stepPath(origin, plan));
    await button(page, "Show what I would confirm").click();
    await page.getByText("It can be confirmed until").waitFor();
    return apply.isDisabled();
  };
  // As where somebody freezes between the two.
  await page.route("**/challenges", async (route) => {
    const challenged = await route.fetch();
    const answer = await challenged.json();
    await route.fulfill({ json: { ...answer, progress }, response: challenged });
  });
  assert.equal(await shown(), true);
  await page.locator(".act", { has: apply }).getByText("frozen)").waitFor();
  await page.unroute("**/challenges");
  assert.equal(await shown(), false);
  assert.equal(served.provider.counts.calls, 0);
});

test("a step that expired while it was read is refused, and planned again beside it by whoever presses", async (t) => {
  const at = await atConsole(t, browser, console);
  const { origin, person, served } = at;
  const olga = await person("olga", ["operator"]);
  const finn = await person("finn", ["approver"]);
  const { page } = olga;
  const plan = await planOf(olga, origin);
  await page.goto(stepPath(origin, plan));
  await button(page, "Show what I would confirm").waitFor();
  assert.equal(await button(page, "Plan home again").count(), 0, "what stands is not planned again");
  served.clock.aheadMs = 80 * 60_000;
  await button(page, "Show what I would confirm").click();
  await page.getByText("step-expired").waitFor();
  await button(page, "Plan home again").waitFor();
  const before = (await kindsOf(at)).length;
  await button(page, "Plan home again").click();
  await page.getByRole("link", { name: "The new plan, beside this one" }).waitFor();
  assert.deepEqual((await kindsOf(at)).slice(before), ["observe", "plan"], "one press, one plan");
  await page.getByText(/based on another .*observation/).waitFor();
  assert.equal(served.provider.counts.calls, 0, "planning applies nothing");
  await page.getByRole("link", { name: "The new plan, beside this one" }).click();
  await page.waitForURL(new RegExp(`beside=${plan}$`));
  // Of the plan that is over, the plan's own page offers it too; to whoever may not ask, it says why.
  await page.goto(`${origin}/console/plans/${plan}`);
  await button(page, "Plan home again").waitFor();
  await finn.page.goto(stepPath(origin, plan));
  const closed = finn.page.locator(".act", { has: button(finn.page, "Plan home again") });
  await closed.getByText("role-missing").waitFor();
  assert.equal(await closed.getByRole("button").isDisabled(), true);
});
