// A service that lives long keeps its state by following the ledger: reads come from memory, name their head, and can
// wait for a record; writes are judged on the ledger as it is.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import { LedgerUnread } from "../../src/ledger/failure.ts";
import { soon } from "./bound.ts";
import { bearer, codes, OPERATOR, ok, readyToApply, serving } from "./serving.ts";

const HOME = { environment: "home" };

/** Counts the questions of reads; a follower asks inside of the engine. */
const counting =
  (asked: { head: number }) =>
  (engine: Engine): Engine => ({
    ...engine,
    head: () => {
      asked.head += 1;
      return engine.head();
    },
  });

test("a read of a service that lives long asks the engine nothing, and names the head of its own last write", async (t) => {
  const at = await serving(t);
  const asked = { head: 0 };
  const service = at.openOver(counting(asked));
  const { plan: id } = await readyToApply(service);
  const { record } = ok(await service.observe(OPERATOR, HOME));
  const seq = record?.seq ?? assert.fail("it is recorded");
  let before = -1;
  await soon(
    "a read from memory",
    (async () => {
      while (before !== asked.head) {
        before = asked.head;
        assert.equal(ok(await service.showPlan(OPERATOR, { plan: id })).head.size, seq + 1);
        await new Promise((resume) => setTimeout(resume, 20));
      }
    })(),
  );
});

test("what another process wrote is in the next read that asks for it, and soon in every other", async (t) => {
  const at = await serving(t);
  const [service, other] = [at.open(), at.open()];
  ok(await service.observe(OPERATOR, HOME));
  const { token = "" } = ok(
    await service.createToken(OPERATOR, { days: 7, kind: "person", name: "eve", roles: ["observer"] }),
  ).value;
  const before = ok(await service.plans(bearer(token), {})).head.size;
  const { record } = ok(await other.makePlan(OPERATOR, { ...HOME, scope: "all" }));
  const seq = record?.seq ?? assert.fail("it is recorded");
  assert.ok(seq >= before);
  const read = ok(await soon("the plan", service.plans({ ...bearer(token), atLeast: seq }, {})));
  assert.ok(read.head.size > seq);
  assert.equal(read.value.plans.length, 1);
  assert.ok(ok(await other.plans(OPERATOR, {})).head.size > seq, "its own write it has at once");
});

test("a service that only ever read follows too", async (t) => {
  const at = await serving(t);
  const [reader, writer] = [at.open(), at.open()];
  const { head } = ok(await reader.status(OPERATOR, {}));
  const { record } = ok(await writer.observe(OPERATOR, HOME));
  const seq = record?.seq ?? assert.fail("it is recorded");
  assert.ok(seq >= head.size);
  assert.ok(ok(await soon("the record", reader.status({ ...OPERATOR, atLeast: seq }, {}))).head.size > seq);
});

test("a record that does not come is refused, and a caller who leaves does not wait for it", async (t) => {
  const at = await serving(t);
  for (const life of ["long", "one-request"] as const) {
    const service = at.open(life);
    const size = ok(await service.status(OPERATOR, {})).head.size;
    ok(await service.status({ ...OPERATOR, atLeast: size - 1 }, {}));
    const leaves = new AbortController();
    const waits = service.status({ ...OPERATOR, atLeast: size, signal: leaves.signal }, {});
    leaves.abort();
    assert.deepEqual(codes(await soon("the end of the wait", waits)), ["ledger-behind"]);
    assert.deepEqual(codes(await service.status({ ...OPERATOR, atLeast: -1 }, {})), ["usage"]);
  }
});

test("a token that another process revoked writes nothing from that moment on, and soon reads nothing", async (t) => {
  const at = await serving(t);
  const [service, other] = [at.open(), at.open()];
  const { token = "" } = ok(
    await service.createToken(OPERATOR, { days: 7, kind: "person", name: "eve", roles: ["operator"] }),
  ).value;
  ok(await service.status(bearer(token), {}));
  const { record } = ok(await other.revokeToken(OPERATOR, { name: "eve" }));
  assert.deepEqual(codes(await service.freeze(bearer(token), { reason: "mine" })), ["actor-unknown"]);
  assert.deepEqual(codes(await service.status({ ...bearer(token), atLeast: record?.seq ?? 0 }, {})), ["actor-unknown"]);
});

test("while the ledger cannot be reached reads are refused, and afterwards they go on", async (t) => {
  const at = await serving(t);
  let isDown = false;
  const down = (): void => {
    if (isDown) throw new LedgerUnread({ cause: "connection-lost", facts: { name: "a server" } });
  };
  const service = at.openOver((engine) => ({
    ...engine,
    follow: (from, signal, hears) =>
      engine.follow(from, signal, (head) => {
        down();
        hears?.(head);
      }),
    head: async () => {
      down();
      return engine.head();
    },
  }));
  ok(await service.observe(OPERATOR, HOME));
  isDown = true;
  const refused = async (): Promise<readonly string[]> => {
    for (;;) {
      const answer = await service.plans(OPERATOR, {});
      if (answer.kind === "refused") return codes(answer);
      await new Promise((resume) => setTimeout(resume, 5));
    }
  };
  assert.deepEqual(await soon("a refusal", refused()), ["ledger-unreachable"]);
  isDown = false;
  ok(await service.plans(OPERATOR, {}));
});
