// register takes the text of a desired file: what is wrong with it is said at its place, and leaves no record of a
// registration.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RefusedAnswer, ServiceAnswer } from "../../src/service/answer.ts";
import type { Vmid } from "../../src/spine/model.ts";
import { desiredTextOf } from "../desired-text.ts";
import { wantRunning, wantStopped } from "../spine/world.ts";
import { OPERATOR, ok, type Serving, serving } from "./serving.ts";

const HOME = { environment: "home" };
const refused = <T>(answer: ServiceAnswer<T>): RefusedAnswer =>
  answer.kind === "refused" ? answer : assert.fail("it is refused");
const registrations = async ({ records }: Serving): Promise<number> =>
  (await records()).filter(({ kind }) => kind === "register").length;

test("a text is registered as what it says, whatever its file is called", async (t) => {
  const at = await serving(t);
  const text = desiredTextOf([wantRunning(), wantStopped("shutdown", { name: "batch-01", vmid: 102 as Vmid })]);
  const { value } = ok(await at.open().register(OPERATOR, { ...HOME, desired: { file: "nowhere.yaml", text } }));
  assert.deepEqual([value.environment, value.vms, value.changes?.length], ["home", 2, 1]);
});

test("a text that is no desired state is refused at its place", async (t) => {
  const at = await serving(t);
  const before = await registrations(at);
  const text = "version: 1\nenvironment: home\nvms: [{ vmid: 101, name: web-01, target: asleep }]\n";
  const { domain, refusals } = refused(
    await at.open().register(OPERATOR, { ...HOME, desired: { file: "d.yaml", text } }),
  );
  assert.equal(domain, "input");
  assert.deepEqual(
    refusals.map((one) => [one.code, "at" in one ? one.at : undefined]),
    [["value-wrong", { column: 42, field: "vms[0].target", file: "d.yaml", line: 3 }]],
  );
  assert.equal(await registrations(at), before);
});

test("the text of another environment is refused, and registers nothing", async (t) => {
  const at = await serving(t);
  const before = await registrations(at);
  const text = desiredTextOf([wantRunning()]).replace("environment: home", "environment: lab");
  const { refusals } = refused(await at.open().register(OPERATOR, { ...HOME, desired: { file: "d.yaml", text } }));
  assert.deepEqual(
    refusals.map(({ code, facts }) => [code, facts]),
    [["desired-foreign", { environment: "home", file: "d.yaml", of: "lab" }]],
  );
  assert.equal(await registrations(at), before);
});
