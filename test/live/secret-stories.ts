// What happens at a service that was given secrets: people, tokens, agents, and requests that fail in every domain.
// Whatever comes back is kept, and so is every secret that is handed out on the way.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { CSRF_HEADER } from "../../src/boundary/contract/console-session.ts";
import { sealerOf } from "../../src/boundary/identity/browser-seal.ts";
import { now } from "../../src/clock.ts";
import type { OpenIdProvider } from "../../tools/servers/openid-provider.ts";
import { newKey } from "../boundary/at-door.ts";
import { cookieJar, signInAt } from "../boundary/identity/cookie-jar.ts";
import { headersOf, messageOf } from "../boundary/mcp/agents.ts";
import type { Cluster } from "./cluster.ts";
import type { Secret, Told } from "./leaks.ts";
import { type ServeProcess, startServe } from "./serve-process.ts";

export const SEALING_KEY = "a key that seals what browsers keep";
export const GUESS = "a-secret-that-somebody-guessed";

export const last = (text: string, by: string): string => text.split(by).at(-1) ?? assert.fail("it has parts");

/** Of a token, what proves: its id is public. */
const secretOf = (token: string): string => token.replace(/^dedalus_[^_]+_/, "");

export type Story = {
  readonly cluster: Cluster;
  /** Keeps what a command prints. */
  readonly print: (...argv: readonly string[]) => Promise<string>;
  readonly secrets: Map<string, Secret>;
  readonly told: Told[];
};

type Asking = {
  readonly body?: string;
  readonly hands?: Told["hands"];
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
};

