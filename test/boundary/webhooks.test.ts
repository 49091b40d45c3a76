// Messages to others: signed as Standard Webhooks says, delivered at least once from where they stopped, and whatever
// a receiver does harms nobody but itself.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { observedService } from "../../src/boundary/telemetry/observed-service.ts";
import { openInstances } from "../../src/boundary/webhooks/own-instances.ts";
import {
  signatureOf,
  signingKeyOf,
  slackRequest,
  standardRequest,
} from "../../src/boundary/webhooks/webhook-request.ts";
import type { WebhookConfig } from "../../src/formats/dedalus/dedalus-webhooks.ts";
import type { Service } from "../../src/service/service.ts";
import { soon, until } from "../service/bound.ts";
import { OPERATOR, ok, readyToApply } from "../service/serving.ts";
import { newKey } from "./at-door.ts";
import { delivering, type Receiving, receiving, SECRET } from "./receiving.ts";
import { seriesOf } from "./telling.ts";

const to = ({ url }: Receiving): WebhookConfig => ({
  events: ["approval-requested", "outcome"],
  format: "standard",
  secret: { env: "WEBHOOK" },
  url,
});

const requestApproval = async (service: Service) => {
  const { value: plan } = ok(await service.makePlan(OPERATOR, { environment: "home", scope: "all" }));
  return ok(await service.requestApproval(OPERATOR, { plan: plan.id, step: { number: 1 } }));
};
const applyStep = async (service: Service) => {
  const { value } = ok(await service.apply(OPERATOR, await readyToApply(service)));
  await soon("the outcome", (value.underway ?? assert.fail("it is performed here")).ended);
};

const idsOf = ({ received }: Receiving) => received.map(({ headers }) => headers["webhook-id"]);
/** Deliveries begin with the newest record; what comes after is told once that is known. */
const settled = (deliveries: { positions: () => ReadonlyMap<string, number> }) =>
  until("a beginning", () => deliveries.positions().size > 0);

