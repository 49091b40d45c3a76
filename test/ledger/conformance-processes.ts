// The part of the conformance suite that needs writers in processes of their own: many at once, paused, killed.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { killRounds } from "../../tools/soak/kill.ts";
import { assertChain, commitOn, EMPTY } from "./lines.ts";
import { desk, type Subject } from "./subject.ts";
import { type Writer, writer, writersTogether } from "./writer.ts";

const WRITERS = ["one", "two", "three", "four"] as const;
const RECORDS_EACH = 2_500;
const KILLS = 25;

const kill = (writers: readonly Writer[]): void => {
  for (const { signal } of writers) signal("SIGKILL");
};

/** The ranges of lines a writer was told are durable. */
const acknowledged = (writers: readonly Writer[]): readonly (readonly [from: number, to: number])[] =>
  writers
    .flatMap(({ said }) => said.filter(({ kind }) => kind === "ok").map(({ from, head }) => [from, head.size] as const))
    .sort(([a], [b]) => a - b);

export const processConformance = (subject: Subject): void => {
  const claim = (title: string, body: (t: TestContext) => Promise<void>): void => {
    test(`${subject.name}: ${title}`, body);
  };

  claim("four processes append 10,000 records with no gap, duplicate or fork", async (t) => {
    const { engine: open, where } = await desk(t, subject);
    const writers = await writersTogether(
      subject,
      where,
      WRITERS.map((caller) => ({ caller, linesMax: 32, records: RECORDS_EACH })),
    );
    t.after(() => kill(writers));
    for (const { go } of writers) go();
    // One of them sleeps at moments it does not choose, wherever in a commit it is.
    const [sleeper] = writers;
    for (let nap = 0; nap < 5; nap += 1) {
      sleeper?.signal("SIGSTOP");
      await sleep(20);
      sleeper?.signal("SIGCONT");
      await sleep(5);
    }
    assert.deepEqual(await Promise.all(writers.map(({ gone }) => gone)), [0, 0, 0, 0]);
    assert.ok(
      writers.some(({ said }) => said.some(({ kind }) => kind === "conflict")),
      "INVALID: the writers never met",
    );

    const engine = await open();
    assert.equal((await assertChain(engine)).size, WRITERS.length * RECORDS_EACH);
    let next = 0;
    for (const [from, to] of acknowledged(writers)) {
      assert.equal(from, next, "acknowledged commits touch and do not overlap");
      next = to;
    }
    assert.equal(next, WRITERS.length * RECORDS_EACH);
  });

  claim("a writer that was paused while another appended wakes up and conflicts", async (t) => {
    const { engine: open, where } = await desk(t, subject);
    const engine = await open();
    const made = commitOn(EMPTY, 2);
    assert.deepEqual(await engine.append(made.commit, { size: 0 }), { kind: "ok" });
    const paused = await writer(subject, where, { caller: "paused", linesMax: 1, records: 1 });
    const undisturbed = await writer(subject, where, { caller: "undisturbed", linesMax: 1, records: 1 });
    t.after(() => paused.signal("SIGKILL"));
    t.after(() => undisturbed.signal("SIGKILL"));

    paused.signal("SIGSTOP");
    paused.go();
    undisturbed.go();
    assert.equal(await undisturbed.gone, 0);
    assert.deepEqual(
      undisturbed.said.map(({ from, kind }) => ({ from, kind })),
      [{ from: 2, kind: "ok" }],
    );
    paused.signal("SIGCONT");
    assert.equal(await paused.gone, 0);
    assert.deepEqual(
      paused.said.map(({ from, kind }) => ({ from, kind })),
      [
        { from: 2, kind: "conflict" },
        { from: 3, kind: "ok" },
      ],
    );
    assert.equal((await assertChain(engine)).size, 4);
  });

  claim(`a writer killed ${KILLS} times loses nothing it was told is durable, and leaves no gap`, async (t) => {
    const { where, remove } = await subject.fresh();
    t.after(remove);
    const { acknowledged, flaws, lost, rounds } = await killRounds(subject, where, KILLS);
    assert.deepEqual({ flaws, lost, rounds }, { flaws: [], lost: 0, rounds: KILLS });
    assert.ok(acknowledged >= KILLS, "INVALID: nothing was acknowledged");
  });
};
