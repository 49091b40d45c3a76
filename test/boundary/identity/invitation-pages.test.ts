// An invitation in a real browser: its link is opened, a device makes a passkey, and its owner signs in by it.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import type { LocalService } from "../../../src/service/local-service.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../../tools/servers/chromium.ts";
import { freePort } from "../../../tools/servers/free-port.ts";
import { OPERATOR, ok, serving } from "../../service/serving.ts";
import { openDoorWithPages } from "./at-sign-in.ts";

type Invited = {
  readonly context: BrowserContext;
  readonly newLink: (name: string) => Promise<string>;
  readonly origin: string;
  readonly page: Page;
  readonly service: LocalService;
};

const DEVICE = {
  automaticPresenceSimulation: true,
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  protocol: "ctap2",
  transport: "internal",
} as const;

const invited = async (t: TestContext, colorScheme: "dark" | "light"): Promise<Invited> => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const more = `service: { listen: "127.0.0.1:${port}", url: "${origin}" }\n`;
  const served = await serving(t, more, (ports) => ({ ...ports, serves: true }));
  const service = await openDoorWithPages(t, served, port, origin, () => undefined);
  const browser = await chromium.launch({ args: [...CHROMIUM_ARGUMENTS], executablePath: findChromium() });
  t.after(() => browser.close());
  const context = await browser.newContext({ colorScheme });
  const page = await context.newPage();
  page.on("pageerror", (error) => assert.fail(error));
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", { options: DEVICE });
  const newLink = async (name: string): Promise<string> =>
    ok(await service.invite(OPERATOR, { days: 7, name, roles: ["approver"] })).value.link ??
    assert.fail("it is shown once");
  return { context, newLink, origin, page, service };
};

/** The picture is kept where somebody asks for it, to be looked at. */
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["DEDALUS_PICTURES"];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
};

for (const scheme of ["light", "dark"] as const)
  test(`an invitation is redeemed with a passkey, by which its owner signs in (${scheme})`, async (t) => {
    const { context, newLink, origin, page, service } = await invited(t, scheme);
    const link = await newLink("finn");
    await page.goto(link);
    await page.getByRole("button", { name: "Set a passkey" }).waitFor();
    assert.equal(
      await page.locator("#invited p").first().innerText(),
      "alice invites you as finn: approver in all environments.",
    );
    await picture(page, `invitation-${scheme}`);
    await page.getByRole("button", { name: "Set a passkey" }).click();
    await page.getByText("Your passkey is set.").waitFor();
    assert.equal(page.url(), `${origin}/invitation`, "the secret is gone from the address");
    await picture(page, `redeemed-${scheme}`);

    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).waitFor();
    await picture(page, `sign-in-${scheme}`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("You are signed in as finn.").waitFor();
    await picture(page, `signed-in-${scheme}`);
    const whoami = (await (await context.request.get(`${origin}/v1/whoami`)).json()) as {
      readonly actor: { readonly id: string };
    };
    assert.equal(whoami.actor.id, "finn");
    assert.deepEqual(ok(await service.people(OPERATOR, {})).value.people[0]?.invitedBy, "alice");

    await page.goto("about:blank");
    await page.goto(link);
    await page.getByText("This invitation was used, has ended, or never was.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Set a passkey" }).isVisible(), false);
  });

test("an invitation is redeemed with a token, which is shown once and is the inviter's making", async (t) => {
  const { newLink, origin, page, service } = await invited(t, "light");
  await page.goto(await newLink("gwen"));
  await page.getByRole("button", { name: "Show me a token instead" }).click();
  await page.getByText("Keep this token as a secret").waitFor();
  const token = await page.locator("#secret").innerText();
  const reply = await fetch(`${origin}/v1/whoami`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(reply.status, 200);
  const [listed] = ok(await service.tokens(OPERATOR, {})).value.tokens;
  assert.deepEqual([listed?.name, listed?.maker], ["gwen", "alice"]);
});

test("a passkey whose person an operator ended signs nobody in, nor does a device without one", async (t) => {
  const { newLink, origin, page, service } = await invited(t, "light");
  const signIn = async (): Promise<void> => {
    await page.goto(`${origin}/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  };
  await signIn();
  await page.getByText("The passkey was not used. You can try again.").waitFor();
  await page.goto(await newLink("finn"));
  await page.getByRole("button", { name: "Set a passkey" }).click();
  await page.getByText("Your passkey is set.").waitFor();
  ok(await service.signOut(OPERATOR, { name: "finn", reason: "left the team" }));
  await signIn();
  await page.getByText("This passkey is not known here.").waitFor();
});

test("a page runs no script, but for the one that asks a device", async (t) => {
  const { origin } = await invited(t, "light");
  const policy = async (path: string): Promise<string> =>
    (await fetch(`${origin}${path}`)).headers.get("content-security-policy") ?? "";
  assert.match(await policy("/sign-in"), /script-src 'self'; connect-src 'self'/);
  assert.doesNotMatch(await policy("/sign-in?hash=x"), /script-src|connect-src/);
});
