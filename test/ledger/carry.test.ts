// Carrying lines to another ledger: what is put into one commit, what is read back, and what stops it.

import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { type Appended, COMMIT_BYTES_MAX, type Commit, type Engine } from "../../src/ledger/engine.ts";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import { GENESIS, type Sealed } from "../../src/ledger/record/record.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { readChainState, START } from "../../src/ledger/verify/chain-state.ts";
import {
  type Carrying,
  carryLines,
  putCommit,
  readKeyUse,
  runStoppable,
  verifyCarried,
} from "../../src/ledger/write/carry.ts";
import { copyLedger } from "../../src/ledger/write/copy.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { recordNext } from "./acting.ts";
import { damagedBy } from "./damaged.ts";
import { chain, chained, draft, linesOf } from "./drafts.ts";
import { ledgersFor } from "./holding.ts";
import { commitOn, digestOf, EMPTY } from "./lines.ts";
import { ACTING, copyingOf, fill, ledgerFolderFor } from "./moving.ts";

const ledgerOf = ledgersFor({ after });
const COPY = sha256("a copy");
const usesOf = (sealed: readonly Sealed[]) => sealed.map(({ record }) => keyUseOf(record));

/** What is carried from there into an empty ledger, commit by commit. */
const commitsOf = async (source: Engine): Promise<readonly Commit[]> => {
  const commits: Commit[] = [];
  const empty = await ledgerOf([]);
  const target: Engine = {
    ...empty,
    append: async (commit, expect) => {
      commits.push(commit);
      return empty.append(commit, expect);
    },
  };
  const carrying: Carrying = {
    isLeftOut: async () => false,
    onProgress: () => undefined,
    source: { ...source, keyUse: (record) => readKeyUse(source, record) },
    target,
  };
  await carryLines(carrying, COPY, START);
  return commits;
};
const linesIn = (commits: readonly Commit[]): readonly number[] => commits.map(({ lines }) => lines.length);

/** So many lines of exactly a sixteenth of a commit each; the first has so many bytes more. */
const sixteenths = (count: number, more: number): readonly Sealed[] => {
  const texted = (at: number, length: number) => draft(at, { body: { text: "x".repeat(length) } });
  const room = (at: number) => COMMIT_BYTES_MAX / 16 - seal(texted(at, 0), { prev: GENESIS, seq: at }).line.length;
  return chained(Array.from({ length: count }, (_, at) => texted(at, room(at) + (at === 0 ? more : 0))));
};

test("lines whose bytes just fit go into one commit, and one byte more leaves the last of them to the next", async () => {
  for (const [more, expected] of [
    [0, [16, 16, 1]],
    [1, [15, 16, 2]],
  ] as const) {
    const sealed = sixteenths(33, more);
    assert.deepEqual(linesIn(await commitsOf(await ledgerOf(linesOf(sealed), { keys: usesOf(sealed) }))), expected);
  }
});

test("a commit that has more than 8 MiB of blobs takes no further line, and one with exactly so many does", async () => {
  const megabytes = 8 * 1024 * 1024;
  for (const [bytes, expected] of [
    [megabytes, [2, 1]],
    [megabytes + 1, [1, 2]],
  ] as const) {
    const [large, next] = [Buffer.alloc(bytes, 1), Buffer.alloc(megabytes, 2)];
    const sealed = chained([draft(0, { blobs: [digestOf(large)] }), draft(1, { blobs: [digestOf(next)] }), draft(2)]);
    const blobs = new Map([large, next].map((blob) => [digestOf(blob), blob]));
    const commits = await commitsOf(await ledgerOf(linesOf(sealed), { blobs, keys: usesOf(sealed) }));
    assert.deepEqual(linesIn(commits), expected);
    const carried = commits.flatMap((commit) => [...commit.blobs.keys()]);
    assert.deepEqual(carried, [digestOf(large), digestOf(next)], "each blob once");
  }
});

test("a key that the source has elsewhere, or a blob that is another, is damage at its record", async () => {
  const blob = Buffer.from("a blob");
  const sealed = chained([draft(0), draft(1, { blobs: [digestOf(blob)] })]);
  const [first, second] = usesOf(sealed);
  assert.ok(first && second);
  const held = (keys: readonly (typeof first)[], content = blob) =>
    ledgerOf(linesOf(sealed), { blobs: new Map([[digestOf(blob), content]]), keys });
  const whole = await held([first, second]);
  assert.deepEqual(linesIn(await commitsOf(whole)), [2]);
  await assert.rejects(commitsOf(await held([first, { ...second, seq: 0 }])), damagedBy(1, "key-misplaced"));
  const lying: Engine = { ...whole, blob: async () => Buffer.from("other") };
  await assert.rejects(commitsOf(lying), damagedBy(1, "blob-differs"));
  const altered = await held([first, second], Buffer.from("other"));
  await assert.rejects(commitsOf(altered), damagedBy(undefined, "blob-altered"));
  await assert.rejects(commitsOf(await held([first])), damagedBy(1, "key-unlisted"));
});

