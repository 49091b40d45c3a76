// The sequencer on a real sqlite ledger: group commit, lanes, keys, two writers on one file, a full queue.
//
// Not here: lost replies (sequencer-fate.test.ts), clocks that jump (sequencer-clock.test.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import type { RecordFlaw } from "../../src/ledger/failure.ts";
import { LINE_BYTES_MAX } from "../../src/ledger/record/record.ts";
import { LANE_BOUNDS } from "../../src/ledger/write/lanes.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import type { Submission } from "../../src/ledger/write/submission.ts";
import { asking, bodies, type Count, counting, onLedger, UNDECIDABLE, watched } from "./counting.ts";
import { damagedBy } from "./damaged.ts";
import { assertChain } from "./lines.ts";

test("what arrives together is committed together, each decided on what the one before left", async () => {
  await onLedger(async (open) => {
    const { engine, lines } = watched(await open());
    const writer = await openSequencer(engine, counting);
    const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => writer.submit(asking(`n${at}`))));
    assert.deepEqual(
      bodies(answers),
      Array.from({ length: 300 }, (_, at) => at),
    );
    assert.deepEqual(lines, [256, 44]);
    assert.equal(writer.state(), 300);
    assert.equal((await assertChain(engine)).size, 300);
  });
});

test("mutations do not wait behind telemetry", async () => {
  await onLedger(async (open) => {
    const writer = await openSequencer(await open(), counting);
    const order: string[] = [];
    const ask = (note: string, lane: Submission<Count>["lane"]) =>
      writer.submit(asking(note, { lane })).then(() => order.push(note));
    await Promise.all([ask("t1", "telemetry"), ask("t2", "telemetry"), ask("m1", "mutation")]);
    assert.deepEqual(order, ["m1", "t1", "t2"]);
  });
});

test("two writers on one ledger decide again when the other was first, and fork nothing", async () => {
  await onLedger(async (open) => {
    const [one, two] = [await openSequencer(await open(), counting), await openSequencer(await open(), counting)];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? one : two).submit(asking(`n${at}`))),
    );
    assert.deepEqual(
      answers
        .map((answer) => (answer.kind === "recorded" ? answer.record.body["before"] : -1))
        .sort((a, b) => Number(a) - Number(b)),
      Array.from({ length: 100 }, (_, at) => at),
    );
    assert.equal((await assertChain(await open())).size, 100);
  });
});

test("a sequencer starts from what the ledger holds", async () => {
  await onLedger(async (open) => {
    const first = await openSequencer(await open(), counting);
    await first.submit(asking("a"));
    await first.close();
    const second = await openSequencer(await open(), counting);
    assert.equal(second.state(), 1);
    assert.deepEqual(bodies([await second.submit(asking("b"))]), [1]);
  });
});

test("the same key and request give the stored answer, marked as replayed, in one batch and later", async () => {
  await onLedger(async (open) => {
    const writer = await openSequencer(await open(), counting);
    const ask = asking("once");
    const [first, second] = await Promise.all([writer.submit(ask), writer.submit(ask)]);
    const third = await writer.submit(ask);
    assert.ok(first?.kind === "recorded" && second?.kind === "recorded" && third.kind === "recorded");
    assert.deepEqual([first.replayed, second.replayed, third.replayed], [false, true, true]);
    assert.deepEqual([second.record, third.record], [first.record, first.record]);
    assert.equal(writer.state(), 1);
  });
});

test("the same key with another request is told so, and writes nothing", async () => {
  await onLedger(async (open) => {
    const writer = await openSequencer(await open(), counting);
    const ask = asking("once");
    await writer.submit(ask);
    assert.deepEqual(await writer.submit(asking("other", { key: ask.key })), { kind: "key-reused", seq: 0 });
    assert.equal(writer.state(), 1);
  });
});

