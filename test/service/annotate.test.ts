// annotate: a remark on record, about a record that is there or about none; a sensor has no say.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bearer, codes, keyed, OPERATOR, ok, serving } from "./serving.ts";

test("a remark is recorded with who made it and the record that it is about, and its key gets the same again", async (t) => {
  const { open, records } = await serving(t);
  const [service, caller] = [open(), keyed()];
  const { value } = ok(await service.annotate(OPERATOR, { text: "the cluster is being moved" }));
  assert.deepEqual([value.about, value.text], [undefined, "the cluster is being moved"]);
  const about = { about: value.seq, text: "it has moved" };
  const second = ok(await service.annotate(caller, about));
  assert.equal(second.value.about, value.id);
  const again = ok(await service.annotate(caller, about));
  assert.deepEqual([again.replayed, again.value], [true, second.value]);
  const remarks = (await records()).filter(({ kind }) => kind === "annotate");
  assert.deepEqual(
    remarks.map(({ actor, auditId }) => [actor.id, auditId]),
    [value, second.value].map(({ by, id }) => [by, id]),
  );
});

test("a remark without words, or about a record that is not there, is refused", async (t) => {
  const { open } = await serving(t);
  const service = open();
  assert.deepEqual(codes(await service.annotate(OPERATOR, { text: " " })), ["reason-missing"]);
  for (const about of [-1, 0.5, 10_000]) {
    const answer = await service.annotate(OPERATOR, { about, text: "so it is" });
    const [refusal] = answer.kind === "refused" ? answer.refusals : [];
    assert.deepEqual([refusal?.code, refusal?.facts["seq"]], ["usage", about]);
  }
});

test("a sensor remarks nothing", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const { token = "" } = ok(
    await service.createToken(OPERATOR, { days: 7, kind: "agent", name: "probe", roles: ["sensor"] }),
  ).value;
  assert.deepEqual(codes(await service.annotate(bearer(token), { text: "so it is" })), ["role-missing"]);
});
