// B5 through a service: whatever a real `dedalus serve` says, writes, logs or sends is held against every secret that
// it was ever given, while requests of every domain fail.

import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { freePort } from "../../tools/servers/free-port.ts";
import { CLIENT, startOpenIdProvider } from "../../tools/servers/openid-provider.ts";
import { newKey } from "../boundary/at-door.ts";
import { cookieJar, signInAt } from "../boundary/identity/cookie-jar.ts";
import { receiving, SECRET as WEBHOOK_SECRET } from "../boundary/receiving.ts";
import { until } from "../service/bound.ts";
import { APPLY_TOKEN, atCluster, type Cluster, OBSERVE_TOKEN } from "./cluster.ts";
import { leaksIn, type Told } from "./leaks.ts";
import { type ServeProcess, startServe } from "./serve-process.ts";

const AWAY_TOKEN = "dedalus@pve!observe=33333333-3333-4333-8333-333333333333";
const SEALING_KEY = "a key that seals what browsers keep";
const ROOM = "T0000000/B0000000/slack-room-of-the-team";
const GUESS = "a-secret-that-somebody-guessed";

const last = (text: string, by: string): string => text.split(by).at(-1) ?? assert.fail("it has parts");

/** Of a token, what proves: its id is public. */
const secretOf = (token: string): string => token.replace(/^dedalus_[^_]+_/, "");

test("what is looked for is found, in whichever form it is told", () => {
  const secrets = new Map([["one", "a secret of mine"]]);
  const forms = ["a secret of mine", "a%20secret%20of%20mine", Buffer.from("a secret of mine").toString("base64")];
  for (const form of forms)
    assert.deepEqual(leaksIn([{ text: `before ${form} behind`, where: "here" }], secrets), ["one: here"], form);
  assert.deepEqual(leaksIn([{ text: "another secret of mine", where: "here" }], secrets), []);
});

type Story = {
  readonly cluster: Cluster;
  /** Keeps what a command prints. */
  readonly print: (...argv: readonly string[]) => Promise<string>;
  readonly secrets: Map<string, string>;
  readonly told: Told[];
};

type Asking = { readonly body?: string; readonly headers?: Readonly<Record<string, string>>; readonly token?: string };

/** Keeps whatever comes back, but for the cookie that a browser is given. */
const askAt =
  (url: string, told: Told[]) =>
  async (path: string, { body, headers = {}, token }: Asking = {}): Promise<Response> => {
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
    told.push({ text: `${JSON.stringify(shown)}${await reply.clone().text()}`, where: path });
    return reply;
  };

/** What others on the machine can see of the process. */
const seenOf = ({ child: { pid } }: ServeProcess): readonly Told[] =>
  ["cmdline", "environ"].map((name) => ({ text: readFileSync(`/proc/${pid}/${name}`, "latin1"), where: name }));

const serviceText = (port: number, hook: string, oidc = ""): string => `service:
  listen: 127.0.0.1:${port}
  url: http://localhost:${port}
  sealingKey: { file: secrets/sealing }
  webhooks:
    - { format: standard, url: "${hook}", secret: { file: secrets/webhook }, events: [approval-requested, outcome] }
    - { format: slack, url: { file: secrets/slack }, events: [approval-requested] }
${oidc}`;

const ENVIRONMENT = (name: string, url: string): string => `  ${name}:
    adapter: proxmox
    url: ${url}
    tls: { verify: system }
    credentials: { observe: { file: secrets/${name} } }
    approval: four-eyes
    maxObservationAge: 60 s
    desired: ${name}.yaml
`;

const ended = async (serving: ServeProcess, told: Told[]): Promise<void> => {
  told.push(...seenOf(serving));
  serving.child.kill("SIGTERM");
  assert.equal(await serving.ended(), 0, serving.log());
  told.push({ text: serving.log(), where: "log" });
};

