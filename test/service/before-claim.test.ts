// What is looked at a last time between the yes and the claim: whether whoever asked wants an end, and whether the
// configuration is still the one that the service works under.

import assert from "node:assert/strict";
import { test } from "node:test";
import { codes, OPERATOR, ok, readyToApply, serving } from "./serving.ts";

test("an apply whose caller wants an end before its claim executes nothing; its step is still there", async (t) => {
  const { open, provider, records } = await serving(t);
  const service = open();
  const request = await readyToApply(service);
  const before = (await records()).length;
  const stopped = await service.apply(OPERATOR, request, undefined, async () => false);
  assert.deepEqual(codes(stopped), ["confirmation-missing"]);
  assert.equal(provider.counts.calls, 0);
  assert.equal((await records()).length, before, "nothing was claimed");
  const { value } = ok(await service.apply(OPERATOR, request, undefined, async () => true));
  assert.equal((await value.underway?.ended)?.file.outcome, "succeeded");
});

test("whoever wants an end after the claim changes nothing of it", async (t) => {
  const { open, provider } = await serving(t);
  const service = open();
  const request = await readyToApply(service);
  let isWanted = true;
  const answer = await service.apply(
    OPERATOR,
    request,
    ({ at }) => {
      if (at === "claiming") isWanted = false;
    },
    async () => isWanted,
  );
  assert.equal((await ok(answer).value.underway?.ended)?.file.outcome, "succeeded");
  assert.equal(provider.counts.calls, 1);
});

test("P7-A3 an apply is refused while another configuration is written than the service works under", async (t) => {
  const { configuration, open, provider, records, written } = await serving(t);
  const service = open();
  const request = await readyToApply(service);
  const before = (await records()).length;
  written.config = { ...configuration.config, operator: "bob" };
  assert.deepEqual(codes(await service.apply(OPERATOR, request)), ["configuration-differs"]);
  assert.equal(provider.counts.calls, 0);
  assert.equal((await records()).length, before, "nothing was claimed");
  written.config = configuration.config;
  const { value } = ok(await service.apply(OPERATOR, request));
  assert.equal((await value.underway?.ended)?.file.outcome, "succeeded");
});