/** Keeps whatever comes back, but for the cookie that a browser is given. */
const askAt =
  (url: string, told: Told[]) =>
  async (path: string, { body, hands = [], headers = {}, token }: Asking = {}): Promise<Response> => {
    const reply = await fetch(`${url}${path}`, {
      ...(body === undefined ? {} : { body, method: "POST" }),
      headers: {
        "content-type": "application/json",
        "idempotency-key": newKey(),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      redirect: "manual",
      signal: AbortSignal.timeout(20_000),
    });
    const shown = [...reply.headers].filter(([name]) => name !== "set-cookie");
    told.push({ hands, text: `${JSON.stringify(shown)}${await reply.clone().text()}`, where: path });
    return reply;
  };

/** What others on the machine can see of the process. */
const seenOf = ({ child: { pid } }: ServeProcess): readonly Told[] =>
  ["cmdline", "environ"].map((name) => ({ text: readFileSync(`/proc/${pid}/${name}`, "latin1"), where: name }));

const ended = async (serving: ServeProcess, told: Told[]): Promise<void> => {
  told.push(...seenOf(serving));
  serving.child.kill("SIGTERM");
  assert.equal(await serving.ended(), 0, serving.log());
  told.push({ text: serving.log(), where: "log" });
};

/** Tokens, an invitation, a step that is applied, and requests that fail in every domain. */
export const withTokens = async ({ cluster, print, secrets, told }: Story, t: TestContext): Promise<void> => {
  const made = async (name: string, role: string): Promise<string> => {
    const shown = await cluster.dedalus("token", "create", "--name", name, "--role", role, "--days", "2", "--json");
    const { token } = JSON.parse(shown.out) as { readonly token: string };
    secrets.set(`token of ${name}`, secretOf(token));
    return token;
  };
  const [olga, robo, audrey, gone] = [
    await made("olga", "operator"),
    await made("robo", "agent"),
    await made("audrey", "auditor"),
    await made("gone", "operator"),
  ];
  const invited = await cluster.dedalus("invite", "gwen", "--role", "approver", "--json");
  const secret = last((JSON.parse(invited.out) as { readonly link: string }).link, "#");
  secrets.set("invitation", secret);
  await print("token", "revoke", "--name", "gone");

  const serving = await startServe(cluster.folder);
  t.after(() => serving.child.kill("SIGKILL"));
  const ask = askAt(serving.url, told);
  for (const path of ["/healthz", "/readyz", "/openapi.json", "/sign-in", "/invitation", "/v1/nothing"])
    await ask(path);
  const post = (body: unknown, token = olga): Asking => ({ body: JSON.stringify(body), token });
  const invitation = { body: JSON.stringify({ secret }), hands: ["challenge of a passkey"] };
  const offered = await ask("/invitation/options", invitation);
  assert.equal(offered.status, 200);
  secrets.set("challenge of a passkey", ((await offered.json()) as { readonly challenge: string }).challenge);
  await ask("/invitation/options", { body: JSON.stringify({ secret: GUESS }) });
  const redeemed = await fetch(`${serving.url}/invitation/redeem`, {
    body: JSON.stringify({ secret, token: true }),
    headers: { "content-type": "application/json" },
    method: "POST",
  });
  const gwen = ((await redeemed.json()) as { readonly token: string }).token;
  secrets.set("token that an invitation set", secretOf(gwen));
  await ask("/invitation/options", invitation);

  const planned = await ask("/v1/plans", post({ environment: "home", scope: "all" }));
  assert.equal(planned.status, 201);
  const { id } = (await planned.json()) as { readonly id: string };
  const step = `/v1/plans/${id}/steps/1`;
  assert.ok((await ask(`${step}/approval-requests`, post({}))).ok);
  const challenged = await ask(`${step}/challenges`, post({}));
  const { challenge } = (await challenged.json()) as { readonly challenge: { readonly hash: string } };
  const applied = await ask(`${step}/applies`, {
    ...post({ confirmation: { explanation: challenge.hash } }),
    headers: { prefer: "wait=20" },
  });
  assert.ok(applied.ok, `${applied.status}`);

  await withAgent({ ask, secrets, token: robo });

  // Input, kernel, transport and validation; and secrets where nobody expects them.
  const failing: readonly (readonly [string, Asking])[] = [
    ["/v1/plans", post({ environment: "away", scope: "all" })],
    ["/v1/plans", post({ environment: "twin", scope: "all" })],
    ["/v1/plans", post({ environment: "nowhere", scope: "all" })],
    ["/v1/plans", { body: '{"environment": "home",', token: olga }],
    ["/v1/plans", post({ environment: 7, more: true })],
    ["/v1/plans", post({ environment: "home", scope: "all" }, gone)],
    ["/v1/plans", post({ environment: "home", scope: "all" }, `${olga.slice(0, -20)}${GUESS}`)],
    [`${step}/approvals`, post({ reason: "seen" }, robo)],
    [`${step}/approvals`, post({ explanation: "0".repeat(64), reason: "seen" }, gwen)],
    [`/v1/plans/01ARZ3NDEKTSV4RRFFQ69G5FAV/steps/1/approvals`, post({ reason: "seen" }, gwen)],
    ["/v1/records", { token: robo }],
    ["/v1/records?from=nothing", { token: audrey }],
    ["/metrics", { token: robo }],
    ["/v1/whoami", { headers: { authorization: `Basic ${Buffer.from(`olga:${olga}`).toString("base64")}` } }],
    ["/v1/whoami", { headers: { authorization: olga } }],
    ["/v1/whoami", { headers: { cookie: `__Host-dedalus=${GUESS}` } }],
    ["/v1/whoami", { headers: { host: "elsewhere.example" } }],
  ];
  for (const [path, asking] of failing) {
    const reply = await ask(path, asking);
    assert.ok(reply.status >= 400, `${path} ${reply.status}`);
  }
  // In an address it is in the logs of everything in between; it is in none of ours.
  await fetch(`${serving.url}/v1/whoami?token=${olga}`);
  await fetch(`${serving.url}/v1/plans/${olga}`, { headers: { authorization: `Bearer ${olga}` } });
  const reads = ["/metrics", "/v1/whoami", "/v1/records", "/v1/export", "/v1/people", "/v1/tokens", "/v1/status"];
  for (const path of reads) await ask(path, { token: audrey });
  await ended(serving, told);
};

/** An agent is told to bring people to a page, and brings back what was sealed for it. */
const withAgent = async ({
  ask,
  secrets,
  token,
}: Pick<Story, "secrets"> & { readonly ask: ReturnType<typeof askAt>; readonly token: string }): Promise<void> => {
  const name = "what was sealed for an agent";
  const call = async (tool: string, given: object, more: object = {}): Promise<string> => {
    const message = messageOf("tools/call", { arguments: given, name: tool, ...more }, { elicitation: { url: {} } });
    return (
      await ask("/mcp", { body: JSON.stringify(message), hands: [name], headers: headersOf(message), token })
    ).text();
  };
  const planned = await call("plan_action", { action: { kind: "vm.reboot" }, environment: "home", vm: 102 });
  const [, plan = assert.fail(planned)] = /"answer":\{.*?"id":"([0-9A-Z]{26})"/s.exec(planned) ?? [];
  const given = { plan, step: { number: 1 } };
  const asked = await call("request_approval", given);
  const [, requestState = assert.fail(asked)] = /"requestState":"([^"]+)"/.exec(asked) ?? [];
  secrets.set(name, requestState);
  for (const state of [requestState, `${requestState}x`])
    await call("request_approval", given, { requestState: state });
};