test("what is read back must end where what was carried ends", async () => {
  const sealed = chain(3);
  const target = await ledgerOf(linesOf(sealed), { keys: usesOf(sealed) });
  const carrying = { isLeftOut: async () => false, onProgress: () => undefined, source: target, target };
  const whole: Carrying = { ...carrying, source: { ...target, keyUse: async (record) => keyUseOf(record) } };
  await verifyCarried(whole, await readChainState(target));
  const other = chained([draft(0), draft(1), draft(9)]);
  await assert.rejects(
    verifyCarried(whole, await readChainState(await ledgerOf(linesOf(other)))),
    damagedBy(3, "copy-differs"),
  );
});

const LOST: Appended = {
  failure: { cause: "connection-lost", facts: { name: "test" } },
  kind: "unknown",
  reading: "open",
};

test("a commit whose reply is lost is looked for by its size; every other answer stops, with its own refusal", async (t) => {
  const target = await ledgerFolderFor(t).open("a.db");
  const { commit } = commitOn(EMPTY, 2);
  const answered = (append: Engine["append"]) =>
    runStoppable(() => putCommit({ target: { ...target, append } }, commit, 0)).then((stopped) =>
      stopped?.kind === "refused" ? [stopped.refusal.code, stopped.refusal.cause] : "put",
    );
  assert.deepEqual(await answered(async () => LOST), ["record-unwritten", "connection-lost"]);
  const occupied = ["target-occupied", "other-writer"];
  assert.deepEqual(await answered(async () => ({ kind: "conflict", size: 1 })), occupied);
  assert.deepEqual(await answered(async () => ({ kind: "duplicate", seq: 0 })), occupied);
  const lost = await answered(async (sent, expect) => {
    assert.equal((await target.append(sent, expect)).kind, "ok");
    return LOST;
  });
  assert.equal(lost, "put");
  // Whoever else brought it to that size: a conflict is none of our commits.
  assert.deepEqual(await answered(async () => ({ kind: "conflict", size: 2 })), occupied);
});

const moved = async (t: TestContext, records: number) => {
  const ledgers = ledgerFolderFor(t);
  const engines = [await ledgers.open("a.db"), await ledgers.open("b.db"), await ledgers.open("c.db")] as const;
  await fill(engines[0], records);
  return { engines, open: ledgers.open };
};
const NOTE = { kind: "test.noted", request: {}, result: {} };

test("a ledger moves again and again, with what was written between and with every seal in its history", async (t) => {
  const { engines, open } = await moved(t, 2);
  const [a, b, c] = engines;
  const d = await open("d.db");
  for (const [from, to] of [
    [a, b],
    [b, c],
    [c, d],
  ] as const) {
    const { size } = await from.head();
    const copied = await copyLedger(copyingOf(from, to));
    assert.ok(copied.kind === "copied", JSON.stringify(copied));
    assert.equal(copied.seal.seq, size);
    assert.deepEqual(await to.head(), await from.head());
    assert.equal((await recordNext(to, ACTING, () => NOTE)).kind, "recorded");
  }
  assert.equal((await d.head()).size, 2 + 3 + 3);
});

test("a source that is sealed for another while it is copied is not finished here", async (t) => {
  const { engines } = await moved(t, 2);
  const [a, b, c] = engines;
  const copying = copyingOf(a, b);
  const copied = await copyLedger({
    ...copying,
    sealAt: async (chain, sealing) => copying.sealAt(chain, { ...sealing, copy: COPY, to: c.name }),
  });
  assert.ok(copied.kind === "refused");
  assert.deepEqual([copied.refusal.code, copied.refusal.cause], ["ledger-sealed", "sealed-for-another"]);
  assert.equal((await b.head()).size, 2, "the seal of another is not carried");
});

test("a seal that is refused, not written or in doubt ends the copy with that, and the source goes on", async (t) => {
  const { engines } = await moved(t, 2);
  const [a, b] = engines;
  const refusal = refuse("copy-void", { facts: { copy: COPY } });
  const failure = { cause: "closing", facts: {} } as const;
  for (const [answer, code] of [
    [{ kind: "refused", refusal }, "copy-void"],
    [{ failure, kind: "read-only" }, "record-unwritten"],
    [LOST, "record-doubtful"],
  ] as const) {
    const copied = await copyLedger({ ...copyingOf(a, b), sealAt: async () => answer });
    assert.equal(copied.kind === "refused" ? copied.refusal.code : copied.kind, code);
    assert.equal((await a.head()).size, 2);
  }
  assert.equal((await copyLedger(copyingOf(a, b))).kind, "copied");
});

test("a target of one foreign record is another ledger, and a copy that was declared gone is not begun again", async (t) => {
  const { engines } = await moved(t, 2);
  const [a, b, c] = engines;
  const refusalOf = async (target: Engine, isVoid = false) => {
    const copied = await copyLedger({ ...copyingOf(a, target), isVoid: () => isVoid });
    return copied.kind === "refused" ? [copied.refusal.code, copied.refusal.cause] : copied.kind;
  };
  assert.equal((await b.append(commitOn(EMPTY, 1).commit, { size: 0 })).kind, "ok");
  assert.deepEqual(await refusalOf(b), ["target-occupied", "other-ledger"]);
  assert.deepEqual(await refusalOf(c, true), ["copy-void", undefined]);
  assert.equal((await c.head()).size, 0);
  assert.equal(await refusalOf(c), "copied");
});
