// What a desk makes of a request, whole: nothing that was not said, and nothing said that was not asked for.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command, Request } from "../../src/kernel/command/request.ts";
import { type CommandDesk, commandOf, KERNEL_ACTOR, submissionOf } from "../../src/kernel/command-desk.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { OBSERVED_AT, observationOf } from "../spine/world.ts";
import { BOB } from "./story.ts";

const idOf = (no: number): Ulid => `01K${String(no).padStart(23, "0")}` as Ulid;

const DESK: CommandDesk = {
  actor: BOB,
  configHash: sha256("configuration"),
  door: "service",
  ids: () => idOf(1),
  instance: idOf(2),
  now: () => OBSERVED_AT,
  words: sha256("words"),
};

const NOTE = { kind: "annotate", text: "seen" } as const;
const BARE = {
  actor: BOB,
  at: OBSERVED_AT,
  configHash: DESK.configHash,
  correlationId: idOf(1),
  door: "service",
  id: idOf(1),
  instance: idOf(2),
  key: idOf(1),
  kind: "annotate",
  request: { text: "seen" },
} as const;

test("a request alone is its own correlation and key, and has no member that nobody gave", () => {
  assert.deepEqual(commandOf(DESK, NOTE), BARE);
});

test("what comes with a request is in its command, each under its own name", () => {
  const options = {
    asked: sha256("asked"),
    causationId: idOf(3),
    correlationId: idOf(4),
    environment: "home",
    given: { observation: observationOf([]) },
    key: idOf(5),
  };
  assert.deepEqual(commandOf(DESK, NOTE, options), { ...BARE, ...options });
});

test("a token is shown by whoever was proven by it, and never by the kernel itself", () => {
  const desk = { ...DESK, token: "t000000001" };
  assert.deepEqual(commandOf(desk, NOTE), { ...BARE, token: "t000000001" });
  assert.deepEqual(commandOf({ ...desk, actor: KERNEL_ACTOR }, NOTE), { ...BARE, actor: KERNEL_ACTOR });
});

const agreeing: object = { kind: "approve" };
test("words are named by whoever agrees to what they were shown, and by nobody else", () => {
  const named = (request: object): boolean => "words" in commandOf(DESK, request as Request);
  assert.deepEqual([{ kind: "approve" }, { kind: "challenge" }, { confirmation: {}, kind: "apply" }].map(named), [
    true,
    true,
    true,
  ]);
  assert.deepEqual(
    [{ kind: "apply" }, { confirmation: {}, kind: "deny" }, { kind: "revoke" }, { kind: "request-approval" }].map(
      named,
    ),
    [false, false, false, false],
  );
  assert.equal(commandOf(DESK, agreeing as Request).words, DESK.words);
});

test("a submission is of the actor, under the key of the command, in its lane", () => {
  const laneOf = (request: object): unknown => {
    const command = { ...commandOf(DESK, NOTE), ...request } as Command;
    assert.deepEqual(submissionOf(command), {
      caller: "bob",
      command,
      key: idOf(1),
      lane: submissionOf(command).lane,
    });
    return submissionOf(command).lane;
  };
  assert.equal(laneOf({}), "mutation");
  assert.equal(laneOf({ kind: "deny" }), "brake");
  assert.equal(laneOf({ kind: "annotate", request: { act: "revoke" } }), "mutation", "only a token is revoked so");
});