/** Somebody signs in by a provider, is shown pages, and comes back with what was used. */
export const withPeople = async (
  { cluster, secrets, told }: Story,
  t: TestContext,
  port: number,
  provider: OpenIdProvider,
): Promise<void> => {
  const serving = await startServe(cluster.folder);
  t.after(() => serving.child.kill("SIGKILL"));
  const origin = `http://localhost:${port}`;
  const jar = cookieJar();
  const back = await signInAt(jar, `${origin}/sign-in`, "u-1", (url) => url.pathname === "/sign-in/callback");
  const code = new URL(back).searchParams.get("code") ?? assert.fail("it comes back with a code");
  secrets.set("code of the provider", code);
  const flow = jar.cookies(origin);
  secrets.set("cookie of a sign-in under way", flow.slice(flow.indexOf("=") + 1));
  const page = await jar.get(back);
  const [csrf = assert.fail("it has a form")] = page.body.match(/(?<=name="csrf" value=")[^"]+/) ?? [];
  secrets.set("word of a page", csrf);
  told.push({ hands: ["word of a page"], text: page.body, where: "page of the signed in" });
  const [issued = assert.fail("a code was used")] = await provider.issued();
  secrets.set("id token", issued.id_token).set("access token", issued.access_token);
  const cookie = jar.cookies(origin);
  assert.match(cookie, /^__Host-/);
  secrets.set("cookie of a session", cookie.slice(cookie.indexOf("=") + 1).split(";")[0] ?? "");
  const sealed = String(secrets.get("cookie of a session"));
  const { token } = Object(sealerOf(SEALING_KEY, () => "").open("session", sealed, now()));
  secrets.set("token of a session", secretOf(token));
  const ask = askAt(origin, told);
  assert.equal((await ask("/v1/whoami", { headers: { cookie } })).status, 200);
  const word = { cookie, [CSRF_HEADER]: csrf };
  assert.ok((await ask("/v1/plans", { body: '{"environment": "nowhere"}', headers: word })).status >= 400);
  assert.ok((await ask(new URL(back).pathname + new URL(back).search, { headers: { cookie } })).status >= 400);
  assert.ok((await ask("/sign-in/callback?error=access_denied&state=x", { headers: { cookie } })).status >= 400);
  assert.ok((await ask("/v1/plans", { body: "{}", headers: { cookie } })).status >= 400, "without its csrf token");
  for (const path of ["/v1/whoami", "/signed-in", "/sign-in"]) await ask(path, { headers: { cookie: `${cookie}x` } });
  await ended(serving, told);
};
