// ingest: a sensor brings an observation, which is recorded as it is; nobody else does, and no plan is made on it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { currentText } from "../../src/formats/current-json.ts";
import type { Caller } from "../../src/service/hold/callers.ts";
import type { Service } from "../../src/service/service.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { observationOf, state } from "../spine/world.ts";
import { bearer, codes, keyed, OPERATOR, ok, type Serving, serving } from "./serving.ts";

const HOME = { environment: "home" };
const PUSHED = observationOf([state()]);
const CURRENT = { file: "pushed.json", text: currentText(PUSHED) };

const subject = async (service: Service, name: string, role: "observer" | "sensor"): Promise<Caller> => {
  const kind = role === "sensor" ? "agent" : "person";
  const { token = assert.fail("it is shown once") } = ok(
    await service.createToken(OPERATOR, { days: 7, kind, name, roles: [role] }),
  ).value;
  return bearer(token);
};
const recorded = async ({ records }: Serving): Promise<number> =>
  (await records()).filter(({ kind }) => kind === "ingest").length;

test("what a sensor brings is recorded as it is, and its key gets the same again", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const probe = { ...keyed(), ...(await subject(service, "probe", "sensor")) };
  const first = ok(await service.ingest(probe, { ...HOME, current: CURRENT }));
  const { digest } = observe(PUSHED);
  assert.deepEqual(
    [first.value.digest, first.value.environment, first.value.vms, first.value.complete, first.value.gaps],
    [digest, "home", 1, true, 0],
  );
  const again = ok(await service.ingest(probe, { ...HOME, current: CURRENT }));
  assert.deepEqual([again.replayed, again.value], [true, first.value]);
  assert.equal(await recorded(at), 1);
});

test("nobody but a sensor ingests, and the refusal leaves no record", async (t) => {
  const at = await serving(t);
  const service = at.open();
  for (const caller of [OPERATOR, await subject(service, "olga", "observer")]) {
    assert.deepEqual(codes(await service.ingest(caller, { ...HOME, current: CURRENT })), ["role-missing"]);
  }
  assert.equal(await recorded(at), 0);
});

test("a text that is no observation, or one of another environment, is refused, and recorded nowhere", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const probe = await subject(service, "probe", "sensor");
  const ingested = (text: string) => service.ingest(probe, { ...HOME, current: { file: "pushed.json", text } });
  assert.deepEqual(codes(await ingested("{")), ["text-malformed"]);
  assert.deepEqual(codes(await ingested(currentText({ ...PUSHED, environment: "lab" }))), ["observation-foreign"]);
  assert.deepEqual(codes(await service.ingest(probe, { current: CURRENT, environment: "lab" })), [
    "environment-unknown",
  ]);
  assert.equal(await recorded(at), 0);
});

test("a bare list is taken as not complete", async (t) => {
  const service = (await serving(t)).open();
  const probe = await subject(service, "probe", "sensor");
  const text = JSON.stringify([state()]);
  const { value } = ok(await service.ingest(probe, { ...HOME, current: { file: "pushed.json", text } }));
  assert.deepEqual([value.complete, value.gaps, value.vms], [false, 1, 1]);
});
