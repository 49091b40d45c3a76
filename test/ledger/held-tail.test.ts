// The tail that a process holds: it grows by what others commit without anybody asking, never goes back, and is asked
// of the engine again where the engine was not heard.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import { openPostgres } from "../../src/ledger/engines/postgres/postgres.ts";
import { LedgerUnread } from "../../src/ledger/failure.ts";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { startOf } from "../../src/ledger/write/batch.ts";
import { type HeldTail, holdTail } from "../../src/ledger/write/held-tail.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import { soon, until } from "../service/bound.ts";
import { asking, counting } from "./counting.ts";
import { commitOn, EMPTY, type Made } from "./lines.ts";
import { postgresDesk } from "./postgres-desk.ts";
import { engineAt, ledgers } from "./sqlite-files.ts";

const NEVER = new AbortController().signal;

/** Counts how often the ledger is asked where it stands by anybody but its follower. */
const counted = (engine: Engine) => {
  const asked = { head: 0 };
  const head: Engine["head"] = () => {
    asked.head += 1;
    return engine.head();
  };
  return { asked, engine: { ...engine, head } };
};

const held = (t: TestContext, engine: Engine): HeldTail<number> => {
  const tail = holdTail(engine, counting, startOf(counting));
  t.after(tail.close);
  tail.follow();
  return tail;
};

const put = async (engine: Engine, { commit }: Made, size: number): Promise<void> => {
  assert.deepEqual(await engine.append(commit, { size }), { kind: "ok" });
};

/** Until what is current is answered without a question to the engine. */
const untilHeard = async ({ current }: HeldTail<number>, asked: { head: number }): Promise<void> => {
  for (let before = -1; before !== asked.head; ) {
    before = asked.head;
    await current();
    await new Promise((resume) => setTimeout(resume, 20));
  }
};

test("what another process commits is folded in without anybody asking, and what is current comes from memory", async (t) => {
  const where = await ledgers(t);
  const [own, other] = [await engineAt(t, where), await engineAt(t, where)];
  const { asked, engine } = counted(own);
  const tail = held(t, engine);
  const first = commitOn(EMPTY, 3);
  await put(other, first, 0);
  await until("the commit of another", () => tail.tail().size === 3);
  await untilHeard(tail, asked);
  const before = asked.head;
  for (let left = 100; left > 0; left -= 1) assert.equal((await tail.current()).state, 3);
  assert.equal(asked.head, before, "nobody was asked");
  assert.equal(tail.tail().hash, first.head.hash);
});

test("whoever waits for a record has it as soon as it is folded in, and goes when the signal says so", async (t) => {
  const where = await ledgers(t);
  const [own, other] = [await engineAt(t, where), await engineAt(t, where)];
  const tail = held(t, own);
  const waits = tail.reach(2, NEVER);
  const leaves = new AbortController();
  const gone = tail.reach(3, leaves.signal);
  await put(other, commitOn(EMPTY, 2), 0);
  assert.equal((await soon("the record", waits)).size, 2);
  leaves.abort();
  assert.equal((await soon("the end of a wait", gone)).size, 2, "as it is then");
});

test("a follower that breaks off begins again, and meanwhile the engine is asked and says what is wrong", async (t) => {
  const where = await ledgers(t);
  const [own, other] = [await engineAt(t, where), await engineAt(t, where)];
  let isDown = false;
  const down = (): void => {
    if (isDown) throw new LedgerUnread({ cause: "connection-lost", facts: { name: "a server" } });
  };
  const engine: Engine = {
    ...own,
    async *follow(from, signal, hears) {
      down();
      for await (const line of own.follow(from, signal, (head) => {
        down();
        hears?.(head);
      })) {
        down();
        yield line;
      }
    },
    head: async () => {
      down();
      return own.head();
    },
  };
  const tail = held(t, engine);
  const first = commitOn(EMPTY, 1);
  await put(other, first, 0);
  await until("the first commit", () => tail.tail().size === 1);
  isDown = true;
  await put(other, commitOn(first.head, 1), 1);
  await assert.rejects(async () => {
    for (;;) {
      assert.equal((await tail.current()).size, 1);
      await new Promise((resume) => setTimeout(resume, 5));
    }
  }, LedgerUnread);
  isDown = false;
  await until("the second commit", () => tail.tail().size === 2);
});

test("a ledger that ends before the tail is not served from memory", async (t) => {
  const where = await ledgers(t);
  const own = await engineAt(t, where);
  const first = commitOn(EMPTY, 2);
  await put(own, first, 0);
  const shorter = commitOn(EMPTY, 1).head;
  let isCut = false;
  const engine: Engine = {
    ...own,
    follow: (from, signal, hears) => own.follow(from, signal, (head) => hears?.(isCut ? shorter : head)),
    head: async () => (isCut ? shorter : own.head()),
  };
  const tail = held(t, engine);
  await until("both records", () => tail.tail().size === 2);
  isCut = true;
  await assert.rejects(async () => {
    for (;;) {
      await tail.current();
      await new Promise((resume) => setTimeout(resume, 5));
    }
  }, LedgerDamage);
});

test("a sequencer that follows decides on what another wrote, and never shows less than it showed before", async (t) => {
  const where = await ledgers(t);
  const writers = await Promise.all(
    [await engineAt(t, where), await engineAt(t, where)].map((engine) => openSequencer(engine, counting)),
  );
  const sizes: number[][] = [[], []];
  for (const writer of writers) writer.follow();
  const work = writers.map(async (writer, at) => {
    for (let left = 50; left > 0; left -= 1) {
      const answer = await writer.submit(asking(`${at} ${left}`));
      assert.equal(answer.kind, "recorded");
      sizes[at]?.push(writer.chain().tree.size, (await writer.current()).size);
    }
  });
  await soon("all of it", Promise.all(work));
  for (const seen of sizes)
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
  for (const { reach } of writers) assert.equal((await soon("the last", reach(100, NEVER))).state, 100);
  for (const { close } of writers) await close();
});

suite("a tail on postgres", () => {
  const { fresh, server } = postgresDesk();

  test("postgres: a restart of the server is outlived, and what is current meanwhile is refused or refreshed", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    const open = async (): Promise<Engine> => {
      const result = await openPostgres(where, { answerMaxMs: 5_000, mode: "write" });
      assert.ok(result.kind === "open", JSON.stringify(result));
      t.after(() => result.engine.close());
      return result.engine;
    };
    const [own, other] = [await open(), await open()];
    const tail = held(t, own);
    const first = commitOn(EMPTY, 2);
    await put(other, first, 0);
    await until("the first commit", () => tail.tail().size === 2);
    await server().kill();
    await assert.rejects(async () => {
      for (;;) {
        await tail.current();
        await new Promise((resume) => setTimeout(resume, 5));
      }
    }, LedgerUnread);
    await server().restart();
    await put(other, commitOn(first.head, 3), 2);
    assert.equal((await soon("what came after the restart", tail.reach(5, NEVER))).state, 5);
    assert.equal((await tail.current()).size, 5);
  });
});
