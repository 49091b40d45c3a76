// Traces: a request's own goes on below it, each operation and each call to a provider is a span, and nothing needs
// an SDK.

import assert from "node:assert/strict";
import { test } from "node:test";
import { observedAdapters } from "../../src/boundary/telemetry/observed-adapter.ts";
import { observedService } from "../../src/boundary/telemetry/observed-service.ts";
import { traceparentOf } from "../../src/boundary/telemetry/trace-spans.ts";
import { readTraceparent, writeTraceparent } from "../../src/boundary/telemetry/traceparent.ts";
import { soon } from "../service/bound.ts";
import { keyed, OPERATOR, ok, readyToApply, serving } from "../service/serving.ts";
import { keepSpans, seriesOf, telling } from "./telling.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const GIVEN = `00-${TRACE}-b7ad6b7169203331-01`;

test("a traceparent is read and written as the recommendation says, and nonsense is no trace", () => {
  const read = readTraceparent(GIVEN) ?? assert.fail("it is valid");
  assert.equal(writeTraceparent(read), GIVEN);
  assert.ok(readTraceparent(`01-${TRACE}-b7ad6b7169203331-01-more`), "a later version may say more");
  for (const wrong of [
    undefined,
    "",
    `00-${TRACE}-b7ad6b7169203331-01-more`,
    `ff-${TRACE}-b7ad6b7169203331-01`,
    `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`,
  ])
    assert.equal(readTraceparent(wrong), undefined, wrong);
});

test("without an SDK a trace that is brought is passed on as it is, and work goes on", async (t) => {
  const { open } = await serving(t);
  const told = telling();
  const { spans } = told.telemetry;
  const scope = spans.beginRequest(GIVEN, "GET /v1/status", {});
  assert.equal(traceparentOf(scope), GIVEN);
  const service = observedService(open(), told.telemetry);
  ok(await spans.enter(scope, () => service.status(OPERATOR, {})));
  assert.equal(traceparentOf(spans.beginRequest(undefined, "GET /v1/status", {})), undefined);
});

test("a trace that a message brings goes on below it, whatever the request's own is", async (t) => {
  const kept = keepSpans();
  t.after(kept.stop);
  const { open } = await serving(t);
  const told = telling();
  const { spans } = told.telemetry;
  const service = observedService(open(), told.telemetry);
  const scope = spans.beginRequest(undefined, "POST /mcp", {});
  const ask = async (traceparent: string) =>
    ok(await spans.enter(scope, () => spans.follow(traceparent, () => service.status(OPERATOR, {}))));
  await ask("no trace at all");
  assert.equal(scope.facts.traceId, undefined);
  await ask(GIVEN);
  assert.equal(scope.facts.traceId, TRACE);
  const [request] = kept.spans;
  const [message, operation] = kept.spans.filter(({ context }) => context.traceId === TRACE);
  assert.notEqual(request?.context.traceId, TRACE);
  assert.deepEqual([message?.name, message?.parent], ["dedalus.message", "b7ad6b7169203331"]);
  assert.equal(operation?.parent, message?.context.spanId);
  assert.equal(message?.isEnded(), true);
});

test("an apply is a span below its request, with a span for each stage and for each observation", async (t) => {
  const kept = keepSpans();
  t.after(kept.stop);
  const told = telling();
  const { open } = await serving(t, "", (ports) => ({
    ...ports,
    adapter: observedAdapters(ports.adapter, told.telemetry),
  }));
  const { spans } = told.telemetry;
  const service = observedService(open(), told.telemetry);
  const request = await readyToApply(service);
  const scope = spans.beginRequest(GIVEN, "POST /v1/applies", {});
  const { record, value } = ok(await spans.enter(scope, () => service.apply(OPERATOR, request)));
  const { file } = await soon("the outcome", (value.underway ?? assert.fail("it is performed here")).ended);
  assert.equal(file.outcome, "succeeded");
  await soon("the last stage", untilCounted(told));

  const below = kept.spans.filter(({ context }) => context.traceId === TRACE);
  const [root, apply] = below;
  assert.deepEqual([root?.name, root?.parent], ["POST /v1/applies", "b7ad6b7169203331"]);
  assert.deepEqual([apply?.name, apply?.parent], ["dedalus.apply", root?.context.spanId]);
  assert.equal(apply?.attributes["dedalus.seq"], record?.seq);
  const names = below.map(({ name }) => name);
  for (const name of ["dedalus.apply.send", "dedalus.apply.verdict", "dedalus.provider.observe"])
    assert.ok(names.includes(name), `${name} in ${names}`);
  assert.ok(
    below.slice(1).every(({ isEnded }) => isEnded()),
    "every span has an end",
  );
  assert.doesNotMatch(JSON.stringify(below), /secret/);
  assert.equal(await seriesOf(told, 'dedalus_applies_total{outcome="succeeded"}'), 1);
});

const untilCounted = async (told: ReturnType<typeof telling>): Promise<void> => {
  while ((await seriesOf(told, 'dedalus_applies_total{outcome="succeeded"}')) === undefined)
    await new Promise((resume) => setTimeout(resume, 5));
};

test("what is refused is counted by its code, and an apply that is asked for twice is counted once", async (t) => {
  const { open } = await serving(t);
  const told = telling();
  const service = observedService(open(), told.telemetry);
  const refused = await service.showPlan(OPERATOR, { plan: "01ARZ3NDEKTSV4RRFFQ69G5FAV" });
  assert.equal(refused.kind, "refused");
  assert.equal(await seriesOf(told, `dedalus_refusals_total{code="${refused.refusals[0]?.code}"}`), 1);
  const [request, caller] = [await readyToApply(service), keyed()];
  const { value } = ok(await service.apply(caller, request));
  const again = ok(await service.apply(caller, request));
  assert.equal(again.replayed, true);
  await soon("the outcome", (value.underway ?? assert.fail("it is performed here")).ended);
  await soon("the count", untilCounted(told));
  await soon("the end of the repeat", untilIdle(told));
  assert.equal(await seriesOf(told, 'dedalus_applies_total{outcome="succeeded"}'), 1);
});

const untilIdle = async (told: ReturnType<typeof telling>): Promise<void> => {
  while ((await seriesOf(told, 'dedalus_queue_length{queue="applies"}')) !== 0)
    await new Promise((resume) => setTimeout(resume, 5));
};
