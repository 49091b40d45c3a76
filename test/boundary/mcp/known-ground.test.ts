// An answer ahead of the framework stands on the very ground of one behind it: what is seen, the clock, the
// configuration, the anchor, the token and its measure. Each test first sees an answer at once, and then moves one.

import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { recalledOf } from "../../../src/boundary/mcp/call-tool.ts";
import { until } from "../../service/bound.ts";
import { OPERATOR, ok } from "../../service/serving.ts";
import { connected } from "../one-connection.ts";
import { asking, LIST, modern, statusOf } from "./at-once.ts";

const AWAY = `  away:
    adapter: replay
    path: current.json
    approval: single-operator
    maxObservationAge: 5 min
    desired: away.yaml
`;

const explainOf = (plan: string, step: object = { number: 1 }) =>
  modern("tools/call", { arguments: { plan, step }, name: "explain_step" });

test("B3 cannot be told at once what another agent sees, on the same head and connection", async (t) => {
  const { ask, askedAtOnce, plan, tokenFor } = await asking(t, () => ({}), { more: AWAY });
  const [eve, ada] = [await tokenFor("eve", ["agent"], ["home"]), await tokenFor("ada", ["agent"], ["away"])];
  const LISTED = modern("tools/call", { arguments: {}, name: "list_environments" });
  assert.match((await askedAtOnce(LISTED, eve)).text, /"environment":"home"/);
  assert.doesNotMatch((await askedAtOnce(LISTED, ada)).text, /"environment":"home"/);
  for (const message of [statusOf(plan), explainOf(plan)]) {
    await askedAtOnce(message, eve);
    for (const time of [1, 2, 3]) {
      const { isAtOnce, text } = await ask(message, {}, ada);
      assert.deepEqual([isAtOnce, text.includes('"isError":true')], [false, true], `${time}`);
      assert.doesNotMatch(text, /web-01/);
    }
  }
  await askedAtOnce(LIST, ada);
});

test("what ends by the clock is told as ended on the same head, and nothing of later is told before", async (t) => {
  const { ask, askedAtOnce, plan, served } = await asking(t);
  for (const message of [statusOf(plan), explainOf(plan)]) {
    served.clock.aheadMs = 60_000;
    const before = await askedAtOnce(message);
    assert.doesNotMatch(before.text, /"status":"expired"/);
    served.clock.aheadMs = 0;
    assert.equal((await ask(message)).isAtOnce, false, "of a minute later");
    served.clock.aheadMs = 2 * 3_600_000;
    const after = await ask(message);
    assert.deepEqual([after.status, after.isAtOnce], [200, false]);
    assert.match(after.text, /"status":"expired"/);
  }
});

test("a configuration that was edited is taken up by the next message", async (t) => {
  const { ask, askedAtOnce, plan, served } = await asking(t);
  const starts = async (): Promise<number> => (await served.records()).filter(({ kind }) => kind === "start").length;
  for (const [message, operator] of [
    [LIST, "somebody-else"],
    [statusOf(plan), "yet-another"],
  ] as const) {
    await askedAtOnce(message);
    const before = await starts();
    served.written.config = { ...served.configuration.config, operator };
    await new Promise((later) => setTimeout(later, 2));
    const { isAtOnce, status } = await ask(message);
    assert.deepEqual([status, isAtOnce], [200, false]);
    await until("its start", async () => (await starts()) === before + 1);
  }
});

test("N1 cannot be answered at once from a ledger whose anchor is gone, nor from a service that is closed", async (t) => {
  const { ask, askedAtOnce, given, plan, served } = await asking(t);
  const anchor = join(served.folder, "anchor", "checkpoints.txt");
  for (const message of [LIST, statusOf(plan)]) {
    await askedAtOnce(message);
    renameSync(anchor, `${anchor}.gone`);
    await new Promise((later) => setTimeout(later, 2));
    const { isAtOnce, text } = await ask(message);
    assert.equal(isAtOnce, false);
    assert.doesNotMatch(text, /web-01/);
    renameSync(`${anchor}.gone`, anchor);
  }
  await askedAtOnce(LIST);
  await given.service.close();
  for (const message of [LIST, statusOf(plan)]) {
    const closed = await ask(message);
    assert.equal(closed.isAtOnce, false);
    assert.doesNotMatch(closed.text, /web-01|"tools":/);
  }
});

test("B2 cannot be answered at once by a token that another process revoked or changed for another", async (t) => {
  const { ask, askedAtOnce, plan, served, tokenFor } = await asking(t);
  for (const name of ["eve", "ada"]) {
    const token = await tokenFor(name, ["agent"]);
    for (const message of [LIST, statusOf(plan)]) await askedAtOnce(message, token);
    const elsewhere = served.open("one-request");
    if (name === "eve") ok(await elsewhere.revokeToken(OPERATOR, { name }));
    else ok(await elsewhere.rotateToken(OPERATOR, { days: 1, name }));
    await until("its end", async () => (await ask(LIST, {}, token)).status === 401);
    for (const message of [LIST, statusOf(plan)]) {
      const { isAtOnce, status } = await ask(message, {}, token);
      assert.deepEqual([status, isAtOnce], [401, false]);
    }
  }
});

test("P7-F1 cannot ask more at a time because the answer is known", async (t) => {
  const known = { burst: 1_000, concurrent: 1, perSecond: 1_000, streams: 0 };
  const { agent, ask, askedAtOnce, port, served } = await asking(t, () => ({}), { limits: { known, unknown: known } });
  const open = served.provider.observing.close();
  const other = await connected(t, port);
  const { headers, message } = modern("tools/call", { arguments: { environment: "home" }, name: "observe" });
  const body = JSON.stringify(message);
  const lines = Object.entries({
    ...headers,
    authorization: `Bearer ${agent}`,
    "content-length": body.length,
    "content-type": "application/json",
    host: `127.0.0.1:${port}`,
  }).map(([name, value]) => `${name}: ${value}`);
  const { observations } = served.provider.counts;
  // What is known is known for a second: the other is under way within that.
  await askedAtOnce(LIST);
  const observing = other("/mcp", lines, { body, method: "POST" });
  await until("the other is under way", () => served.provider.counts.observations > observations);
  const { isAtOnce, status } = await ask(LIST);
  assert.deepEqual([status, isAtOnce], [429, false]);
  open();
  assert.equal((await observing).status, 200);
  assert.equal((await ask(LIST)).status, 200);
});

test("arguments that do not fit are never looked up", () => {
  const plan = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  assert.deepEqual(recalledOf("plan_status", { plan }), { operation: "showPlan", request: { plan } });
  assert.equal(recalledOf("plan_status", { key: plan, plan }), undefined);
  assert.equal(recalledOf("plan_status", { plan: [plan] }), undefined);
  assert.equal(recalledOf("explain_step", { plan, step: { more: 1, number: 1 } }), undefined);
  assert.equal(recalledOf("apply_step", { plan, step: { number: 1 } }), undefined);
});
