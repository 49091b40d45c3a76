// The form of a record, whole: what a command brought, when it happened and when it was recorded, and nothing beside.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type CommandOptions, commandOf } from "../../src/kernel/command-desk.ts";
import { decideBy } from "../../src/kernel/decide/decide.ts";
import { VERSIONS } from "../../src/kernel/versions.ts";
import type { Draft } from "../../src/ledger/record/record.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { later } from "../../src/spine/values/instant.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { observationOf, state as vmState } from "../spine/world.ts";
import { ALICE, type Story, story } from "./story.ts";

const deskOf = (told: Story) => {
  const configHash = told.records[0]?.configHash ?? assert.fail("it has started");
  return {
    actor: ALICE,
    configHash,
    door: "local",
    ids: told.ids,
    instance: told.instance,
    now: told.now,
    words: sha256("words"),
  } as const;
};
const noted = (told: Story, options: CommandOptions, more: object = {}) => {
  const command = { ...commandOf(deskOf(told), { kind: "annotate", text: "seen" }, options), ...more };
  return { command, draft: decideBy(VERSIONS, told.state(), command, told.now()).draft };
};

test("a record holds what its command brought, and no member that it did not", () => {
  const told = story();
  const bare = noted(told, {});
  const {
    auditId,
    blobs: _,
    ...whole
  }: Draft = {
    actor: ALICE,
    auditId: bare.command.id,
    body: {
      door: "local",
      request: { text: "seen" },
      result: { kind: "done" },
      state: { blocked: 0, freezes: 0, open: 0, size: told.records.length },
    },
    configHash: bare.command.configHash,
    correlationId: bare.command.id,
    eventTime: told.now(),
    idempotencyKey: bare.command.id,
    instance: told.instance,
    kind: "annotate",
    processTime: told.now(),
  };
  assert.deepEqual(bare.draft, { ...whole, auditId });
  const options = { asked: sha256("asked"), causationId: told.other, environment: "home" };
  const full = noted(told, options, { words: sha256("words") });
  const { id } = full.command;
  assert.deepEqual(full.draft, {
    ...whole,
    ...options,
    auditId: id,
    body: { ...whole.body, words: sha256("words") },
    correlationId: id,
    idempotencyKey: id,
  });
});

test("a token that was shown is in the record, whatever comes of the command", () => {
  const told = story();
  const { draft } = noted(told, {}, { token: "t1" });
  assert.equal(draft.body["token"], "t1");
});

test("an observation happened when it was made, whether it was taken or pushed, and is stamped when it is recorded", () => {
  const told = story();
  const observation = observationOf([vmState()], { observedAt: later(told.now(), -1_000) });
  const { digest } = observe(observation);
  const { observedAt = assert.fail("it has a time") } = observation;
  for (const kind of ["observe", "ingest"] as const) {
    const request = { complete: true, gaps: 0, kind, observation: digest, observedAt, vms: 1 } as const;
    const command = commandOf(deskOf(told), request, { environment: "home", given: { observation } });
    const { draft } = decideBy(VERSIONS, told.state(), command, told.now());
    assert.deepEqual([draft.eventTime, draft.processTime], [observedAt, told.now()], kind);
  }
});

test("nothing is stamped before the head, and nobody is answered by rules that there are not", () => {
  const told = story();
  const head = later(told.now(), 5_000);
  const command = commandOf(deskOf(told), { kind: "annotate", text: "seen" });
  const { draft } = decideBy(VERSIONS, told.state(), command, head);
  assert.deepEqual([draft.eventTime, draft.processTime], [head, head]);
  assert.throws(() => decideBy({}, told.state(), command, head), RangeError);
});
