// A service with people in real browsers, each with a passkey of their own, and an agent that asks: what an approval
// takes place in.

import assert from "node:assert/strict";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { ulids } from "../../../src/ids.ts";
import type { Role } from "../../../src/kernel/command/roles.ts";
import type { LedgerRecord } from "../../../src/ledger/record/record.ts";
import type { Caller } from "../../../src/service/hold/callers.ts";
import type { LocalService } from "../../../src/service/local-service.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../../tools/servers/chromium.ts";
import { freePort } from "../../../tools/servers/free-port.ts";
import { bearer, type Ending, OPERATOR, ok, type Serving, serving } from "../../service/serving.ts";
import { openDoorWithPages } from "../identity/at-sign-in.ts";

export type Person = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The word of their session, as their own pages have it. */
  readonly csrf: () => Promise<string>;
};

export type AtApproval = {
  /** A plan of the agent's, to start web-01, and the address of its step. */
  readonly asked: (by?: Caller) => Promise<{ readonly path: string; readonly plan: string }>;
  readonly decisions: () => Promise<readonly LedgerRecord[]>;
  readonly origin: string;
  /** Invited, with a passkey, and signed in. */
  readonly person: (name: string, roles: readonly Role[], look?: Look) => Promise<Person>;
  readonly robo: Caller;
  readonly roboToken: string;
  readonly served: Serving;
  readonly service: LocalService;
};
/** Where they may what, and how their browser is. */
export type Look = {
  readonly colorScheme?: "dark" | "light";
  /** All of them where none is said. */
  readonly environments?: readonly string[];
  readonly width?: number;
};

const DEVICE = {
  automaticPresenceSimulation: true,
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  protocol: "ctap2",
  transport: "internal",
} as const;

const nextId = ulids();
export const keyed = (caller: Caller): Caller => ({ ...caller, key: nextId() });

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ args: [...CHROMIUM_ARGUMENTS], executablePath: findChromium() });

export const atApproval = async (
  t: Ending,
  browser: Browser,
  console?: Parameters<typeof openDoorWithPages>[5],
): Promise<AtApproval> => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const more = `service: { listen: "127.0.0.1:${port}", url: "${origin}", sessions: { idleMinutes: 90 } }\n`;
  const served = await serving(t, more, (ports) => ({ ...ports, serves: true }), "four-eyes");
  const service = await openDoorWithPages(t, served, port, origin, () => undefined, console);
  const made = ok(await service.createToken(OPERATOR, { days: 1, name: "robo", roles: ["agent"] }));
  const roboToken = made.value.token ?? assert.fail("it is shown once");
  const robo = bearer(roboToken);
  const person: AtApproval["person"] = async (name, roles, look = {}) => {
    const { link = "" } = ok(await service.invite(OPERATOR, { days: 7, name, roles, ...environmentsOf(look) })).value;
    const invited = await personAt(browser, origin, name, link, look);
    t.after(() => invited.context.close());
    return invited;
  };
  const asked: AtApproval["asked"] = async (by = robo) => {
    const { value } = ok(await service.makePlan(keyed(by), { environment: "home", scope: "all" }));
    return { path: `${origin}/approve/${value.id}/1`, plan: value.id };
  };
  const decisions = async (): Promise<readonly LedgerRecord[]> =>
    (await served.records()).filter(({ kind }) => kind === "approve" || kind === "deny");
  return { asked, decisions, origin, person, robo, roboToken, served, service };
};

const environmentsOf = ({ environments }: Look) => (environments === undefined ? {} : { environments });

/** Somebody who follows the link of their invitation, sets a passkey and signs in with it. */
export const personAt = async (
  browser: Browser,
  origin: string,
  name: string,
  link: string,
  { colorScheme = "light", width = 1000 }: Look = {},
): Promise<Person> => {
  const context = await browser.newContext({ colorScheme, viewport: { height: 900, width } });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  page.on("pageerror", (error) => assert.fail(error));
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", { options: DEVICE });
  await page.goto(link);
  await page.getByRole("button", { name: "Set a passkey" }).click();
  await page.getByText("Your passkey is set.").waitFor();
  await page.goto(`${origin}/sign-in`);
  await signInWithPasskey(page);
  await page.getByText(`You are signed in as ${name}.`).waitFor();
  const csrf = async (): Promise<string> => {
    const body = await (await context.request.get(`${origin}/signed-in`)).text();
    return /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? assert.fail(body);
  };
  return { context, csrf, page };
};

export const signInWithPasskey = (page: Page): Promise<void> =>
  page.getByRole("button", { name: "Sign in with a passkey" }).click();

/** The picture is kept where somebody asks for it, to be looked at. */
export const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["DEDALUS_PICTURES"];
  if (folder !== undefined) await page.screenshot({ fullPage: true, path: `${folder}/${name}.png` });
};
