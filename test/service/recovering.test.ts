// Intents past their end in a process that lives long: ended when it begins and when a request that writes meets them,
// whoever asks; never by a timer, however long it follows and whatever the clock says (P7-S1).

import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import type { Engine } from "../../src/ledger/engine.ts";
import { until } from "./bound.ts";
import { bearer, leftOpen, OPERATOR, ok, serving } from "./serving.ts";

test("a process that begins ends what is past its end, before anybody asks", async (t) => {
  const at = await serving(t);
  const intent = await leftOpen(at);
  const other = at.open();
  assert.equal(await other.begin(), undefined);
  assert.deepEqual(
    at.recovered.map(({ id }) => id),
    [intent],
  );
  assert.equal(ok(await other.status(OPERATOR, {})).value.blocked.length, 1);
});

test("a process that began before ends it when another caller's request meets it", async (t) => {
  const at = await serving(t);
  const other = at.open();
  assert.equal(await other.begin(), undefined);
  const { token = "" } = ok(
    await other.createToken(OPERATOR, { days: 7, kind: "agent", name: "ci", roles: ["agent"] }),
  ).value;
  const intent = await leftOpen(at);
  assert.deepEqual(at.recovered, []);
  ok(await other.annotate(bearer(token), { text: "about something else" }));
  assert.deepEqual(
    at.recovered.map(({ id }) => id),
    [intent],
  );
});

test("a process that only follows and is read records nothing, however far its clock has gone", async (t) => {
  const at = await serving(t);
  let heard = 0;
  const watched = (engine: Engine): Engine => ({
    ...engine,
    follow: (from, signal, hears) =>
      engine.follow(from, signal, (head) => {
        heard += 1;
        hears?.(head);
      }),
  });
  const other = at.openOver(watched);
  assert.equal(await other.begin(), undefined);
  await leftOpen(at);
  const before = (await at.records()).length;
  const [rounds, notes] = [heard, at.notes()];
  for (const days of [2, 30, 300]) {
    at.clock.aheadMs = days * DAY_MS;
    assert.equal(ok(await other.status({ ...OPERATOR, atLeast: before - 1 }, {})).value.open.length, 1);
    const seen = heard;
    await until("another round of following", () => heard > seen + 2);
  }
  assert.ok(heard > rounds);
  assert.deepEqual([(await at.records()).length, at.notes(), at.recovered], [before, notes, []]);
});
