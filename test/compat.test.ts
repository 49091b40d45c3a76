// make compat can say no: every kind of difference is seen, a recording is played by its callers, and what is not there
// to compare with is not passed over.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { differencesBetween } from "../tools/compat/difference.ts";
import { KNOWN, reasonFor } from "../tools/compat/known.ts";
import { type Answered, recordingOf } from "../tools/compat/recording.ts";
import { playAll } from "../tools/compat/replay.ts";

const answered = (json: unknown, rest: Partial<Answered> = {}): Answered => ({
  contentType: "application/json;charset=UTF-8",
  json,
  reason: "OK",
  status: 200,
  ...rest,
});
const found = (real: Answered, ours: Answered): readonly string[] =>
  differencesBetween(real, ours).map(({ at, what }) => `${at}: ${what}`);

test("two answers with other figures are alike", () => {
  const real = answered({
    data: [
      { cpu: 0.5, name: "a", vmid: 1 },
      { cpu: 0, name: "b", vmid: 2 },
    ],
  });
  const ours = answered({
    data: [
      { cpu: 0, name: "c", vmid: 2 },
      { cpu: 1, name: "d", vmid: 1 },
    ],
  });
  assert.deepEqual(found(real, ours), []);
});

test("status, reason and content type must be alike", () => {
  const ours = answered(null, { contentType: null, reason: "Gone", status: 500 });
  assert.equal(found(answered(null), ours).length, 3);
});

test("a key too few, a key too many and another type are differences, in rows as well", () => {
  const real = answered({ data: [{ a: 1, b: "x", vmid: 1 }] });
  const ours = answered({ data: [{ a: "1", c: null, vmid: 1 }] });
  assert.deepEqual(found(real, ours), [
    "body.data[1].a: is a string instead of a number",
    "body.data[1].b: is not there",
    "body.data[1].c: is too much",
  ]);
});

test("a row too few and a row too many are differences", () => {
  const real = answered({ data: [{ vmid: 1 }, { vmid: 2 }] });
  const ours = answered({ data: [{ vmid: 2 }, { vmid: 3 }] });
  assert.deepEqual(found(real, ours), ["body.data[1]: is not there", "body.data[3]: is too much"]);
});

test("an empty list instead of rows is a difference, and so are rows of another shape", () => {
  const rows = [
    { id: "1", upid: "a" },
    { id: "1", upid: "b" },
  ];
  assert.equal(found(answered({ data: rows }), answered({ data: [] })).length, 1);
  assert.equal(found(answered({ data: rows }), answered({ data: rows.map((row) => ({ ...row, more: 1 })) })).length, 1);
  assert.deepEqual(found(answered({ data: rows }), answered({ data: [rows[0]] })), []);
});

test("the words of a refusal must be alike, but for the id of a process", () => {
  const says = (text: string) => answered({ data: null, message: text });
  assert.equal(found(says("no\n"), says("no way\n")).length, 1);
  assert.deepEqual(found(says("x.conf.tmp.12 - no"), says("x.conf.tmp.99 - no")), []);
  assert.equal(found(answered({ errors: { a: "wrong" } }), answered({ errors: { a: "bad" } })).length, 1);
});

const recording = (path: string, response: object) =>
  recordingOf(
    JSON.stringify({
      case: "made-up",
      exchanges: [{ request: { auth: "token root@pam!oracle (privsep=0)", method: "GET", path }, response }],
      note: "one exchange",
    }),
    "made-up.json",
  );

test("a recording is played against the simulator, and a lie in it is found", async () => {
  const json = { data: { release: "9.2", repoid: "0", version: "9.2.3" } };
  const response = { contentType: "application/json;charset=UTF-8", json, reason: "OK", status: 200 };
  const right = await playAll([recording("/api2/json/version", response)]);
  assert.deepEqual(
    right.map(({ differences }) => differences),
    [[]],
  );
  const wrong = await playAll([recording("/api2/json/version", { ...response, json: { data: { version: 9 } } })]);
  assert.deepEqual(
    wrong.flatMap(({ differences }) => differences.map(({ at }) => at)),
    ["body.data.release", "body.data.repoid", "body.data.version"],
  );
});

test("a known difference has a reason and is bound to its recording", () => {
  for (const { reason } of KNOWN) assert.ok(reason.length > 40);
  assert.equal(reasonFor("made-up", { at: "body.data", what: "" }), undefined);
});

test("without recordings it says so and exits with 2", () => {
  const tool = fileURLToPath(new URL("../tools/compat.ts", import.meta.url));
  const { PVE_RECORDINGS: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [tool], { encoding: "utf8", env });
  assert.equal(status, 2);
  assert.match(stdout, /PVE_RECORDINGS names no folder/);
});
