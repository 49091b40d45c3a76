// The same request twice is one record and one answer, across restarts and between processes.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import { openSequencer, type Sequencer } from "../../src/ledger/write/sequencer.ts";
import type { SubmissionAnswer } from "../../src/ledger/write/submission.ts";
import { draft } from "../ledger/drafts.ts";
import { assertChain, nextUlid } from "../ledger/lines.ts";
import { engineAt, ledgers } from "../ledger/sqlite-files.ts";

type Asked = { readonly key: Ulid; readonly what: string };

const deciding = (engine: Engine): Promise<Sequencer<Asked, number>> =>
  openSequencer(engine, {
    decide: (count, { key, what }: Asked) => ({
      draft: draft(count, { body: { request: { what } }, idempotencyKey: key }),
    }),
    evolve: (count) => count + 1,
    initial: 0,
  });

const ask = ({ submit }: Sequencer<Asked, number>, key: Ulid, what: string): Promise<SubmissionAnswer> =>
  submit({ caller: "alice", command: { key, what }, key, lane: "mutation" });

const seqOf = (answer: SubmissionAnswer): number => {
  assert.ok(answer.kind === "recorded", JSON.stringify(answer));
  return answer.record.seq;
};

test("B6 cannot record one request twice, not even after a restart", async (t) => {
  const where = await ledgers(t);
  const key = nextUlid();
  const first = await deciding(await engineAt(t, where));
  const answer = await ask(first, key, "start web-01");
  assert.deepEqual([seqOf(answer), answer.kind === "recorded" && answer.replayed], [0, false]);
  await first.close();
  const engine = await engineAt(t, where);
  const again = await deciding(engine);
  const repeated = await ask(again, key, "start web-01");
  assert.deepEqual([seqOf(repeated), repeated.kind === "recorded" && repeated.replayed], [0, true]);
  assert.deepEqual(await ask(again, key, "stop web-01"), { kind: "key-reused", seq: 0 });
  assert.equal(seqOf(await ask(again, nextUlid(), "start web-01")), 1, "another key is another request");
  assert.equal((await assertChain(engine)).size, 2);
});

test("G6 cannot leave a second record of a delivery that two instances take at once", async (t) => {
  const where = await ledgers(t);
  const [one, other] = [await engineAt(t, where), await engineAt(t, where)];
  const instances = [await deciding(one), await deciding(other)];
  const keys = Array.from({ length: 50 }, () => nextUlid());
  const answers = await Promise.all(
    keys.flatMap((key) => instances.flatMap((instance) => [ask(instance, key, key), ask(instance, key, key)])),
  );
  const seqs = new Set(answers.map(seqOf));
  assert.equal(seqs.size, keys.length);
  assert.equal((await assertChain(one)).size, keys.length);
});
