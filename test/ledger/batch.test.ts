// One batch by itself: what goes into its commit, and what everybody who was in it hears.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Appended, COMMIT_BYTES_MAX, type Commit, type Engine } from "../../src/ledger/engine.ts";
import { LedgerUnread } from "../../src/ledger/failure.ts";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { catchUp, notWritten, settle, startOf } from "../../src/ledger/write/batch.ts";
import type { LedgerDecider, WaitingSubmission } from "../../src/ledger/write/submission.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { asking, type Count, counting, UNDECIDABLE } from "./counting.ts";
import { damagedBy } from "./damaged.ts";
import { chained, draft, linesOf, treeRoot } from "./drafts.ts";
import { ledgersFor } from "./holding.ts";
import { digestOf } from "./lines.ts";

const ledgerOf = ledgersFor({ after });
const waiting = (submission: ReturnType<typeof asking>): WaitingSubmission<Count> => ({
  answer: () => undefined,
  submission,
});

/** An empty ledger; the commits it was sent. */
const taking = async () => {
  const empty = await ledgerOf([]);
  const commits: Commit[] = [];
  const append: Engine["append"] = async (commit, expect) => {
    commits.push(commit);
    return empty.append(commit, expect);
  };
  return { commits, engine: { ...empty, append } };
};
/** The same ledger, which is sent no commit: each is answered so. */
const answering = (engine: Engine, answer: Appended): Engine => ({ ...engine, append: async () => answer });
const settled = (engine: Engine, taken: readonly WaitingSubmission<Count>[], decider = counting) =>
  settle(engine, decider, startOf(decider), taken);

test("as many go into a commit as its bytes allow, to the last one; the others are left", async () => {
  const notes = async (lengths: readonly number[]) => {
    const { commits, engine } = await taking();
    const { answered, left, tail } = await settled(
      engine,
      lengths.map((length) => waiting(asking("x".repeat(length)))),
    );
    const lines = commits[0]?.lines ?? [];
    const bytes = lines.reduce((sum, { length }) => sum + length, 0);
    return { answered: answered.length, bytes, left: left.length, lines: lines.length, size: tail.size };
  };
  const room = COMMIT_BYTES_MAX - (await notes(Array(10).fill(0))).bytes;
  const each = Math.floor(room / 10);
  const rest = Array(9).fill(each);
  assert.deepEqual(await notes([room - 9 * each, ...rest]), {
    answered: 10,
    bytes: COMMIT_BYTES_MAX,
    left: 0,
    lines: 10,
    size: 10,
  });
  const more = await notes([room - 9 * each + 1, ...rest]);
  assert.deepEqual([more.answered, more.left, more.lines, more.size], [9, 1, 9, 9]);
});

test("where nothing can be recorded nothing is sent, and everybody hears why", async () => {
  const taken = [waiting(asking(UNDECIDABLE)), waiting(asking(UNDECIDABLE))];
  const { answered, left, tail } = await settled(await ledgerOf([]), taken);
  assert.deepEqual([answered.map(({ answer }) => answer.kind), left, tail.size], [["read-only", "read-only"], [], 0]);
});

test("a repeat in the same batch waits for the answer of the first, and another caller's key is another key", async () => {
  const { commits, engine } = await taking();
  const ask = asking("once");
  const taken = [ask, ask, asking("once", { caller: "another", key: ask.key })].map(waiting);
  const { answered, left } = await settled(engine, taken);
  assert.deepEqual([commits[0]?.lines.length, commits[0]?.keys.length], [2, 2]);
  const replays = answered.map(({ answer }) => answer.kind === "recorded" && answer.replayed);
  assert.deepEqual(replays, [false, false]);
  assert.deepEqual([answered.map(({ one }) => one), left], [[taken[0], taken[2]], [taken[1]]]);
});

test("the blobs of every member are in the commit", async () => {
  const { commits, engine } = await taking();
  const withBlob: LedgerDecider<Count, number> = {
    ...counting,
    decide: (state, command, floor) => {
      const blob = Buffer.from(command.note);
      const decided = counting.decide(state, command, floor);
      if (command.note === "none") return decided;
      const digest = digestOf(blob);
      return { blobs: new Map([[digest, blob]]), draft: { ...decided.draft, blobs: [digest] } };
    },
  };
  await settled(
    engine,
    ["one", "none", "two"].map((note) => waiting(asking(note))),
    withBlob,
  );
  assert.deepEqual(
    [...(commits[0]?.blobs ?? [])],
    ["one", "two"].map((note) => [digestOf(Buffer.from(note)), Buffer.from(note)]),
  );
});

