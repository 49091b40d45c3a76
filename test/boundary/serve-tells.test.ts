// dedalus serve tells: its log, its numbers to whoever may examine it, and its receivers, with no secret in any of
// them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startServing } from "../../src/boundary/serving-process.ts";
import type { WebhookConfig } from "../../src/formats/dedalus/dedalus-webhooks.ts";
import type { Ports } from "../../src/service/ports.ts";
import { until } from "../service/bound.ts";
import { OPERATOR, ok, serving } from "../service/serving.ts";
import { newKey } from "./at-door.ts";
import { headersOf, LEGACY, messageOf } from "./mcp/agents.ts";
import { receiving, SECRET } from "./receiving.ts";
import { telling } from "./telling.ts";

test("a process that serves logs requests, shows its numbers and tells its receivers", async (t) => {
  const [receiver, told] = [await receiving(t), telling()];
  let ports: Ports | undefined;
  const served = await serving(t, "", (given) => {
    ports = given;
    return given;
  });
  const { configuration, open } = served;
  const first = open();
  const tokenOf = async (name: string, role: "agent" | "auditor" | "observer" | "operator") =>
    ok(await first.createToken(OPERATOR, { days: 1, name, roles: [role] })).value.token ?? assert.fail("shown once");
  const [agent, auditor, observer, operator] = [
    await tokenOf("robo", "agent"),
    await tokenOf("audrey", "auditor"),
    await tokenOf("oscar", "observer"),
    await tokenOf("olga", "operator"),
  ];
  await first.close();
  const webhook: WebhookConfig = {
    events: ["approval-requested"],
    format: "standard",
    secret: { env: "WEBHOOK" },
    url: receiver.url,
  };
  const service = {
    drainSeconds: 1,
    listen: "127.0.0.1:7400",
    sessions: { hours: 12, idleMinutes: 30 },
    url: "http://localhost:7400",
    webhooks: [webhook],
  };
  const given = { ...configuration, config: { ...configuration.config, service } };
  served.written.config = given.config;
  const process = await startServing({
    approveCommand: (plan, step) => `dedalus approve ${plan} --step ${step}`,
    configuration: given,
    drainSeconds: 1,
    findingWords: ({ check, code }) => ({ detail: code, title: check }),
    host: "127.0.0.1",
    mcpTools: '{"tools":[]}',
    openapi: "{}",
    port: 0,
    ports: ports ?? assert.fail("they were given"),
    secret: () => SECRET,
    telemetry: told.telemetry,
  });
  assert.ok(!("refusals" in process), JSON.stringify(process));
  const { url } = process;
  const ask = async (token: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await fetch(`${url}${path}`, {
      ...(body === undefined ? {} : { body: JSON.stringify(body), method: "POST" }),
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "idempotency-key": newKey(),
        ...headers,
      },
    });
    return { status: reply.status, text: await reply.text() };
  };
  const planned = await ask(operator, "/v1/plans", { environment: "home", scope: "all" });
  assert.equal(planned.status, 201, planned.text);
  const { id } = JSON.parse(planned.text) as { readonly id: string };
  const asked = await ask(operator, `/v1/plans/${id}/steps/1/approval-requests`, {});
  assert.ok(asked.status < 300, asked.text);
  await until("the message", () => told.of("webhook-delivered").length === 1);
  assert.match(receiver.received[0]?.body ?? "", new RegExp(`"url":"http://localhost:7400/approve/${id}/1"`));

  const scraped = await ask(auditor, "/metrics");
  assert.equal(scraped.status, 200, scraped.text);
  for (const line of [
    'dedalus_blocked_vms{environment="home"} 0',
    "dedalus_follower_lag_records 0",
    "dedalus_ledger_read_only 0",
    'dedalus_webhook_deliveries_total{receiver="standard-1",result="delivered"} 1',
    'dedalus_webhook_lag_records{receiver="standard-1"} 0',
  ])
    assert.ok(scraped.text.includes(`${line}\n`), line);
  assert.equal((await ask(observer, "/metrics")).status, 403);
  const home = await fetch(url);
  assert.deepEqual([home.status, home.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
  const links = Array.from((await home.text()).matchAll(/href="([^"]+)"/g), ([, to = ""]) => to);
  assert.deepEqual(links, ["/sign-in", "/openapi.json", "/readyz", "/healthz"]);
  for (const to of links) assert.ok((await fetch(`${url}${to}`, { redirect: "manual" })).status < 400, to);
  assert.equal((await fetch(`${url}/metrics`)).status, 401);

  const traces = ["0af7651916cd43dd8448eb211c80319c", "1af7651916cd43dd8448eb211c80319c"];
  const [brought = "", beside = ""] = traces.map((trace) => `00-${trace}-b7ad6b7169203331-01`);
  const list = messageOf("tools/call", { arguments: {}, name: "list_vms" });
  const params = Object(list["params"]);
  const traced = { ...list, params: { ...params, _meta: { ...params._meta, traceparent: brought } } };
  const begun = { ...list, params: { _meta: { traceparent: brought }, arguments: {}, name: "list_vms" } };
  const legacy = { ...headersOf(list), "mcp-protocol-version": LEGACY };
  for (const [message, headers] of [
    [traced, headersOf(list)],
    [begun, legacy],
    [traced, { ...headersOf(list), traceparent: beside }],
  ] as const)
    assert.equal((await ask(agent, "/mcp", message, headers)).status, 200);

  assert.deepEqual(await process.stop(), []);
  const tracesOf = told.of("request").filter(({ route }) => route === "/mcp");
  assert.deepEqual(
    tracesOf.map(({ traceId }) => traceId),
    [traces[0], traces[0], traces[1]],
    "what a message brings, where the request brings none",
  );
  const events = new Set(told.lines().map(({ event }) => event));
  for (const event of ["request", "service-started", "service-stopping", "service-stopped"])
    assert.ok(events.has(event), event);
  const [line] = told.of("request").filter(({ route }) => String(route).endsWith("approval-requests"));
  assert.deepEqual([line?.["actor"], line?.["environment"]], ["olga", "home"]);
  for (const secret of [auditor, observer, operator, SECRET])
    assert.ok(!`${told.text()}${scraped.text}`.includes(secret), "no secret is told");
});
