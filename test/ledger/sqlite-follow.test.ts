// A follower of the sqlite engine, with a clock of the test's own: what wakes it, and what ends it in the middle.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { type TestContext, test } from "node:test";
import { commitOn, digestOf, EMPTY } from "./lines.ts";
import { engineAt, grow, ledgers } from "./sqlite-files.ts";

/** Until everybody who can go on without a clock has gone on. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resume) => setImmediate(resume));
};

type Taken = IteratorResult<Uint8Array, unknown>;
const digests = (taken: readonly Taken[]): readonly string[] =>
  taken.map(({ done, value }) => (done === true ? "done" : digestOf(value as Uint8Array)));

for (const [wakes, when] of [
  ["a commit of the same engine", "at once"],
  ["a commit of another", "after 50 ms"],
] as const) {
  test(`sqlite: ${wakes} wakes a follower ${when}`, async (t) => {
    const where = await ledgers(t);
    const [engine, other] = [await engineAt(t, where), await engineAt(t, where)];
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const stop = new AbortController();
    const lines = engine.follow(0, stop.signal)[Symbol.asyncIterator]();
    const taken: Taken[] = [];
    void lines.next().then((one) => taken.push(one));
    await turns();
    const { commit } = commitOn(EMPTY, 1);
    await (when === "at once" ? engine : other).append(commit, { size: 0 });
    await turns();
    if (when !== "at once") {
      assert.equal(taken.length, 0, "nobody told it");
      t.mock.timers.tick(49);
      await turns();
      assert.equal(taken.length, 0);
      t.mock.timers.tick(1);
      await turns();
    }
    assert.deepEqual(digests(taken), commit.lines.map(digestOf));
    assert.equal(getEventListeners(stop.signal, "abort").length, 0, "who waits no more listens no more");
  });
}

/** A follower of an empty ledger that was asked for its first line, on a clock that stands still. */
const waitingFollower = async (t: TestContext) => {
  const engine = await engineAt(t, await ledgers(t));
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const stop = new AbortController();
  const taken: Taken[] = [];
  void engine
    .follow(0, stop.signal)
    [Symbol.asyncIterator]()
    .next()
    .then((one) => taken.push(one));
  return { engine, stop, taken };
};

for (const [title, endOf] of [
  ["its abort", "abort"],
  ["the engine's close", "close"],
] as const) {
  test(`sqlite: a follower that waits ends at ${title}, and not by the clock`, async (t) => {
    const { engine, stop, taken } = await waitingFollower(t);
    await turns();
    assert.equal(taken.length, 0);
    if (endOf === "abort") stop.abort();
    else await engine.close();
    await turns();
    assert.deepEqual(digests(taken), ["done"]);
  });

  test(`sqlite: a follower gives no line after ${title}`, async (t) => {
    const engine = await engineAt(t, await ledgers(t));
    await grow(engine, 1);
    const stop = new AbortController();
    const lines = engine.follow(0, stop.signal)[Symbol.asyncIterator]();
    assert.equal((await lines.next()).done, false);
    assert.equal((await lines.next()).done, false);
    if (endOf === "abort") stop.abort();
    else await engine.close();
    assert.deepEqual(await lines.next(), { done: true, value: undefined });
  });
}

test("sqlite: a follower that is aborted while it reads does not wait afterwards", async (t) => {
  const { stop, taken } = await waitingFollower(t);
  stop.abort();
  await turns();
  assert.deepEqual(digests(taken), ["done"]);
});