test("what was not written says why: unread, damaged, or unfit with what was said", () => {
  const failure = { cause: "connection-lost", facts: { name: "test" } } as const;
  const why = (error: unknown) => {
    const answer = notWritten(error);
    return answer.kind === "read-only" ? answer.failure : answer;
  };
  assert.deepEqual(why(new LedgerUnread(failure)), failure);
  const damage = new LedgerDamage(3, { cause: "not-utf8", facts: {} });
  assert.deepEqual(why(damage), { cause: "damaged", facts: { flaw: "not-utf8" } });
  assert.deepEqual(why(new TypeError("no number")), { cause: "unfit", facts: { said: "no number" } });
  assert.deepEqual(why("thrown"), { cause: "unfit", facts: { said: "thrown" } });
});

test("a batch that was refused or whose fate is unknown leaves nothing, and everybody hears it", async () => {
  const failure = { cause: "closing", facts: {} } as const;
  for (const kind of ["read-only", "unknown"] as const) {
    const answer: Appended = kind === "unknown" ? { failure, kind, reading: "open" } : { failure, kind };
    const taken = [waiting(asking("a")), waiting(asking("b"))];
    const { answered, left, tail } = await settled(answering(await ledgerOf([]), answer), taken);
    assert.deepEqual(
      answered,
      taken.map((one) => ({ answer: { failure, kind }, one })),
    );
    assert.deepEqual([left, tail.size], [[], 0]);
  }
});

const ACT = { kind: "ledger.checkpoint" };
const KINDS = [draft(0), draft(1, ACT), draft(2), draft(3, ACT), draft(4)];
const CHAIN = chained(KINDS);

test("what others wrote is folded in, with the root after every act on the ledger", async () => {
  const { roots, size, state } = await catchUp(await ledgerOf(linesOf(CHAIN)), counting, startOf(counting));
  assert.deepEqual([size, state], [5, 5]);
  const rootAt = (length: number) => ({ root: treeRoot(CHAIN.slice(0, length).map(({ hash }) => hash)), size: length });
  assert.deepEqual(roots, [rootAt(2), rootAt(4)]);
});

test("a record that cannot be folded is damage at its seq", async () => {
  const stumbling: LedgerDecider<Count, number> = {
    ...counting,
    evolve: (before) => (before === 3 ? assert.fail("no such kind") : before + 1),
  };
  await assert.rejects(
    catchUp(await ledgerOf(linesOf(CHAIN)), stumbling, startOf(stumbling)),
    damagedBy(3, "body-unfit"),
  );
});

test("of keys that are used already each hears its own: the stored answer, another use, or nothing yet", async () => {
  const [same, reused, fresh] = [asking("same"), asking("reused"), asking("fresh")];
  const decide = ({ command }: typeof same) => counting.decide(0, command, undefined).draft;
  const sealed = chained([decide(same), decide(reused)]);
  const [first, second] = sealed.map(({ record }) => keyUseOf(record));
  assert.ok(first && second);
  const keys = [first, { ...second, request: sha256("another request") }];
  const taken = [same, reused, fresh].map(waiting);
  const engine = answering(await ledgerOf(linesOf(sealed), { keys }), { kind: "duplicate", seq: 0 });
  const { answered, left, tail } = await settled(engine, taken);
  assert.deepEqual(answered, [
    { answer: { kind: "recorded", record: sealed[0]?.record, replayed: true }, one: taken[0] },
    { answer: { kind: "key-reused", seq: 1 }, one: taken[1] },
  ]);
  assert.deepEqual([left, tail.size], [[taken[2]], 2]);
  for (const [lines, cause] of [
    [[], "line-missing"],
    [[Buffer.from("nonsense")], "not-an-object"],
  ] as const) {
    const torn = answering(await ledgerOf(lines, { keys: [first] }), { kind: "duplicate", seq: 0 });
    await assert.rejects(settled(torn, [waiting(same)]), damagedBy(0, cause));
  }
});

test("a lost commit is there when its last line is, and was overtaken when another is", async () => {
  const failure = { cause: "connection-lost", facts: { name: "test" } } as const;
  const lost: Appended = { failure, kind: "unknown", reading: "open" };
  const other = seal(draft(0), { prev: CHAIN[0]?.record.prev ?? assert.fail(), seq: 0 });
  const outcome = async (keep: (commit: Commit) => readonly Uint8Array[]) => {
    const empty = await ledgerOf([]);
    const append: Engine["append"] = async (commit, expect) => {
      const lines = keep(commit);
      if (lines.length > 0)
        assert.equal((await empty.append({ blobs: new Map(), keys: [], lines }, expect)).kind, "ok");
      return lost;
    };
    const taken = [waiting(asking("a")), waiting(asking("b"))];
    const { answered, left, tail } = await settled({ ...empty, append }, taken);
    return [answered.map(({ answer }) => answer.kind), left.length, tail.size];
  };
  assert.deepEqual(await outcome(({ lines }) => lines), [["recorded", "recorded"], 0, 2]);
  assert.deepEqual(await outcome(() => []), [["unknown", "unknown"], 0, 0]);
  assert.deepEqual(await outcome(() => [other.line]), [[], 2, 1], "somebody wrote one record");
  assert.deepEqual(await outcome(() => linesOf(CHAIN).slice(0, 3)), [[], 2, 3], "somebody wrote three");
});
