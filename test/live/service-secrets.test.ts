// B5 through a service: whatever a real `dedalus serve` says, writes, logs or sends is held against every secret that
// it was ever given, while requests of every domain fail.

import assert from "node:assert/strict";
import { hkdfSync } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { freePort } from "../../tools/servers/free-port.ts";
import { CLIENT, startOpenIdProvider } from "../../tools/servers/openid-provider.ts";
import { receiving, SECRET as WEBHOOK_SECRET } from "../boundary/receiving.ts";
import { postgresDesk, sql } from "../ledger/postgres-desk.ts";
import { until } from "../service/bound.ts";
import { APPLY_TOKEN, atCluster, OBSERVE_TOKEN } from "./cluster.ts";
import { formsOf, leaksIn, type Secret, type Told } from "./leaks.ts";
import { GUESS, last, SEALING_KEY, type Story, withPeople, withTokens } from "./secret-stories.ts";

const AWAY_TOKEN = "dedalus@pve!observe=33333333-3333-4333-8333-333333333333";
const ROOM = "T0000000/B0000000/slack-room-of-the-team";

/** What is derived from the sealing key: what browsers keep, and what agents bring back, is sealed with these. */
const SEALED_FOR = ["author", "mcp-request-state", "passkey", "reason", "session", "sign-in"] as const;
const KEYS = SEALED_FOR.map(
  (purpose) => [`key for ${purpose}`, new Uint8Array(hkdfSync("sha256", SEALING_KEY, "dedalus", purpose, 32))] as const,
);

test("what is looked for is found, in whichever form it is told", () => {
  const secrets = new Map([["one", "a secret of mine"]]);
  const forms = ["a secret of mine", "a%20secret%20of%20mine", Buffer.from("a secret of mine").toString("base64")];
  for (const form of forms)
    assert.deepEqual(leaksIn([{ text: `before ${form} behind`, where: "here" }], secrets), ["one: here"], form);
  assert.deepEqual(leaksIn([{ text: "another secret of mine", where: "here" }], secrets), []);
});

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

const filesIn = (folder: string): readonly Told[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/(?:secrets|keys)$/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ text: readFileSync(file, "latin1"), where: file }));

/** A row as the database writes it, and the bytes in it as the text that they are. */
const rowText = (row: string): string =>
  row +
  Array.from(row.matchAll(/\\x([0-9a-f]{2,})/g), ([, hex = ""]) => Buffer.from(hex, "hex").toString("latin1")).join(
    "\n",
  );

/** Every row of every table, as a person at the database reads it. */
const rowsAt = async (url: string): Promise<readonly Told[]> => {
  const tables = await sql(
    url,
    "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
  );
  const told: Told[] = [];
  for (const { name } of tables)
    for (const { text } of await sql(url, `SELECT one::text AS text FROM ${name} AS one`))
      told.push({ text: rowText(String(text)), where: `table ${name}` });
  assert.ok(
    told.some(({ text }) => text.includes("request-approval")),
    "the records are among them",
  );
  return told;
};

suite("the secrets of a service on PostgreSQL", () => {
  const { fresh, server } = postgresDesk();

  test("B5 cannot have a secret told by a service: no answer, page, log line, metric, message, record or file has one", async (t) => {
    const { where } = await fresh();
    await atCluster(
      async (cluster) => {
        const { folder } = cluster;
        const [port, receiver] = [await freePort(), await receiving(t)];
        const provider = await startOpenIdProvider({ "u-1": { groups: ["sre"], name: "ada" } }, [
          `http://localhost:${port}/sign-in/callback`,
        ]);
        t.after(provider.close);
        const secrets = new Map<string, Secret>([
          ...KEYS,
          ["password of the ledger", decodeURIComponent(new URL(where).password)],
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
        await withPeople(story, t, port, provider);
        await until("the messages", () => receiver.received.some(({ body }) => body.includes('"type":"outcome"')));
        for (const words of [
          "ledger show --json",
          "ledger export --out audit",
          "doctor --json",
          "doctor",
          "token list",
        ])
          await print(...words.split(" "));
        for (const { body, headers } of receiver.received)
          told.push({ text: `${JSON.stringify(headers)}${body}`, where: "message" });
        told.push(...filesIn(folder), ...(await rowsAt(where)));
        // A ledger that cannot be reached, with the password and with another one.
        writeFileSync(join(folder, "secrets", "ledger"), where.replace(new URL(where).password, GUESS), {
          mode: 0o600,
        });
        assert.match(await print("status", "--json"), /"ok":false|"error"/);
        writeFileSync(join(folder, "secrets", "ledger"), where, { mode: 0o600 });
        await server().kill();
        for (const words of ["status --json", "doctor", "doctor --json"]) await print(...words.split(" "));
        await server().restart();

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
        assert.equal(secrets.size, 30, "each of them was there");
        const log = told.find(({ where }) => where === "log") ?? assert.fail("it wrote a log");
        for (const [name, secret] of secrets)
          for (const form of formsOf(secret))
            assert.deepEqual(leaksIn([{ ...log, text: `${log.text}${form}\n` }], secrets), [`${name}: log`]);
      },
      { ledgerUrl: where },
    );
  });
});
