// Receivers of messages are those of the configuration as it is written: who comes is told from then on, who goes is
// told nothing more, who stays is not told twice, and who comes back goes on from where it stood.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startServing } from "../../src/boundary/serving-process.ts";
import type { WebhookConfig } from "../../src/formats/dedalus/dedalus-webhooks.ts";
import type { Ports } from "../../src/service/ports.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { until } from "../service/bound.ts";
import { OPERATOR, ok, serving } from "../service/serving.ts";
import { newKey } from "./at-door.ts";
import { type Receiving, receiving, SECRET } from "./receiving.ts";
import { telling } from "./telling.ts";

const to = ({ url }: Receiving, events: WebhookConfig["events"] = ["approval-requested"]): WebhookConfig => ({
  events,
  format: "standard",
  secret: { env: "WEBHOOK" },
  url,
});
const idsOf = ({ received }: Receiving) => received.map(({ headers }) => headers["webhook-id"]);

/** A process that serves; each request for approval is of a plan of its own, and gives the id that it is told under. */
const servingWith = async (t: TestContext, first: readonly WebhookConfig[]) => {
  const told = telling();
  let ports: Ports | undefined;
  const served = await serving(t, "", (given) => {
    ports = given;
    return given;
  });
  const { configuration, folder, open, written } = served;
  const own = open();
  const token = ok(await own.createToken(OPERATOR, { days: 1, name: "olga", roles: ["operator"] })).value.token;
  await own.close();
  const configOf = (webhooks: readonly WebhookConfig[]) => ({
    ...configuration.config,
    service: {
      drainSeconds: 1,
      listen: "127.0.0.1:7400",
      sessions: { hours: 12, idleMinutes: 30 },
      url: "http://localhost:7400",
      webhooks,
    },
  });
  written.config = configOf(first);
  const process = await startServing({
    approveCommand: (plan, step) => `dedalus approve ${plan} --step ${step}`,
    configuration: { ...configuration, config: written.config },
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
  t.after(() => process.stop());
  const ask = async (path: string, body?: object) => {
    const reply = await fetch(`${process.url}${path}`, {
      ...(body === undefined ? {} : { body: JSON.stringify(body), method: "POST" }),
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": newKey() },
    });
    assert.ok(reply.status < 300, `${reply.status} ${await reply.clone().text()}`);
    return (await reply.json()) as Readonly<Record<string, unknown>>;
  };
  const requestApproval = async (): Promise<void> => {
    const { id } = await ask("/v1/plans", { environment: "home", scope: "all" });
    await ask(`/v1/plans/${id}/steps/1/approval-requests`, {});
  };
  return {
    folder,
    /** What is written is met by the next request, and taken up with another start. */
    edit: async (webhooks: readonly WebhookConfig[]) => {
      const starts = async () => (await served.records()).filter(({ kind }) => kind === "start").length;
      const before = await starts();
      written.config = configOf(webhooks);
      await ask("/v1/whoami");
      await until("another start", async () => (await starts()) > before);
    },
    process,
    requestApproval,
    told,
    written,
  };
};

const isToldTimes = (receiver: Receiving, times: number): Promise<void> =>
  until(`message ${times}`, () => receiver.received.length === times);

test("a receiver that is added, removed and put back is told what concerns it, each message once", async (t) => {
  const [one, other] = [await receiving(t), await receiving(t)];
  const { edit, requestApproval } = await servingWith(t, [to(one)]);
  await requestApproval();
  await isToldTimes(one, 1);

  await edit([to(one), to(other)]);
  await requestApproval();
  await Promise.all([isToldTimes(one, 2), isToldTimes(other, 1)]);
  assert.equal(idsOf(one)[1], idsOf(other)[0]);

  await edit([to(other)]);
  await requestApproval();
  await isToldTimes(other, 2);
  assert.equal(one.received.length, 2, "who was removed is told nothing");

  await edit([to(one), to(other)]);
  await isToldTimes(one, 3);
  assert.equal(idsOf(one)[2], idsOf(other)[1], "it goes on from where it stood");
  for (const receiver of [one, other]) assert.equal(new Set(idsOf(receiver)).size, receiver.received.length);
});

test("a process that began without receivers takes up its first, and kept nothing before", async (t) => {
  const receiver = await receiving(t);
  const { edit, folder, requestApproval } = await servingWith(t, []);
  await requestApproval();
  const instances = join(folder, "ledger/dedalus.db-saved-state.instances");
  assert.ok(!existsSync(instances));
  await edit([to(receiver)]);
  await until("its beginning", () => existsSync(instances));
  await requestApproval();
  await isToldTimes(receiver, 1);
  assert.match(receiver.received[0]?.body ?? "", /"url":"http:\/\/localhost:7400\/approve\//);
});

test("a receiver that asks for other events is told those from then on", async (t) => {
  const receiver = await receiving(t);
  const { edit, requestApproval } = await servingWith(t, [to(receiver, ["outcome"])]);
  await requestApproval();
  await edit([to(receiver, ["outcome", "approval-requested"])]);
  await requestApproval();
  await isToldTimes(receiver, 1);
});

test("while the configuration cannot be used, those of before are told", async (t) => {
  const receiver = await receiving(t);
  const { requestApproval, told, written } = await servingWith(t, [to(receiver)]);
  const { config } = written;
  written.problems = [
    { ...refuse("value-wrong", { cause: "list-empty" }), at: { column: 1, field: "", file: "dedalus.yaml", line: 1 } },
  ];
  await assert.rejects(requestApproval(), /4\d\d|5\d\d/);
  delete written.problems;
  assert.equal(written.config, config);
  await requestApproval();
  await isToldTimes(receiver, 1);
  assert.deepEqual(told.of("webhook-cursor-reset"), []);
});
