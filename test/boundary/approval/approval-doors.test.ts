// Who gets to the page of an approval, from where, and what it lets a browser do: sessions and no tokens, sites that
// lead here, and pages that anybody can use.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { returnPath } from "../../../src/boundary/identity/return-path.ts";
import { sha256 } from "../../../src/spine/values/hash.ts";
import { freePort } from "../../../tools/servers/free-port.ts";
import { cannot, type Objection } from "../../cannot.ts";
import { bearer, ok } from "../../service/serving.ts";
import { atSignIn } from "../identity/at-sign-in.ts";
import { type AtApproval, atApproval, keyed, type Person, signInWithPasskey, startBrowser } from "./at-approval.ts";

let browser: Browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());

/** What an agent asked for, and a person who may approve it, with the form that their page has. */
type Pressing = AtApproval & {
  readonly finn: Person;
  readonly form: Readonly<Record<string, string>>;
  readonly path: string;
  readonly plan: string;
};

const pressing = async <T>(work: (at: Pressing) => Promise<T>): Promise<T> => {
  const ends: (() => Promise<void> | void)[] = [];
  try {
    const at = await atApproval({ after: (end) => void ends.push(end) }, browser);
    const finn = await at.person("finn", ["approver"]);
    const { path, plan } = await at.asked();
    return await work({ ...at, finn, form: await formAt(finn, path), path, plan });
  } finally {
    for (const end of ends.reverse()) await end();
  }
};