/** Tokens, an invitation, a step that is applied, and requests that fail in every domain. */
const withTokens = async ({ cluster, print, secrets, told }: Story, t: TestContext): Promise<void> => {
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
  const invitation = { body: JSON.stringify({ secret }) };
  assert.equal((await ask("/invitation/options", invitation)).status, 200);
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

/** Somebody signs in by a provider, is shown pages, and comes back with what was used. */
const withPeople = async ({ cluster, secrets, told }: Story, t: TestContext, port: number): Promise<void> => {
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
  told.push({ text: page.body, where: "page of the signed in" });
  const cookie = jar.cookies(origin);
  assert.match(cookie, /^__Host-/);
  secrets.set("cookie of a session", cookie.slice(cookie.indexOf("=") + 1).split(";")[0] ?? "");
  const ask = askAt(origin, told);
  assert.equal((await ask("/v1/whoami", { headers: { cookie } })).status, 200);
  assert.ok((await ask(new URL(back).pathname + new URL(back).search, { headers: { cookie } })).status >= 400);
  assert.ok((await ask("/sign-in/callback?error=access_denied&state=x", { headers: { cookie } })).status >= 400);
  assert.ok((await ask("/v1/plans", { body: "{}", headers: { cookie } })).status >= 400, "without its csrf token");
  for (const path of ["/v1/whoami", "/signed-in", "/sign-in"]) await ask(path, { headers: { cookie: `${cookie}x` } });
  await ended(serving, told);
};

const filesIn = (folder: string): readonly Told[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/(?:secrets|keys)$/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ text: readFileSync(file, "latin1"), where: file }));

test("B5 cannot have a secret told by a service: no answer, page, log line, metric, message, record or file has one", async (t) => {
  await atCluster(async (cluster) => {
    const { folder } = cluster;
    const [port, receiver] = [await freePort(), await receiving(t)];
    const provider = await startOpenIdProvider({ "u-1": { groups: ["sre"], name: "ada" } }, [
      `http://localhost:${port}/sign-in/callback`,
    ]);
    t.after(provider.close);
    const secrets = new Map([
      ["observe token", last(OBSERVE_TOKEN, "=")],
      ["apply token", last(APPLY_TOKEN, "=")],
      ["token of away", last(AWAY_TOKEN, "=")],
      ["sealing key", SEALING_KEY],
      ["secret of a webhook", last(WEBHOOK_SECRET, "_")],
      ["address of a room", ROOM],
      ["secret of the client", CLIENT.secret],
      ["what was guessed", GUESS],
    ]);
    const files = {
      away: AWAY_TOKEN,
      client: CLIENT.secret,
      sealing: SEALING_KEY,
      slack: `${receiver.url}/${ROOM}`,
      twin: OBSERVE_TOKEN,
      webhook: WEBHOOK_SECRET,
    };
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, "secrets", name), text, { mode: 0o600 });
    const environments = `${ENVIRONMENT("away", "https://127.0.0.1:1")}${ENVIRONMENT("twin", cluster.simulator.url)}`;
    appendFileSync(join(folder, "dedalus.yaml"), environments);
    const before = readFileSync(join(folder, "dedalus.yaml"), "utf8");
    const told: Told[] = [];
    const print: Story["print"] = async (...argv) => {
      const { err, out } = await cluster.dedalus(...argv);
      told.push({ text: `${out}${err}`, where: argv.join(" ") });
      return out;
    };
    const story: Story = { cluster, print, secrets, told };
    writeFileSync(join(folder, "dedalus.yaml"), `${before}${serviceText(port, receiver.url)}`);
    await withTokens(story, t);
    const oidc = `  oidc:
    issuer: ${provider.issuer}
    clientId: ${CLIENT.id}
    clientSecret: { file: secrets/client }
    groups: { sre: { roles: [operator, approver], environments: all } }
`;
    writeFileSync(join(folder, "dedalus.yaml"), `${before}${serviceText(port, receiver.url, oidc)}`);
    await withPeople(story, t, port);
    await until("the messages", () => receiver.received.some(({ body }) => body.includes('"type":"outcome"')));
    for (const words of ["ledger show --json", "ledger export --out audit", "doctor --json", "doctor", "token list"])
      await print(...words.split(" "));
    for (const { body, headers } of receiver.received)
      told.push({ text: `${JSON.stringify(headers)}${body}`, where: "message" });
    told.push(...filesIn(folder));

    const text = told.map((one) => one.text).join("\n");
    for (const happened of [
      "secret-shared",
      "sign-in",
      "invitation-refused",
      "webhook-delivered",
      "approval-requested",
    ])
      assert.ok(text.includes(happened), `${happened} happened`);
    assert.deepEqual(leaksIn(told, secrets), []);
    assert.equal(secrets.size, 17, "each of them was there");
  });
});