test("what no line can hold is turned away alone, and nobody who waits beside it", async () => {
  const unfit: readonly (readonly [note: string, because: RegExp])[] = [
    ["\ud800", /half-surrogate/],
    ["x".repeat(LINE_BYTES_MAX), /a line has at most 65535 bytes/],
    [UNDECIDABLE, /nothing can be decided/],
  ];
  for (const [note, because] of unfit) {
    await onLedger(async (open) => {
      const writer = await openSequencer(await open(), counting);
      const notes = ["before", note, "after"];
      const [before, bad, after] = await Promise.all(notes.map((one) => writer.submit(asking(one))));
      assert.deepEqual([before?.kind, bad?.kind, after?.kind], ["recorded", "read-only", "recorded"]);
      assert.ok(bad?.kind === "read-only" && bad.failure.cause === "unfit");
      assert.match(String(bad.failure.facts["said"]), because);
      assert.deepEqual(bodies([await writer.submit(asking(note)), await writer.submit(asking("next"))]), [
        "read-only",
        2,
      ]);
      assert.equal(writer.state(), 3);
    });
  }
});

test("another caller's use of the same key is another key", async () => {
  await onLedger(async (open) => {
    const writer = await openSequencer(await open(), counting);
    const ask = asking("once");
    await writer.submit(ask);
    assert.deepEqual(bodies([await writer.submit(asking("once", { caller: "somebody else", key: ask.key }))]), [1]);
  });
});

const only = (max: number) => ({ ...LANE_BOUNDS, mutation: { callerMax: max, max, share: 1 } });

test("a full queue refuses, and one that is just not full does not", async () => {
  const kinds = async (count: number): Promise<readonly string[]> =>
    onLedger(async (open) => {
      const writer = await openSequencer(await open(), counting, { bounds: only(4) });
      const answers = await Promise.all(Array.from({ length: count }, (_, at) => writer.submit(asking(`n${at}`))));
      return answers.map(({ kind }) => kind);
    });
  assert.deepEqual(await kinds(4), Array(4).fill("recorded"));
  assert.deepEqual(await kinds(5), [...Array(4).fill("recorded"), "overloaded"]);
});

test("a closed sequencer answers what it took and takes nothing more", async () => {
  await onLedger(async (open) => {
    const writer = await openSequencer(await open(), counting);
    const taken = writer.submit(asking("taken"));
    await writer.close();
    assert.equal((await taken).kind, "recorded");
    assert.equal((await writer.submit(asking("late"))).kind, "read-only");
  });
});

test("records that do not stand one on the other are not folded, and the first of them is named", async () => {
  await onLedger(async (open) => {
    const engine = await open();
    const writer = await openSequencer(engine, counting);
    await Promise.all(["a", "b", "c"].map((note) => writer.submit(asking(note))));
    const changes: readonly (readonly [from: RegExp, to: string, cause: RecordFlaw["cause"]])[] = [
      [/"prev":"[0-9a-f]{64}/, `"prev":"${"f".repeat(64)}`, "link-broken"],
      [/"seq":1/, '"seq":2', "out-of-order"],
      [/"v":1/, '"v":9', "other-format"],
    ];
    for (const [from, to, cause] of changes) {
      const read: Engine["read"] = async function* (start, end) {
        for await (const line of engine.read(start, end)) {
          const text = Buffer.from(line).toString();
          yield text.includes('"seq":1,') ? Buffer.from(text.replace(from, to)) : line;
        }
      };
      const opening = openSequencer({ ...engine, read }, counting);
      await assert.rejects(opening, damagedBy(1, cause));
    }
    assert.equal((await openSequencer(engine, counting)).state(), 3);
  });
});

test("a saved state on its way to the disk holds up no commit, and the end waits for it", async () => {
  await onLedger(async (open) => {
    const { promise: isSlow, resolve: goOn } = Promise.withResolvers<void>();
    const written: number[] = [];
    const savedStates = {
      onNote: () => assert.fail("nothing is remarked"),
      read: async () => ({ kind: "none" }) as const,
      write: async ({ state }: { readonly state: number }) => {
        written.push(state);
        await isSlow;
        return 1;
      },
    };
    const writer = await openSequencer(await open(), counting, { savedStates });
    const many = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, at) => writer.submit(asking(`n${at}`))));
    for (let round = 0; round < 5 && written.length === 0; round += 1) await many(LANE_BOUNDS.mutation.max);
    const before = writer.state();
    await many(3);
    assert.equal(writer.state(), before + 3);
    assert.equal(written.length, 1, "one at a time");
    let isClosed = false;
    const closed = writer.close().then(() => {
      isClosed = true;
    });
    await new Promise((resume) => setTimeout(resume, 20));
    assert.equal(isClosed, false);
    goOn();
    await closed;
  });
});
