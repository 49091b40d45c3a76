// Who asked is in the line of every request, reads and refusals too; what a service says to nobody in particular is
// in the log.

import assert from "node:assert/strict";
import { test } from "node:test";
import { hearingOf } from "../../src/boundary/telemetry/hearing.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { Caller } from "../../src/service/hold/callers.ts";
import { bearer, OPERATOR, ok, serving } from "../service/serving.ts";
import { telling } from "./telling.ts";

test("a read tells who was proven, and a caller whom nothing proves is nobody", async (t) => {
  const told = telling();
  const { spans } = told.telemetry;
  const instances: Ulid[] = [];
  const hears = hearingOf(told.telemetry, (instance) => void instances.push(instance));
  const { open, records } = await serving(t, "", (ports) => ({ ...ports, hears }));
  const service = open();
  const askedBy = async (caller: Caller) => {
    const scope = spans.beginRequest(undefined, "GET /v1/status", {});
    const answer = await spans.enter(scope, () => service.status(caller, {}));
    return [answer.kind, scope.facts.actor, scope.facts.actorKind];
  };
  assert.deepEqual(await askedBy(OPERATOR), ["ok", "alice", "person"]);
  const stranger = bearer("dedalus_0123456789_nobody");
  assert.deepEqual(await askedBy(stranger), ["refused", undefined, undefined]);
  ok(await service.freeze(OPERATOR, { reason: "maintenance" }));
  const newest = (await records()).at(-1);
  assert.ok(
    instances.some((instance) => instance === newest?.instance),
    "what this process writes is known by its id",
  );
});

test("notes are logged by their cause, and an intent that was ended as unknown by its id", () => {
  const told = telling();
  const hears = hearingOf(told.telemetry, () => undefined);
  void hears.note({ cause: "locks-left", facts: { said: "EACCES" } });
  assert.deepEqual(
    told.of("note").map(({ cause, level, said }) => [cause, level, said]),
    [["locks-left", "warn", "EACCES"]],
  );
});
