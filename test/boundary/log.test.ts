// What can be logged is a closed table: no line has a field that is not listed, whatever is handed in.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bugPlace } from "../../src/boundary/telemetry/bug-place.ts";
import { LOG_EVENT_NAMES, LOG_EVENTS, LOG_FIELDS } from "../../src/boundary/telemetry/log-events.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { telling } from "./telling.ts";

const REQUEST = { durationMs: 1.5, method: "GET", route: "/v1/plans/:plan", status: 200 };

test("a line is one JSON object with its time, level and event, and no process, host or message", () => {
  const { lines, telemetry, text } = telling();
  telemetry.log("request", { ...REQUEST, actor: "alice", correlationId: "01J" });
  const [line] = lines();
  assert.equal(text().split("\n").length, 2);
  const { time, ...rest } = line ?? assert.fail("a line was written");
  assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(rest, { ...REQUEST, actor: "alice", correlationId: "01J", event: "request", level: "info" });
});

/** As if somebody had widened the type on the way: what a compiler cannot see any more. */
const logged = (more: object) => {
  const { telemetry, text } = telling();
  telemetry.log("request", { ...REQUEST, ...more });
  return text().includes("dedalus_0123456789_secret") ? [refuse("secret-inline", { cause: "value" })] : [];
};

test("a field that is not listed for its event is left out, and so is a value of another kind", () => {
  assert.deepEqual(logged({ token: "dedalus_0123456789_secret" }), []);
  assert.deepEqual(logged({ said: "dedalus_0123456789_secret" }), [], "listed for other events");
  assert.deepEqual(logged({ actor: { id: "dedalus_0123456789_secret" } }), []);
  assert.notDeepEqual(logged({ actor: "dedalus_0123456789_secret" }), [], "the check sees a field that is listed");
});

test("long texts are cut, so that nobody fills a disk by what they send", () => {
  const { telemetry, text } = telling();
  telemetry.log("note", { cause: "a".repeat(100_000), codes: Array.from({ length: 1_000 }, () => "code") });
  assert.ok(text().length < 2_000);
});

test("no event and no field is for a secret, a body, a path or an address as it came", () => {
  const named = [...Object.keys(LOG_FIELDS), ...LOG_EVENT_NAMES].join(" ");
  assert.doesNotMatch(named, /\b(?:authorization|body|cookie|header|password|path|query|secret|token|url)s?\b/i);
});

test("every field is of an event, and every event has its fields listed once", () => {
  const used = LOG_EVENT_NAMES.flatMap((event) => [...LOG_EVENTS[event].required, ...LOG_EVENTS[event].optional]);
  assert.deepEqual(
    Object.keys(LOG_FIELDS).filter((field) => !used.some((one) => one === field)),
    [],
  );
  for (const event of LOG_EVENT_NAMES) {
    const fields = [...LOG_EVENTS[event].required, ...LOG_EVENTS[event].optional];
    assert.equal(new Set(fields).size, fields.length, event);
  }
});

test("a bug is logged by its kind and place, and without what it says", () => {
  const told = telling();
  try {
    JSON.parse("dedalus_0123456789_secret");
  } catch (error) {
    told.telemetry.log("bug", bugPlace(error));
  }
  const [line] = told.of("bug");
  assert.equal(line?.["said"], "SyntaxError");
  assert.match(String(line?.["stack"]), /at .*log\.test\.ts:\d+/);
  assert.ok(!told.text().includes("dedalus_"));
});
