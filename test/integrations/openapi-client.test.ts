// A client that is made from the OpenAPI file alone, by tools of others, plays the story of a team against a real
// `dedalus serve`; and a file that says otherwise than the service does not get through.

import assert from "node:assert/strict";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { freePort } from "../../tools/servers/free-port.ts";
import { CLIENT, startOpenIdProvider } from "../../tools/servers/openid-provider.ts";
import { ROOT } from "../../tools/sources.ts";
import type { Printed } from "../cli/desk.ts";
import { atCluster, type Cluster } from "../live/cluster.ts";
import { startServe } from "../live/serve-process.ts";
import { sessionOf } from "../live/terminal-sign-in.ts";
import { type IntegrationPackage, installIntegration } from "./integration-package.ts";

const DESCRIPTION = join(ROOT, "schemas/openapi.json");
const GENERATE = "node_modules/openapi-typescript/bin/cli.js";
const COMPILE = "node_modules/typescript/bin/tsc";

const PEOPLE = { "u-1": { groups: ["sre"], name: "ada" }, "u-2": { groups: ["leads"], name: "grace" } };

const serviceText = (port: number, issuer: string): string => `service:
  listen: 127.0.0.1:${port}
  url: http://127.0.0.1:${port}
  oidc:
    issuer: ${issuer}
    clientId: ${CLIENT.id}
    clientSecret: { file: secrets/oidc }
    groups:
      sre: { roles: [operator, approver, auditor], environments: all }
      leads: { roles: [approver], environments: all }
`;

/** Two people who signed in and an agent, at a service of their own. */
const serveTeam = async (
  { dedalus, folder }: Cluster,
  work: (env: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> => {
  const robo = await dedalus("token", "create", "--name", "robo", "--role", "agent", "--days", "2", "--json");
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const provider = await startOpenIdProvider(PEOPLE, [`${origin}/sign-in/callback`]);
  appendFileSync(join(folder, "dedalus.yaml"), serviceText(port, provider.issuer));
  writeFileSync(join(folder, "secrets/oidc"), CLIENT.secret, { mode: 0o600 });
  try {
    const { child, ended } = await startServe(folder);
    try {
      await work({
        AGENT_TOKEN: JSON.parse(robo.out).token,
        APPROVER_TOKEN: await sessionOf(origin, "u-2"),
        DEDALUS_SERVER: origin,
        OPERATOR_TOKEN: await sessionOf(origin, "u-1"),
      });
    } finally {
      child.kill("SIGTERM");
      assert.equal(await ended(), 0);
    }
  } finally {
    await provider.close();
  }
};

/** The client as it is, in a folder of its own, with the types of another description. */
const copied = (t: TestContext, { folder }: IntegrationPackage): string => {
  const copy = mkdtempSync(join(tmpdir(), "dedalus-openapi-client-"));
  t.after(() => rmSync(copy, { force: true, recursive: true }));
  cpSync(folder, copy, { filter: (path) => !/\/(?:node_modules|generated)$/.test(path), recursive: true });
  symlinkSync(join(folder, "node_modules"), join(copy, "node_modules"));
  return copy;
};

/** Types from a description, and the client's sources against them. */
const compiled = async ({ run }: IntegrationPackage, cwd: string, description: string): Promise<Printed> => {
  const generated = await run([GENERATE, description, "-o", "generated/openapi.ts"], { cwd });
  assert.equal(generated.code, 0, generated.err);
  return run([COMPILE, "-p", "."], { cwd });
};

/** The OpenAPI file with one thing said otherwise. */
const planted = (folder: string, was: string, is: string): string => {
  const text = readFileSync(DESCRIPTION, "utf8");
  assert.ok(text.includes(was), was);
  const file = join(folder, "planted.json");
  writeFileSync(file, text.replaceAll(was, is));
  return file;
};

test("a client made from the OpenAPI file plays the story of two people and an agent, with four eyes", async (t) => {
  const client = await installIntegration("openapi-client");
  const { code, out } = await compiled(client, client.folder, DESCRIPTION);
  assert.equal(code, 0, out);
  await atCluster(
    (cluster) =>
      serveTeam(cluster, async (env) => {
        const lying = planted(copied(t, client), '"approvedBy"', '"approvedByPerson"');
        const stopped = await client.run(["main.ts", lying], { env });
        assert.equal(stopped.code, 1);
        assert.match(
          stopped.err,
          /not as described: POST \/v1\/plans: .*must have required property 'approvedByPerson'/,
        );

        const played = await client.run(["main.ts", DESCRIPTION], { env });
        assert.equal(played.code, 0, played.err);
        const told = JSON.parse(played.out);
        assert.deepEqual(told.refusedCodes, ["approval-own", "approval-missing"]);
        const paths = cluster.mutations().map((call) => call.replace(/^POST .*\/(\d+\/status\/\w+)$/, "$1"));
        assert.deepEqual(paths, ["102/status/stop", "101/status/start"]);
        const { records } = await cluster.value<{
          readonly records: readonly { readonly body: { readonly request: object }; readonly seq: number }[];
        }>("ledger", "show", "--kind", "outcome");
        const ends = records.map(({ body, seq }) => [Object(body.request).intent, Object(body.request).outcome, seq]);
        assert.deepEqual(ends[0], [told.intent, "succeeded", told.outcomeSeq]);
        assert.deepEqual(ends[1]?.slice(0, 2), [told.agentIntent, "succeeded"]);
        writeFileSync(join(cluster.folder, "its.tlog-proof"), told.proof);
        assert.equal((await cluster.dedalus("ledger", "verify", "--proof", "its.tlog-proof")).code, 0);
      }),
    { approval: "four-eyes" },
  );
});

test("a file in which a member has another name gives types that the client does not fit", async (t) => {
  const client = await installIntegration("openapi-client");
  const copy = copied(t, client);
  const { code, out } = await compiled(client, copy, planted(copy, '"planId"', '"ofPlan"'));
  assert.notEqual(code, 0);
  assert.match(out, /four-eyes\.ts\(\d+,\d+\): error TS\d+: .*'planId'/);
});
