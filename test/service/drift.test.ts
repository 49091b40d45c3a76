// drift as an operation: who may ask for it, and whose turn it is at a provider.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Role } from "../../src/kernel/command/roles.ts";
import type { Service } from "../../src/service/service.ts";
import { bearer, codes, OPERATOR, ok, type Serving, serving } from "./serving.ts";

const tokenFor = async (service: Service, name: string, role: Role): Promise<string> => {
  const kind = role === "agent" || role === "sensor" ? "agent" : "person";
  const made = ok(await service.createToken(OPERATOR, { days: 1, kind, name, roles: [role] }));
  return made.value.token ?? assert.fail("it is shown");
};

const recordsOf = async ({ records }: Serving): Promise<number> => (await records()).length;

test("whoever may observe may ask for drift, and nobody else; nothing is recorded of it", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const callers: Record<string, string> = {};
  for (const role of ["observer", "operator", "agent", "approver", "auditor", "sensor"] as const) {
    callers[role] = await tokenFor(service, `${role}-1`, role);
  }
  const before = await recordsOf(at);
  for (const role of ["observer", "operator", "agent"]) {
    const { value } = ok(await service.drift(bearer(callers[role] ?? ""), {}));
    assert.deepEqual([value.environment, value.answers.map(({ kind }) => kind)], ["home", ["step"]]);
  }
  for (const role of ["approver", "auditor", "sensor"]) {
    assert.deepEqual(codes(await service.drift(bearer(callers[role] ?? ""), {})), ["role-missing"]);
  }
  assert.equal(await recordsOf(at), before);
});

test("drift waits for its turn at an environment that is being observed", async (t) => {
  const { open, provider } = await serving(t);
  const service = open();
  await Promise.all([
    service.drift(OPERATOR, {}),
    service.observe(OPERATOR, { environment: "home" }),
    service.drift(OPERATOR, { environment: "home" }),
  ]);
  assert.deepEqual([provider.counts.observations, provider.most()], [3, 1]);
});