const formAt = async ({ context }: Person, path: string): Promise<Readonly<Record<string, string>>> => {
  const body = await (await context.request.get(path)).text();
  const fields = Array.from(body.matchAll(/name="(author|csrf|explanation|words)" value="([^"]+)"/g));
  const [, key = ""] = /\/approvals" name="key" value="([^"]+)"/.exec(body) ?? [];
  return { ...Object.fromEntries(fields.map(([, name, value]) => [name, value])), key, reason: "agreed" };
};

const objectionsIn = (text: string): readonly Objection[] =>
  Array.from(text.matchAll(/\(([BGN]\d|P7-[A-Z]\d), [a-z-]+\)/g), ([, rule = ""]) => ({ rule }));

const press = async ({ context }: Person, path: string, form: Readonly<Record<string, string>>) => {
  const reply = await context.request.post(`${path}/approvals`, { form, maxRedirects: 0 });
  return reply.status() === 303 ? [] : objectionsIn(await reply.text());
};

cannot("B2", "open the page of an approval, or press its buttons, with a token", {
  neighbour: () => pressing(({ finn, form, path }) => press(finn, path, form)),
  offence: () =>
    pressing(async ({ decisions, form, path, roboToken }) => {
      const headers = { authorization: `Bearer ${roboToken}` };
      const opened = await fetch(path, { headers, redirect: "manual" });
      assert.equal(opened.status, 401);
      const body = new URLSearchParams(form);
      const pressed = await fetch(`${path}/approvals`, { body, headers, method: "POST", redirect: "manual" });
      assert.deepEqual([pressed.status, await decisions()], [401, []]);
      return [...objectionsIn(await opened.text()), ...objectionsIn(await pressed.text())];
    }),
});

cannot("B2", "lend a person's cookie to a token", {
  neighbour: () => pressing(({ finn, form, path }) => press(finn, path, form)),
  offence: () =>
    pressing(async ({ decisions, finn, form, path, roboToken }) => {
      const headers = { authorization: `Bearer ${roboToken}` };
      const reply = await finn.context.request.post(`${path}/approvals`, { form, headers, maxRedirects: 0 });
      assert.deepEqual(await decisions(), []);
      return objectionsIn(await reply.text());
    }),
});

cannot("P7-A2", "approve on the page another text than the one that it showed", {
  neighbour: () => pressing(({ finn, form, path }) => press(finn, path, form)),
  offence: () =>
    pressing(({ finn, form, path }) => press(finn, path, { ...form, explanation: sha256("another text") })),
});

cannot("P7-A2", "approve on the page what was shown in other words", {
  neighbour: () => pressing(({ finn, form, path }) => press(finn, path, form)),
  offence: () => pressing(({ finn, form, path }) => press(finn, path, { ...form, words: sha256("other words") })),
});

cannot("B6", "decide two things by one press", {
  neighbour: () =>
    pressing(async ({ finn, form, path }) => [...(await press(finn, path, form)), ...(await press(finn, path, form))]),
  offence: () =>
    pressing(async ({ finn, form, path }) => [
      ...(await press(finn, path, form)),
      ...(await press(finn, path, { ...form, reason: "something else" })),
    ]),
});

test("a reason that outlives its session is shown to whoever typed it, and to nobody else at the same browser", async () => {
  await pressing(async ({ finn, form, path, person }) => {
    const gwen = await person("gwen", ["approver"]);
    const shownTo = async ({ context }: Person): Promise<boolean> =>
      (await (await context.request.get(path)).text()).includes("typed by finn");
    const session = await finn.context.cookies();
    await finn.context.clearCookies();
    const typed = { ...form, reason: "typed by finn" };
    const ended = await finn.context.request.post(`${path}/approvals`, { form: typed, maxRedirects: 0 });
    assert.ok((await ended.text()).includes("typed by finn"));
    const kept = (await finn.context.cookies()).filter(({ name }) => name.includes("reason"));
    assert.equal(kept.length, 1);
    await gwen.context.addCookies(kept);
    assert.equal(await shownTo(gwen), false);
    await finn.context.addCookies(session);
    assert.equal(await shownTo(finn), true);
    // A form that says of nobody for whom it was made keeps nothing.
    await finn.context.clearCookies();
    await finn.context.request.post(`${path}/approvals`, { form: { ...typed, author: "finn" }, maxRedirects: 0 });
    assert.deepEqual(await finn.context.cookies(), []);
  });
});

/** What an agent is told who applies after somebody came to the page. */
const appliedAfter = (come: (at: Pressing) => Promise<unknown>): Promise<readonly Objection[]> =>
  pressing(async (at) => {
    await come(at);
    const answer = await at.service.apply(keyed(bearer(at.roboToken)), { plan: at.plan, step: { number: 1 } });
    if (answer.kind === "ok") await answer.value.underway?.ended;
    return answer.kind === "ok" ? [] : answer.refusals.flatMap((one) => ("rule" in one ? [one] : []));
  });

cannot("P7-A2", "take an opened page for an approval", {
  neighbour: () => appliedAfter(({ finn, form, path }) => press(finn, path, form)),
  offence: () => appliedAfter(({ finn, path }) => finn.page.goto(path)),
});

test("a link on another site leads to the page, and whoever is signed in is not asked to sign in again", async (t) => {
  const at = await atApproval(t, browser);
  const { page } = await at.person("finn", ["approver"]);
  const { path } = await at.asked();
  const elsewhere = createServer((_, reply) => reply.end(`<a href="${path}">approve</a>`));
  t.after(() => {
    elsewhere.closeAllConnections();
    elsewhere.close();
  });
  const port = await freePort();
  await once(elsewhere.listen(port, "127.0.0.1"), "listening");
  const follow = async (): Promise<void> => {
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByRole("link", { name: "approve" }).click();
  };
  await follow();
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await page.context().clearCookies();
  await follow();
  await signInWithPasskey(page);
  await page.waitForURL(path);
});

test("whoever signs in at a provider comes back to the page", async (t) => {
  const at = await atSignIn(t, { "u-1": { groups: ["sre"], name: "ada" } });
  const { origin } = at;
  const jar = at.newJar();
  const path = "/approve/01KA4QJ5V8R3W2T6Y7Z8N9M0P1/1";
  const back = await jar.get(await at.signIn(jar, "u-1", path));
  assert.ok(back.body.includes(`<meta http-equiv="refresh" content="0; url=${path}">`), back.body);
  assert.equal((await jar.get(`${origin}${path}`)).status, 404, "ada is signed in, and there is no such plan");
});

test("whoever signs in goes on to a page of ours, and never to another site", () => {
  for (const to of [
    "/approve/01KA4QJ5V8R3W2T6Y7Z8N9M0P1/1",
    "/console/",
    "/console/plans/01KA4QJ5V8R3W2T6Y7Z8N9M0P1/steps/1",
    "/console/ledger?from=3&kind=plan",
    "/console/plans/",
  ])
    assert.equal(returnPath(to), to);
  for (const to of [
    "https://evil.example/approve/01KA/1",
    "//evil.example/approve/01KA/1",
    "/\\evil.example/approve/01KA/1",
    "/approve/01KA/1/../../sign-out",
    "/approve/01KA/1?x=//evil.example",
    "/approve/01KA/1\n",
    "/approve/01KA/0",
    "/console//evil.example",
    // Read in more ways than one, it would be tried for longer than anybody waits.
    `/console/${"a".repeat(900)}!`,
    `/console/${"a/".repeat(400)}!`,
    "/sign-out",
    "",
    undefined,
    7,
  ])
    assert.equal(returnPath(to), undefined, String(to));
});

test("a page of an approval runs no script, is framed by nobody, kept by nobody, and told to no other site", async (t) => {
  const at = await atApproval(t, browser);
  const finn = await at.person("finn", ["approver"]);
  const { path } = await at.asked();
  const reply = await finn.context.request.get(path);
  const { "cache-control": kept, "content-security-policy": policy = "", ...headers } = reply.headers();
  assert.match(
    policy,
    /^default-src 'none'; style-src 'nonce-[\w-]+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
  );
  assert.deepEqual(
    [kept, headers["referrer-policy"], headers["x-frame-options"], headers["x-content-type-options"]],
    ["no-store", "same-origin", "DENY", "nosniff"],
  );
  assert.doesNotMatch(await reply.text(), /<script|style="| on[a-z]+=/);
});

const flawsOn = async (page: Page): Promise<readonly string[]> =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);

for (const [colorScheme, width] of [
  ["light", 1000],
  ["dark", 320],
] as const)
  test(`nothing stands in anybody's way on these pages (${colorScheme}, ${width} px)`, async (t) => {
    const at = await atApproval(t, browser);
    const { context, csrf, page } = await at.person("finn", ["approver"], { colorScheme, width });
    const { path, plan } = await at.asked();
    await page.goto(path);
    assert.deepEqual(await flawsOn(page), []);
    await page.getByLabel("Reason").focus();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Approve");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Deny");
    await page.getByLabel("Reason").fill("agreed");
    await page.getByRole("button", { name: "Approve" }).press("Enter");
    await page.getByRole("heading", { name: "Approved" }).waitFor();
    assert.deepEqual(await flawsOn(page), []);
    ok(await at.service.cancel(keyed(at.robo), { plan, reason: "not wanted" }));
    await page.goto(path);
    assert.deepEqual(await flawsOn(page), []);
    await page.getByLabel("Reason").fill("no");
    await context.request.post(`${at.origin}/sign-out`, { form: { csrf: await csrf() } });
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("Your session has ended.").waitFor();
    assert.deepEqual(await flawsOn(page), []);
  });
