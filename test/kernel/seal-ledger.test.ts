// A seal is appended at exactly the place that was copied, or not at all; and whoever may not seal is told before
// anything is copied, once, in a record.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { bringing } from "../../src/kernel/command/program.ts";
import type { RequestOf } from "../../src/kernel/command/request.ts";
import { recordSealRefusal, type SealGround, sealAt } from "../../src/kernel/seal-ledger.ts";
import type { Engine } from "../../src/ledger/engine.ts";
import type { ChainState } from "../../src/ledger/verify/chain-state.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { KINDS, lineTexts, type Process, stage } from "./stage.ts";
import { configOf } from "./story.ts";

const COPY = sha256("a copy");
const requestAt = (size: number): RequestOf<"ledger.seal"> => ({
  ...bringing(configOf("single-operator"), "1"),
  copy: COPY,
  kind: "ledger.seal",
  root: sha256("a root"),
  size,
  to: "elsewhere",
});
const chainOf = (size: number): ChainState => ({ tree: { size } }) as ChainState;

const processOn = async (t: TestContext): Promise<Process> => (await stage(t)).process();
const groundOf = ({ desk, engine, writer }: Process, roles = desk.actor.roles): SealGround => ({
  desk: { ...desk, actor: { ...desk.actor, roles } },
  engine,
  writer,
});
/** Somebody else appends first, so many times. */
const beatenBy = (engine: Engine, times: number): Engine & { readonly tries: () => number } => {
  let tries = 0;
  return {
    ...engine,
    append: async (...given) => {
      tries += 1;
      return tries <= times ? { kind: "conflict", size: 99 } : engine.append(...given);
    },
    blob: (digest) => engine.blob(digest),
    head: () => engine.head(),
    lookup: (...given) => engine.lookup(...given),
    read: (...given) => engine.read(...given),
    tries: () => tries,
  } as Engine & { readonly tries: () => number };
};

test("a seal stands right behind what was copied, and is refused a place where more was written since", async (t) => {
  const process = await processOn(t);
  const { size } = process.writer.state();
  const late = await sealAt(groundOf(process), chainOf(size - 1), requestAt(size - 1));
  assert.deepEqual(late, { kind: "conflict", size });
  assert.equal((await process.writer.refresh()).size, size, "nothing was written");
  const acted = await sealAt(groundOf(process), chainOf(size), requestAt(size));
  assert.equal(acted.kind, "recorded");
  assert.deepEqual((await process.writer.refresh()).seal, { copy: COPY, seq: size });
});

test("whoever may not seal is answered by the refusal, which is in the ledger, and it is not sealed", async (t) => {
  const process = await processOn(t);
  const { size } = process.writer.state();
  const acted = await sealAt(groundOf(process, []), chainOf(size), requestAt(size));
  assert.ok(acted.kind === "refused", acted.kind);
  assert.equal(acted.refusal.code, "actor-unknown");
  assert.deepEqual(KINDS(await lineTexts(process.engine)).slice(size), ["ledger.seal"]);
  assert.equal((await process.writer.refresh()).seal, undefined);
});

test("where somebody else was first, that is the answer, whether it would have been granted or refused", async (t) => {
  const process = await processOn(t);
  const { size } = process.writer.state();
  for (const roles of [process.desk.actor.roles, []]) {
    const engine = beatenBy(process.engine, 1);
    const acted = await sealAt({ ...groundOf(process, roles), engine }, chainOf(size), requestAt(size));
    assert.deepEqual(acted, { kind: "conflict", size: 99 });
  }
});

test("whoever may seal is not told of, and nothing is written", async (t) => {
  const process = await processOn(t);
  const { size } = process.writer.state();
  const { size: _, ...request } = requestAt(0);
  assert.deepEqual(await recordSealRefusal(groundOf(process), request), []);
  assert.equal((await process.writer.refresh()).size, size);
});

test("a refusal is recorded once, behind whatever others write, and no longer tried after a hundred of them", async (t) => {
  const process = await processOn(t);
  const { size } = process.writer.state();
  const { size: _, ...request } = requestAt(0);
  const after = async (times: number) => {
    const engine = beatenBy(process.engine, times);
    const refusals = await recordSealRefusal({ ...groundOf(process, []), engine }, request);
    assert.deepEqual(
      refusals.map(({ code }) => code),
      ["actor-unknown"],
    );
    return [engine.tries(), (await process.writer.refresh()).size - size];
  };
  assert.deepEqual(await after(0), [1, 1]);
  assert.deepEqual(await after(2), [3, 2]);
  assert.deepEqual(await after(100), [101, 3]);
  assert.deepEqual(await after(1_000), [101, 3]);
});