test("the signature is the one of the specification's own example", () => {
  // The tests of the libraries of standard-webhooks have this secret, id, time, payload and signature.
  const key = signingKeyOf(SECRET) ?? assert.fail("it is a secret");
  const signed = signatureOf(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, '{"test": 2432232314}');
  assert.equal(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("a text that is no secret of the specification signs nothing", () => {
  for (const wrong of ["", "whsec_", "whsec_c2hvcnQ=", `${SECRET}!`, SECRET.slice(6)])
    assert.equal(signingKeyOf(wrong), undefined, wrong);
});

test("an approval that is asked for is told with who asked, the step, the address and the command", async (t) => {
  const [receiver, { begin, open }] = [await receiving(t), await delivering(t)];
  const service = open();
  await settled(begin([to(receiver)]));
  const { record } = await requestApproval(service);
  await until("a message", () => receiver.received.length === 1);
  const [{ body, headers } = assert.fail("it came")] = receiver.received;
  const { data, timestamp, type } = JSON.parse(body);
  assert.equal(type, "approval-requested");
  assert.equal(timestamp, record?.processTime);
  assert.deepEqual([headers["webhook-id"], data.record], [record?.auditId, record?.seq]);
  assert.deepEqual(data.actor, { id: "alice", kind: "person" });
  assert.deepEqual([data.action, data.environment, data.step, data.vm.name], ["vm.start", "home", 1, "web-01"]);
  assert.equal(data.approve.url, `https://dedalus.example/approve/${data.plan}/1`);
  assert.equal(data.approve.command, `dedalus approve ${data.plan} --step 1`);
  assert.match(data.text, /^alice asks for approval: start web-01 \(VM \d+\) in home, step 1 of plan /);
  const key = signingKeyOf(SECRET) ?? assert.fail("it is a secret");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  assert.equal(headers["webhook-signature"], `v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
});

test("an outcome is told with its step and cause, and only what a receiver asked for", async (t) => {
  const [all, some, { begin, open, told }] = [await receiving(t), await receiving(t), await delivering(t)];
  const service = open();
  await settled(begin([to(all), { ...to(some), events: ["outcome"] }]));
  await requestApproval(service);
  await applyStep(service);
  await until("the messages", () => all.received.length === 2 && some.received.length === 1);
  const { data, type } = JSON.parse(some.received[0]?.body ?? "");
  assert.deepEqual([type, data.outcome, data.cause, data.step], ["outcome", "succeeded", "provider-done", 1]);
  assert.match(data.text, /^Succeeded: start web-01 .*, applied by alice; /);
  // A message is there before its sender has heard so.
  const delivered = 'dedalus_webhook_deliveries_total{receiver="standard-1",result="delivered"}';
  await until("the count", async () => (await seriesOf(told, delivered)) === 2);
});

test("a message goes on with the trace of the request that it tells of", async (t) => {
  const [receiver, { begin, open, told }] = [await receiving(t), await delivering(t)];
  const { spans } = told.telemetry;
  const service = observedService(open(), told.telemetry);
  await settled(begin([to(receiver)]));
  const given = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await spans.enter(spans.beginRequest(given, "POST", {}), () => requestApproval(service));
  await requestApproval(service);
  await until("two messages", () => receiver.received.length === 2);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers["traceparent"]),
    [given, undefined],
  );
});

test("a chat room gets one text, in which a VM's name can call nobody", async (t) => {
  const [receiver, { begin, open }] = [await receiving(t), await delivering(t)];
  const service = open();
  await settled(begin([{ events: ["approval-requested"], format: "slack", url: { file: receiver.url } }]));
  await requestApproval(service);
  await until("a message", () => receiver.received.length === 1);
  const [{ body, headers } = assert.fail("it came")] = receiver.received;
  assert.deepEqual(Object.keys(JSON.parse(body)), ["text"]);
  assert.equal(headers["webhook-signature"], undefined);
  const message = { text: "<!channel> & <https://example.com|here>" } as Parameters<typeof slackRequest>[0];
  assert.deepEqual(JSON.parse(slackRequest(message).body), {
    text: "&lt;!channel&gt; &amp; &lt;https://example.com|here&gt;",
  });
});

test("a chat room whose address is no https address is told nothing, and the address is logged nowhere", async (t) => {
  const { begin, open, told } = await delivering(t);
  const service = open();
  const url = { file: "http://hooks.example/services/hidden" };
  await settled(begin([{ events: ["approval-requested"], format: "slack", url }]));
  await requestApproval(service);
  await until("the end of it", () => told.of("webhook-given-up").length === 1);
  assert.deepEqual(new Set(told.of("webhook-failed").map(({ cause }) => cause)), new Set(["address-unusable"]));
  assert.ok(!told.text().includes("hidden"));
});

for (const [what, status, cause] of [
  ["refuses", 500, "refused"],
  ["redirects", 302, "redirected"],
  ["hangs", "nothing", "timeout"],
  ["answers nonsense", "nonsense", "unreachable"],
] as const)
  test(`a receiver that ${what} is tried again with the same id, then given up, and later messages come`, async (t) => {
    const [receiver, { begin, open, records, told }] = [await receiving(t), await delivering(t)];
    const service = open();
    receiver.answer.with = (at) => (at <= 3 ? status : 204);
    await settled(begin([to(receiver)]));
    await requestApproval(service);
    await until("the end of the first", () => told.of("webhook-given-up").length === 1);
    await applyStep(service);
    await until("the second", () => told.of("webhook-delivered").length === 1);
    const ids = idsOf(receiver);
    assert.equal(ids.length, 4, "three attempts at the first, one at the second, and nowhere else");
    assert.deepEqual([new Set(ids.slice(0, 3)).size, ids[3] === ids[0]], [1, false]);
    assert.deepEqual(
      told.of("webhook-failed").map((line) => line["cause"]),
      [cause, cause, cause],
    );
    assert.ok(
      (await records()).every(({ kind }) => !kind.includes("webhook")),
      "nothing of it is recorded",
    );
  });

test("a receiver that is gone is not tried again", async (t) => {
  const [receiver, { begin, open, told }] = [await receiving(t), await delivering(t)];
  const service = open();
  receiver.answer.with = () => 410;
  await settled(begin([to(receiver)]));
  await requestApproval(service);
  await until("the end of it", () => told.of("webhook-given-up").length === 1);
  assert.equal(receiver.received.length, 1);
});

test("what is older than an hour is tried once", async (t) => {
  const [receiver, { begin, open, told }] = [await receiving(t), await delivering(t, [1, 1], 3_601_000)];
  const service = open();
  receiver.answer.with = () => 500;
  await settled(begin([to(receiver)]));
  await requestApproval(service);
  await until("the end of it", () => told.of("webhook-given-up").length === 1);
  assert.equal(receiver.received.length, 1);
});

test("a receiver that hangs holds up no other, and no act", async (t) => {
  const [stuck, well, { begin, open }] = [await receiving(t), await receiving(t), await delivering(t, [60_000])];
  stuck.answer.with = () => "nothing";
  const service = open();
  await settled(begin([to(stuck), to(well)]));
  await requestApproval(service);
  await applyStep(service);
  await until("both messages", () => well.received.length === 2);
  assert.equal(stuck.received.length, 1);
});

test("after a restart messages go on from the cursor, with those that a process left untold", async (t) => {
  const [receiver, { begin, open }] = [await receiving(t), await delivering(t, [60_000])];
  const service = open();
  const first = begin([to(receiver)]);
  await settled(first);
  receiver.answer.with = () => 503;
  await requestApproval(service);
  await until("a first attempt", () => receiver.received.length === 1);
  await first.close();
  await applyStep(service);
  receiver.answer.with = () => 200;
  begin([to(receiver)]);
  await until("both messages", () => receiver.received.length === 3);
  const ids = idsOf(receiver);
  assert.equal(ids[1], ids[0], "the same message has the same id");
  assert.equal(JSON.parse(receiver.received[2]?.body ?? "").type, "outcome");
});

test("an outcome is told after a restart in between, though its record names the intent alone", async (t) => {
  const [receiver, { begin, open }] = [await receiving(t), await delivering(t)];
  const service = open();
  const first = begin([{ ...to(receiver), events: ["outcome"] }]);
  await settled(first);
  const request = await readyToApply(service);
  const { record, value } = ok(await service.apply(OPERATOR, request));
  await until("the intent was read", () => (first.positions().get("standard-1") ?? 0) > (record?.seq ?? 0));
  await first.close();
  await soon("the outcome", (value.underway ?? assert.fail("it is performed here")).ended);
  begin([{ ...to(receiver), events: ["outcome"] }]);
  await until("the message", () => receiver.received.length >= 1);
  assert.equal(JSON.parse(receiver.received[0]?.body ?? "").data.vm.name, "web-01");
});

test("of several instances each tells what it answered itself", async (t) => {
  const [receiver, { begin, open, savedState }] = [await receiving(t), await delivering(t)];
  const service = open();
  const deliveries = begin([to(receiver)]);
  await settled(deliveries);
  ok(await service.observe(OPERATOR, { environment: "home" }));
  writeFileSync(`${savedState}.instances`, "");
  const { record } = await requestApproval(service);
  const { record: newest } = ok(await service.annotate(OPERATOR, { text: "the record of another instance is read" }));
  await until("it was read", () => (deliveries.positions().get("standard-1") ?? 0) > (newest?.seq ?? 0));
  assert.deepEqual(receiver.received, []);
  assert.ok(record !== undefined);
});

const cursorIn = (savedState: string): string => {
  const folder = dirname(savedState);
  const name = readdirSync(folder).find((one) => one.startsWith(`${basename(savedState)}.webhook-`));
  return join(folder, name ?? assert.fail("there is a cursor"));
};

test("a cursor beyond the ledger, of another ledger or unreadable begins anew and says so", async (t) => {
  const [receiver, { begin, open, records, savedState, told }] = [await receiving(t), await delivering(t)];
  const service = open();
  const first = begin([to(receiver)]);
  await settled(first);
  await requestApproval(service);
  await until("a message", () => receiver.received.length === 1);
  await first.close();
  const cursor = JSON.parse(readFileSync(cursorIn(savedState), "utf8"));
  const size = (await records()).length;
  for (const [cause, text] of [
    ["beyond-ledger", JSON.stringify({ ...cursor, next: size + 1_000 })],
    ["other-ledger", JSON.stringify({ ...cursor, hash: "0".repeat(64) })],
    ["unreadable", "half a cur"],
  ] as const) {
    writeFileSync(cursorIn(savedState), text);
    const again = begin([to(receiver)]);
    await until(cause, () => told.of("webhook-cursor-reset").some((line) => line["cause"] === cause));
    await settled(again);
    await again.close();
  }
  assert.equal(receiver.received.length, 1, "nothing is told twice for it");
  assert.ok(existsSync(cursorIn(savedState)));
});

test("a cursor that cannot be written is told, and nobody is told twice for it while the process lives", async (t) => {
  const [receiver, { begin, open, savedState, told }] = [await receiving(t), await delivering(t)];
  const service = open();
  await settled(begin([to(receiver)]));
  mkdirSync(`${cursorIn(savedState)}.part`);
  await requestApproval(service);
  await applyStep(service);
  await until("both messages", () => told.of("webhook-delivered").length === 2);
  assert.equal(new Set(idsOf(receiver)).size, 2);
  assert.deepEqual(new Set(told.of("webhook-halted").map(({ cause }) => cause)), new Set(["cursor-unwritten"]));
});

test("the id of a process that cannot be kept is told, and the process is known while it lives", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-instances-"));
  t.after(() => rmSync(folder, { force: true, recursive: true }));
  const [unwritten, id] = [[] as unknown[], newKey()];
  const instances = openInstances(join(folder, "none/saved-state"), (error) => void unwritten.push(error));
  instances.add(id);
  assert.deepEqual([unwritten.length, instances.has(id), instances.has(newKey())], [1, true, false]);
});

test("the same message signed at another time has another signature and the same id", () => {
  const key = signingKeyOf(SECRET) ?? assert.fail("it is a secret");
  const message = { data: {}, event: "outcome", id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" } as Parameters<
    typeof standardRequest
  >[0];
  const [one, other] = [standardRequest(message, key, 1), standardRequest(message, key, 2)];
  assert.equal(one.headers["webhook-id"], other.headers["webhook-id"]);
  assert.notEqual(one.headers["webhook-signature"], other.headers["webhook-signature"]);
});
