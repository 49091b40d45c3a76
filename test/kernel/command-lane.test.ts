// Which lane a command waits in: by what it is and by who may ask for it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ACT_KINDS } from "../../src/kernel/command/record-kinds.ts";
import type { Command } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR, submissionOf } from "../../src/kernel/command-desk.ts";
import { laneOf } from "../../src/kernel/command-lane.ts";
import { LOCAL_ROLES } from "../../src/kernel/decide/actors.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Lane } from "../../src/ledger/write/submission.ts";
import { ALICE, BOB, DAN, ROBO } from "./story.ts";

const command = (kind: string, actor: Actor, request: object = {}): Command =>
  Object.assign({}, { actor, key: "key", kind, request } as object as Command);
const lane = (kind: string, actor: Actor, request?: object): Lane => laneOf(command(kind, actor, request));
const EVERY_ROLE: Actor = { id: "all", kind: "person", roles: [...LOCAL_ROLES, "agent", "sensor"] };

const SENSOR: Actor = { id: "probe", kind: "agent", roles: ["sensor"] };

test("what stops something has a lane that nothing else is in", () => {
  const brakes = ACT_KINDS.filter((kind) => lane(kind, EVERY_ROLE) === "brake");
  assert.deepEqual(brakes.toSorted(), ["cancel", "deny", "freeze", "revoke", "unfreeze"]);
  assert.equal(lane("token", ALICE, { act: "revoke" }), "brake");
  assert.equal(lane("token", ALICE, { act: "create" }), "mutation");
  assert.equal(lane("sign-out", ALICE, { ends: "person" }), "brake");
  assert.equal(lane("sign-out", ALICE, { ends: "session" }), "mutation");
});

test("what the process tells of an intent has a lane that nobody else can fill", () => {
  for (const kind of ["dispatched", "outcome", "recover"]) {
    assert.equal(lane(kind, KERNEL_ACTOR), "outcome");
    for (const actor of [ALICE, ROBO, SENSOR]) assert.equal(lane(kind, actor), "mutation");
  }
});

test("whoever may not brake does not fill the lane of those who may", () => {
  assert.equal(lane("freeze", DAN), "brake");
  assert.equal(lane("freeze", BOB), "mutation", "an approver does not freeze");
  assert.equal(lane("freeze", ROBO), "mutation");
  assert.equal(lane("deny", BOB), "brake");
  assert.equal(lane("deny", DAN), "mutation", "an operator does not deny");
  assert.equal(lane("cancel", DAN), "brake");
  assert.equal(lane("cancel", ROBO), "mutation", "an agent's own plan is no brake");
});

test("only what is pushed is telemetry", () => {
  assert.deepEqual(
    ACT_KINDS.filter((kind) => lane(kind, SENSOR) === "telemetry"),
    ["ingest"],
  );
});

test("a submission waits in the lane of its command", () => {
  assert.equal(submissionOf(command("deny", BOB)).lane, "brake");
});
