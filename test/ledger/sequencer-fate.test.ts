// What the sequencer says of a commit whose reply was lost, and of one that was first done by somebody else.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { verifyKeys } from "../../src/ledger/verify/verify-keys.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import { asking, bodies, counting, onLedger, watched } from "./counting.ts";
import { assertChain } from "./lines.ts";

const LOST = { failure: { cause: "connection-lost", facts: { name: "test" } }, kind: "unknown" } as const;

test("a lost reply is resolved by reading: a commit that is there is answered, and not sent again", async () => {
  await onLedger(async (open) => {
    const { engine, lines } = watched(await open(), (done, turn) => (turn === 1 ? { ...LOST, reading: "open" } : done));
    const writer = await openSequencer(engine, counting);
    assert.deepEqual(bodies([await writer.submit(asking("a"))]), [0]);
    assert.deepEqual(lines, [1]);
    assert.deepEqual(bodies([await writer.submit(asking("b"))]), [1]);
    assert.equal((await assertChain(engine)).size, 2);
  });
});

for (const [reading, kind] of [
  ["open", "unknown"],
  ["final", "read-only"],
] as const) {
  test(`a lost commit that is not there is ${kind} to its caller where reading is ${reading}, and the key may be asked again`, async () => {
    await onLedger(async (open) => {
      const real = await open();
      let turn = 0;
      const append: Engine["append"] = async (commit, expect) => {
        turn += 1;
        return turn === 1 ? { ...LOST, reading } : real.append(commit, expect);
      };
      const writer = await openSequencer({ ...real, append }, counting);
      const ask = asking("a");
      assert.deepEqual(await writer.submit(ask), { failure: LOST.failure, kind });
      assert.equal(turn, 1, "it was not sent again");
      assert.deepEqual(bodies([await writer.submit(ask)]), [0]);
      assert.equal((await assertChain(real)).size, 1);
    });
  });
}

test("a ledger that cannot be read after a lost reply leaves the commit unknown, even where reading is final", async () => {
  await onLedger(async (open) => {
    const real = await open();
    let cut = false;
    const append: Engine["append"] = async () => {
      cut = true;
      return { ...LOST, reading: "final" };
    };
    const head: Engine["head"] = () => (cut ? Promise.reject(new Error("no answer")) : real.head());
    const writer = await openSequencer({ ...real, append, head }, counting);
    assert.deepEqual(await writer.submit(asking("a")), LOST);
  });
});

test("a lost commit is not taken for another process's answer to the same key at the same place", async () => {
  await onLedger(async (open) => {
    const real = await open();
    const other = await openSequencer(await open(), counting);
    const ask = asking("a");
    let turn = 0;
    const append: Engine["append"] = async (commit, expect) => {
      turn += 1;
      if (turn > 1) return real.append(commit, expect);
      assert.deepEqual(bodies([await other.submit(ask)]), [0]);
      return { ...LOST, reading: "final" };
    };
    const writer = await openSequencer({ ...real, append }, counting);
    const answer = await writer.submit(ask);
    assert.ok(answer.kind === "recorded" && answer.replayed, JSON.stringify(answer));
    const stored = await other.submit(ask);
    assert.ok(stored.kind === "recorded");
    assert.deepEqual(answer.record, stored.record);
    assert.deepEqual(bodies([await writer.submit(asking("b"))]), [1]);
    assert.equal((await assertChain(real)).size, 2);
  });
});

test("who conflicts with a writer that was asked the same gets that writer's answer; the others are decided again", async () => {
  await onLedger(async (open) => {
    const { engine, lines } = watched(await open());
    const [one, two] = [await openSequencer(engine, counting), await openSequencer(await open(), counting)];
    const [ask, reused] = [asking("once"), asking("used")];
    for (const submission of [asking("first"), ask, reused]) await two.submit(submission);
    const answers = await Promise.all([
      one.submit(asking("x")),
      one.submit(ask),
      one.submit(asking("not used", { key: reused.key })),
      one.submit(asking("y")),
    ]);
    assert.deepEqual(bodies(answers), [3, 1, "key-reused", 4]);
    assert.deepEqual(
      answers.map((answer) => answer.kind === "recorded" && answer.replayed),
      [false, true, false, false],
    );
    assert.deepEqual(lines, [4, 4, 2], "a conflict, a duplicate, and what was left");
    assert.equal((await assertChain(engine)).size, 5);
    assert.deepEqual((await verifyKeys(engine)).findings, []);
  });
});

test("what others wrote is seen while a batch of one's own hangs", async () => {
  await onLedger(async (open) => {
    const engine = await open();
    let release = (): void => undefined;
    const hanging = new Promise<void>((resume) => {
      release = resume;
    });
    let turns = 0;
    const stuck: Engine = {
      ...engine,
      append: async (...given) => {
        turns += 1;
        if (turns > 1) return engine.append(...given);
        await hanging;
        return { ...LOST, reading: "open" };
      },
    };
    const [writer, other] = [await openSequencer(stuck, counting), await openSequencer(await open(), counting)];
    const waiting = writer.submit(asking("mine"));
    assert.equal((await other.submit(asking("theirs"))).kind, "recorded");
    assert.equal(await writer.refresh(), 1);
    release();
    assert.equal((await waiting).kind, "recorded");
    assert.equal(await writer.refresh(), 2);
  });
});

/** A ledger that is swapped for another beneath its writer, as a server that goes over to a standby does it. */
const swapped = (first: Engine, second: Engine) => {
  let now = first;
  const engine: Engine = {
    ...first,
    append: (...given) => now.append(...given),
    head: () => now.head(),
    lookup: (...given) => now.lookup(...given),
    pages: (...given) => now.pages(...given),
    read: (...given) => now.read(...given),
  };
  const swap = (): void => {
    now = second;
  };
  return { engine, swap };
};

for (const [what, records, cause] of [
  ["shorter", 1, "shorter-than-known"],
  ["as long", 2, "known-end-differs"],
  ["longer", 3, "link-broken"],
] as const) {
  test(`a ledger that is swapped for another one, ${what}, is neither read on nor appended to`, async () => {
    await onLedger(async (open) => {
      await onLedger(async (openOther) => {
        const beneath = await openOther();
        const elsewhere = await openSequencer(beneath, counting);
        for (let at = 0; at < records; at += 1) await elsewhere.submit(asking("theirs"));
        const { engine, swap } = swapped(await open(), beneath);
        const writer = await openSequencer(engine, counting);
        for (const note of ["a", "b"]) await writer.submit(asking(note));
        swap();
        const refused = { failure: { cause: "damaged", facts: { flaw: cause } }, kind: "read-only" };
        assert.deepEqual(await writer.submit(asking("c")), refused);
        await assert.rejects(writer.refresh(), (error) => error instanceof LedgerDamage && error.flaw.cause === cause);
        assert.equal((await assertChain(beneath)).size, records, "nothing was appended");
      });
    });
  });
}
