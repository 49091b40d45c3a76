// What an agent asked for waits for a person, also where a person's own step would need nobody: it is listed as such.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ulids } from "../../src/ids.ts";
import { bearer, OPERATOR, ok, serving } from "./serving.ts";

test("a step that an agent asked for is listed as waiting; the same of a person's is not", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const newId = ulids();
  const scope = { environment: "home", scope: "all" } as const;
  ok(await service.makePlan({ ...OPERATOR, key: newId() }, scope));
  assert.deepEqual(ok(await service.status(OPERATOR, {})).value.waiting, []);
  const made = ok(await service.createToken(OPERATOR, { days: 1, name: "robo", roles: ["agent"] }));
  const plan = ok(await service.makePlan({ ...bearer(made.value.token ?? ""), key: newId() }, scope));
  const { waiting } = ok(await service.status(OPERATOR, {})).value;
  assert.deepEqual(
    waiting.map(({ needed, plan: of, requester, step }) => ({ needed, of, requester, step })),
    [{ needed: 1, of: plan.value.id, requester: "robo", step: 1 }],
  );
  await service.close();
});
