// Tokens as the service makes them: of which kind, for how long, and what is refused before anything is recorded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenCredential } from "../../src/service/hold/callers.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { OPERATOR, ok, serving } from "./serving.ts";

test("the kind of a subject follows from its roles, unless it is said", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const kindOf = async (name: string, ...roles: readonly ("agent" | "observer" | "sensor")[]) =>
    ok(await service.createToken(OPERATOR, { days: 7, name, roles })).value.kind;
  assert.equal(await kindOf("bob", "observer"), "person");
  assert.equal(await kindOf("ci", "observer", "agent"), "agent");
  assert.equal(await kindOf("probe", "sensor"), "agent");
});

test("a name that nobody has and a span that no token lasts are refused, and leave no record", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const before = ok(await service.createToken(OPERATOR, { days: 7, name: "bob", roles: ["observer"] })).value.seq;
  for (const [days, name, code] of [
    [0, "eve", "token-end"],
    [1.5, "eve", "token-end"],
    [100_000, "eve", "token-end"],
    [7, "Not A Name", "subject-name"],
  ] as const) {
    for (const made of [
      await service.createToken(OPERATOR, { days, name, roles: ["observer"] }),
      await service.rotateToken(OPERATOR, { days, name }),
    ]) {
      assert.ok(made.kind === "refused");
      assert.deepEqual([made.domain, made.refusals.map((one) => one.code)], ["input", [code]]);
    }
  }
  assert.equal(ok(await service.rotateToken(OPERATOR, { days: 7, name: "bob" })).value.seq, before + 1);
});

test("a token is known by its hash, and by its public part where it is written as ours are", () => {
  const ours = "dedalus_0123456789_abc";
  assert.deepEqual(tokenCredential(ours), { hash: sha256(ours), kind: "token", name: "0123456789" });
  assert.deepEqual(tokenCredential("other"), { hash: sha256("other"), kind: "token" });
});
