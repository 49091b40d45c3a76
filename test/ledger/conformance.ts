// The one conformance suite: what every ledger engine promises, told as tests that any engine can be put through.
//
// Not here: what processes do to each other (conformance-processes.ts, registered along), and what only one engine can
// show (its own test file).

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { COMMIT_BYTES_MAX, COMMIT_LINES_MAX, type Commit } from "../../src/ledger/engine.ts";
import { processConformance } from "./conformance-processes.ts";
import { assertChain, commitOn, digestOf, EMPTY, gathered, nextUlid } from "./lines.ts";
import { desk, opened, type Subject } from "./subject.ts";

const listed = async <T>(all: AsyncIterable<T>): Promise<readonly T[]> => {
  const list: T[] = [];
  for await (const one of all) list.push(one);
  return list;
};

/** Lets everybody else go on; an engine may answer without ever waiting. */
const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

const withKey = (commit: Commit, key: Commit["keys"][number]): Commit => ({ ...commit, keys: [key] });

export const ledgerConformance = (subject: Subject): void => {
  const claim = (title: string, body: (t: TestContext) => Promise<void>): void => {
    test(`${subject.name}: ${title}`, body);
  };

  claim("an empty ledger has size 0 and the hash of nothing", async (t) => {
    const engine = await (await desk(t, subject)).engine();
    assert.deepEqual(await engine.head(), EMPTY);
    assert.deepEqual(await gathered(engine.read(0, 10)), []);
    assert.equal(engine.readOnly(), undefined);
    assert.ok(engine.name.startsWith(subject.name));
  });

  claim("line bytes are given back exactly, whatever they are", async (t) => {
    const engine = await (await desk(t, subject)).engine();
    const lines = [
      Uint8Array.of(0x7b, 0x7d),
      Buffer.from('{"ünï":"\\u0000 \\n 𝄞"}'),
      Uint8Array.from({ length: 256 }, (_, at) => at), // not text at all
      new Uint8Array(65_535).fill(0x61),
    ];
    assert.deepEqual(await engine.append({ blobs: new Map(), keys: [], lines }, { size: 0 }), { kind: "ok" });
    const back = await gathered(engine.read(0, 4));
    assert.deepEqual(
      back.map((line) => Buffer.from(line).toString("hex")),
      lines.map((line) => Buffer.from(line).toString("hex")),
    );
  });

  claim("ranges are half open, in order, and end where the ledger ends", async (t) => {
    const engine = await (await desk(t, subject)).engine();
    const first = commitOn(EMPTY, 3);
    const second = commitOn(first.head, 250);
    const third = commitOn(second.head, 250);
    for (const [{ commit }, size] of [
      [first, 0],
      [second, 3],
      [third, 253],
    ] as const) {
      assert.deepEqual(await engine.append(commit, { size }), { kind: "ok" });
    }
    const all = [...first.commit.lines, ...second.commit.lines, ...third.commit.lines].map(digestOf);
    for (const [from, to] of [
      [0, 503],
      [0, 0],
      [2, 2],
      [5, 3],
      [1, 2],
      [2, 300],
      [400, 9_999],
      [503, 504],
      [900, 999],
      [490, Number.POSITIVE_INFINITY],
    ] as const) {
      assert.deepEqual((await gathered(engine.read(from, to))).map(digestOf), all.slice(from, Math.max(from, to)));
      const pages = await gathered(engine.pages(from, to));
      assert.ok(pages.every(({ length }) => length > 0));
      assert.deepEqual(pages.flat().map(digestOf), all.slice(from, Math.max(from, to)));
    }
    assert.deepEqual((await gathered(engine.read(-5, 2))).map(digestOf), all.slice(0, 2));
    assert.deepEqual(await assertChain(engine), third.head);
  });

  claim(
    "a commit at the right size behind another line than its writer knows conflicts; behind that one it is taken",
    async (t) => {
      const engine = await (await desk(t, subject)).engine();
      const [first, other] = [commitOn(EMPTY, 2), commitOn(EMPTY, 2)];
      assert.deepEqual(await engine.append(first.commit, { ...EMPTY }), { kind: "ok" });
      const [lost, next] = [commitOn(other.head, 1), commitOn(first.head, 1)];
      assert.deepEqual(await engine.append(lost.commit, other.head), { kind: "conflict", size: 2 });
      assert.deepEqual(await engine.head(), first.head);
      assert.deepEqual(await engine.append(next.commit, first.head), { kind: "ok" });
      assert.deepEqual(await assertChain(engine), next.head);
    },
  );

  claim("a commit at a stale size conflicts, says the size, and writes nothing of it", async (t) => {
    const engine = await (await desk(t, subject)).engine();
    const first = commitOn(EMPTY, 2);
    assert.deepEqual(await engine.append(first.commit, { size: 0 }), { kind: "ok" });
    const bytes = Buffer.from("never stored");
    for (const size of [0, 1, 3]) {
      const stale = commitOn({ ...first.head, size }, 1).commit;
      const commit = { ...stale, blobs: new Map([[digestOf(bytes), bytes]]) };
      assert.deepEqual(await engine.append(commit, { size }), { kind: "conflict", size: 2 });
      const [use] = stale.keys;
      assert.ok(use);
      assert.equal(await engine.lookup(use.caller, use.key), undefined);
    }
    assert.equal(await engine.blob(digestOf(bytes)), undefined);
    assert.deepEqual(await assertChain(engine), first.head);
  });

  claim("a key that was used is a duplicate, with the same body and with another, and writes nothing", async (t) => {
    const engine = await (await desk(t, subject)).engine();
    const first = commitOn(EMPTY, 3);
    assert.deepEqual(await engine.append(first.commit, { size: 0 }), { kind: "ok" });
    const [, use] = first.commit.keys;
    assert.ok(use);
    const bytes = Buffer.from("not stored either");
    for (const request of [use.request, digestOf(bytes)]) {
      const next = commitOn(first.head, 2).commit;
      const again: Commit = {
        ...next,
        blobs: new Map([[digestOf(bytes), bytes]]),
        keys: [...next.keys.slice(0, 1), { ...use, request, seq: 4 }],
      };
      assert.deepEqual(await engine.append(again, { size: 3 }), { kind: "duplicate", seq: use.seq });
      const [other] = next.keys;
      assert.ok(other);
      assert.equal(await engine.lookup(other.caller, other.key), undefined);
    }
    assert.equal(await engine.blob(digestOf(bytes)), undefined);
    assert.deepEqual(await engine.lookup(use.caller, use.key), { request: use.request, seq: 1 });
    assert.deepEqual(await assertChain(engine), first.head);
  });

  claim("a commit that is stale and uses a used key conflicts; at the right size it is the duplicate", async (t) => {
    const { engine: open } = await desk(t, subject);
    const [engine, other] = [await open(), await open()];
    const first = commitOn(EMPTY, 2);
    assert.deepEqual(await engine.append(first.commit, { size: 0 }), { kind: "ok" });
    const [use] = first.commit.keys;
    assert.ok(use);
    // Whoever conflicts folds in what it missed and decides again; only then is a duplicate worth looking up.
    for (const size of [0, 1, 3]) {
      const stale = withKey(commitOn({ ...first.head, size }, 1).commit, { ...use, seq: size });
      assert.deepEqual(await other.append(stale, { size }), { kind: "conflict", size: 2 });
    }
    const again = withKey(commitOn(first.head, 1).commit, { ...use, seq: 2 });
    assert.deepEqual(await other.append(again, { size: 2 }), { kind: "duplicate", seq: 0 });
    assert.deepEqual(await assertChain(engine), first.head);
  });

  claim("the uses of keys are given in the order of the keys, each exactly as it was made", async (t) => {
    const engine = await (await desk(t, subject)).engine();
    assert.deepEqual(await listed(engine.keys()), []);
    const made = commitOn(EMPTY, 256, { caller: "cäller" });
    const next = commitOn(made.head, 256);
    const last = commitOn(next.head, 2);
    const twins = last.commit.keys.map((use, at) => ({ ...use, caller: ["b", "a"][at] ?? "", key: nextUlid() }));
    const [one, two] = twins;
    assert.ok(one && two);
    const keys = [one, { ...two, key: one.key }];
    assert.deepEqual(await engine.append(made.commit, { size: 0 }), { kind: "ok" });
    assert.deepEqual(await engine.append(next.commit, { size: 256 }), { kind: "ok" });
    assert.deepEqual(await engine.append({ ...last.commit, keys }, { size: 512 }), { kind: "ok" });
    assert.deepEqual(await listed(engine.keys()), [...made.commit.keys, ...next.commit.keys, ...keys.toReversed()]);
  });

  claim("a key belongs to its caller: the same key of another caller is another key", async (t) => {
    const engine = await (await desk(t, subject)).engine();
    const key = nextUlid();
    let head = EMPTY;
    for (const caller of ["ana", "anb", "an", "Ana", "ana ", "äna"]) {
      const made = commitOn(head, 1);
      const request = digestOf(Buffer.from(caller));
      const commit = withKey(made.commit, { caller, key, request, seq: head.size });
      assert.deepEqual(await engine.append(commit, { size: head.size }), { kind: "ok" });
      assert.deepEqual(await engine.lookup(caller, key), { request, seq: head.size });
      head = made.head;
    }
    assert.equal(await engine.lookup("nobody", key), undefined);
    assert.equal(await engine.lookup("ana", nextUlid()), undefined);
  });

  claim("a blob is given back by its content's name, may come again, and may be empty", async (t) => {
    const { engine: open } = await desk(t, subject);
    const engine = await open();
    const blobs = [new Uint8Array(0), Buffer.from("one"), new Uint8Array(3_000_000).map((_, at) => at % 251)];
    const named = new Map(blobs.map((bytes) => [digestOf(bytes), bytes] as const));
    const first = commitOn(EMPTY, 1);
    const second = commitOn(first.head, 1);
    assert.deepEqual(await engine.append({ ...first.commit, blobs: named }, { size: 0 }), { kind: "ok" });
    assert.deepEqual(await engine.append({ ...second.commit, blobs: named }, { size: 1 }), { kind: "ok" });
    const other = await open();
    for (const [digest, bytes] of named) {
      const back = await other.blob(digest);
      assert.ok(back);
      assert.equal(Buffer.compare(back, bytes), 0);
    }
    assert.equal(await engine.blob(digestOf(Buffer.from("no such blob"))), undefined);
  });

  claim("a commit of the largest size is taken whole", async (t) => {
    const engine = await (await desk(t, subject)).engine();
    const lines = Array.from({ length: COMMIT_LINES_MAX }, (_, at) =>
      new Uint8Array(COMMIT_BYTES_MAX / COMMIT_LINES_MAX).fill(at),
    );
    const keys = lines.map((line, seq) => ({ caller: "bulk", key: nextUlid(), request: digestOf(line), seq }));
    assert.deepEqual(await engine.append({ blobs: new Map(), keys, lines }, { size: 0 }), { kind: "ok" });
    assert.deepEqual((await gathered(engine.read(0, COMMIT_LINES_MAX))).map(digestOf), lines.map(digestOf));
    assert.equal((await engine.head()).size, COMMIT_LINES_MAX);
  });

  claim("a commit without a line is a bug and stops before anything is written", async (t) => {
    const engine = await (await desk(t, subject)).engine();
    const { commit, head } = commitOn(EMPTY, 1);
    await assert.rejects(engine.append({ ...commit, lines: [] }, { size: 0 }), { name: "AssertionError" });
    assert.deepEqual(await engine.head(), EMPTY);
    assert.deepEqual(await engine.append(commit, { size: 0 }), { kind: "ok" });
    assert.deepEqual(await engine.head(), head);
  });

  claim("of two engines that append at one size at once, exactly one wins", async (t) => {
    const { engine: open } = await desk(t, subject);
    const [one, two] = [await open(), await open()];
    let head = EMPTY;
    for (let round = 0; round < 40; round += 1) {
      const made = [commitOn(head, 1 + (round % 3)), commitOn(head, 2)] as const;
      const results = await Promise.all([
        one.append(made[0].commit, { size: head.size }),
        two.append(made[1].commit, { size: head.size }),
      ]);
      const winner = results.findIndex(({ kind }) => kind === "ok");
      const won = made[winner];
      assert.ok(won, JSON.stringify(results));
      assert.deepEqual(results[1 - winner], { kind: "conflict", size: won.head.size });
      head = won.head;
    }
    assert.deepEqual(await assertChain(one), head);
    assert.deepEqual(await assertChain(two), head);
  });

  claim("two appends at one size from one engine at once: exactly one wins", async (t) => {
    const engine = await (await desk(t, subject)).engine();
    const made = [commitOn(EMPTY, 1), commitOn(EMPTY, 1)] as const;
    const results = await Promise.all(made.map(({ commit }) => engine.append(commit, { size: 0 })));
    assert.deepEqual(results.map(({ kind }) => kind).sort(), ["conflict", "ok"]);
    assert.equal((await assertChain(engine)).size, 1);
  });

  claim("a ledger that is closed and opened again has the same head, lines and keys", async (t) => {
    const { where, remove } = await subject.fresh();
    t.after(remove);
    const made = commitOn(EMPTY, 5);
    const before = await opened(subject, where);
    assert.deepEqual(await before.append(made.commit, { size: 0 }), { kind: "ok" });
    await before.close();
    const after = await opened(subject, where);
    t.after(() => after.close());
    assert.deepEqual(await assertChain(after), made.head);
    for (const { caller, key, request, seq } of made.commit.keys) {
      assert.deepEqual(await after.lookup(caller, key), { request, seq });
    }
  });

  claim("reading to the end while another appends gives whole commits and never a gap", async (t) => {
    const { engine: open } = await desk(t, subject);
    const [reader, writer] = [await open(), await open()];
    let head = EMPTY;
    let done = false;
    const writing = (async () => {
      for (let round = 0; round < 150; round += 1) {
        const made = commitOn(head, 3);
        assert.deepEqual(await writer.append(made.commit, { size: head.size }), { kind: "ok" });
        head = made.head;
        await turn();
      }
    })().finally(() => {
      done = true;
    });
    for (let from = 0; !done; ) {
      const lines = await gathered(reader.read(from, Number.POSITIVE_INFINITY));
      assert.equal(lines.length % 3, 0, "a commit is seen whole");
      from += lines.length;
      await turn();
    }
    await writing;
    assert.deepEqual(await assertChain(reader), head);
  });

  claim("following gives the earlier lines, then the later ones of any writer, and ends when aborted", async (t) => {
    const { engine: open } = await desk(t, subject);
    const [reader, writer] = [await open(), await open()];
    const made = [commitOn(EMPTY, 3)];
    for (const count of [2, 1, 40]) made.push(commitOn(made.at(-1)?.head ?? EMPTY, count));
    const [first, ...later] = made;
    assert.ok(first);
    assert.deepEqual(await writer.append(first.commit, { size: 0 }), { kind: "ok" });

    const stop = new AbortController();
    const seen: string[] = [];
    const waiting = new Map<number, () => void>();
    const follower = (async () => {
      for await (const line of reader.follow(1, stop.signal)) {
        seen.push(digestOf(line));
        waiting.get(seen.length)?.();
      }
    })();
    const until = (count: number): Promise<void> =>
      seen.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.set(count, resolve));

    await until(2);
    let size = 3;
    for (const [at, { commit, head }] of later.entries()) {
      const by = at % 2 === 0 ? writer : reader; // its own lines too
      assert.deepEqual(await by.append(commit, { size }), { kind: "ok" });
      size = head.size;
      await until(size - 1);
    }
    stop.abort();
    await follower;
    assert.deepEqual(seen, made.flatMap(({ commit }) => commit.lines.map(digestOf)).slice(1));
  });

  claim("following that is aborted before it starts gives nothing, and one that waits ends at once", async (t) => {
    const engine = await (await desk(t, subject)).engine();
    assert.deepEqual(await engine.append(commitOn(EMPTY, 1).commit, { size: 0 }), { kind: "ok" });
    assert.deepEqual(await gathered(engine.follow(0, AbortSignal.abort())), []);
    const stop = new AbortController();
    const waits = gathered(engine.follow(1, stop.signal));
    setTimeout(() => stop.abort(), 30);
    assert.deepEqual(await waits, []);
  });

  processConformance(subject);
};
