// The key of an act on tokens, asked again after the token is gone: nothing is handed out, nothing comes to life again,
// and nothing is said of the token that its subject has by now. Keeps B2, B5.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "../../src/service/hold/callers.ts";
import type { Service } from "../../src/service/service.ts";
import { bearer, codes, keyed, OPERATOR, ok, serving } from "./serving.ts";

const BOB = { days: 7, kind: "person", name: "bob", roles: ["operator"] } as const;
const CI = { days: 7, kind: "agent", name: "bob", roles: ["agent"] } as const;

type Make = (service: Service, caller: Caller) => ReturnType<Service["createToken"]>;
const MAKES: Readonly<Record<string, Make>> = {
  create: (service, caller) => service.createToken(caller, BOB),
  rotate: (service, caller) => service.rotateToken(caller, { days: 7, name: "bob" }),
};
/** How a token ends; each leaves another of the same name, or none. */
const ENDS: Readonly<Record<string, (service: Service) => Promise<void>>> = {
  revoked: async (service) => void ok(await service.revokeToken(OPERATOR, { name: "bob" })),
  "revoked, and its subject made anew": async (service) => {
    ok(await service.revokeToken(OPERATOR, { name: "bob" }));
    ok(await service.createToken(OPERATOR, CI));
  },
  rotated: async (service) => void ok(await service.rotateToken(OPERATOR, { days: 7, name: "bob" })),
};

for (const [act, make] of Object.entries(MAKES)) {
  for (const [ended, end] of Object.entries(ENDS)) {
    test(`a repeated ${act} of a token that was ${ended} hands out and revives nothing`, async (t) => {
      const { open, records } = await serving(t);
      const [service, caller] = [open(), keyed()];
      if (act === "rotate") ok(await service.createToken(OPERATOR, BOB));
      const { token = assert.fail("it is shown once") } = ok(await make(service, caller)).value;

      const neighbour = ok(await make(service, caller));
      assert.deepEqual([neighbour.replayed, neighbour.value.token, neighbour.value.name], [true, undefined, "bob"]);
      ok(await service.whoami(bearer(token), {}));

      await end(service);
      const [before, listed] = [await records(), ok(await service.tokens(OPERATOR, {})).value];
      for (const asked of [service, open()]) {
        const again = await make(asked, caller);
        assert.deepEqual(codes(again), ["token-unknown"]);
        assert.equal(again.kind === "refused" && again.refusals[0]?.facts["token"], neighbour.value.id);
        assert.deepEqual(codes(await asked.whoami(bearer(token), {})), ["actor-unknown"]);
        assert.deepEqual(ok(await asked.tokens(OPERATOR, {})).value, listed);
      }
      const more = (await records()).slice(before.length).map(({ kind }) => kind);
      assert.deepEqual(more, ["start"], "the second process began, and recorded nothing else");
    });
  }
}

test("a repeated revocation says again what it revoked, and leaves whoever has the name now alone", async (t) => {
  const { open } = await serving(t);
  const [service, caller] = [open(), keyed()];
  const first = ok(await service.createToken(OPERATOR, BOB)).value;
  const revoked = ok(await service.revokeToken(caller, { name: "bob" })).value;
  const { token = "" } = ok(await service.createToken(OPERATOR, CI)).value;
  const again = ok(await service.revokeToken(caller, { name: "bob" }));
  assert.deepEqual([again.replayed, again.value.id, again.value.seq], [true, first.id, revoked.seq]);
  ok(await service.whoami(bearer(token), {}));
  ok(await service.revokeToken(keyed(), { name: "bob" }));
  assert.deepEqual(codes(await service.whoami(bearer(token), {})), ["actor-unknown"]);
});
