// What a process remembers of the checkpoints that it signed: enough for the next saved state, and no more however long
// it lives.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { commandOf } from "../../src/kernel/command-desk.ts";
import { readAnchor } from "../../src/ledger/anchor/anchor-fit.ts";
import type { Checkpoint } from "../../src/ledger/tree/checkpoint.ts";
import { checkpointHead } from "../../src/service/hold/checkpoint-head.ts";
import { coversRecord, forgetSaved, MET_MAX, rememberMet } from "../../src/service/hold/met-checkpoints.ts";
import { closeDesk, openDesk } from "../../src/service/hold/open-ledger.ts";
import { saveApart } from "../../src/service/hold/save-apart.ts";
import { holdLedger } from "../../src/service/hold/session.ts";
import { turns } from "../../src/service/hold/turns.ts";
import type { Ports } from "../../src/service/ports.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { startThread } from "../../src/start-thread.ts";
import { servicePorts } from "../../src/wire.ts";
import { type Serving, serving } from "./serving.ts";

const signedAt = (size: number): Checkpoint => ({ origin: "test", root: sha256(String(size)), size });
const sizesOf = (met: readonly Checkpoint[]): readonly number[] => met.map(({ size }) => size);

test("however many are signed, no more than a bound are remembered, and the newest is", () => {
  const met: Checkpoint[] = [];
  for (let size = 0; size < MET_MAX + 10; size += 1) rememberMet(met, signedAt(size));
  assert.deepEqual([met.length, met[0]?.size, met.at(-1)?.size], [MET_MAX, 10, MET_MAX + 9]);
  rememberMet(met, ...Array.from({ length: 100 }, (_, size) => signedAt(size)));
  assert.deepEqual([met.length, met.at(-1)?.size], [MET_MAX, MET_MAX + 9], "older ones never drive out the newest");
});

test("what a saved state has is forgotten, but for the newest, which says what the anchor covers", () => {
  const met = [3, 5, 9].map(signedAt);
  forgetSaved(met, 5);
  assert.deepEqual(sizesOf(met), [9]);
  forgetSaved(met, 9);
  assert.deepEqual(sizesOf(met), [9]);
  assert.deepEqual([coversRecord(met, 8), coversRecord(met, 9), coversRecord([], 0)], [true, false, false]);
  forgetSaved([], 9);
});

const portsOf = ({ configuration }: Serving, notes: string[]): Ports => ({
  ...servicePorts(),
  configured: () => ({ kind: "ok", value: configuration }),
  hears: { note: ({ cause }) => void notes.push(cause), recovered: () => undefined },
  startThread,
  version: "0.0.0",
});

test("a process that saved its state remembers what it signed since, and the next start misses none", async (t) => {
  const at = await serving(t);
  const notes: string[] = [];
  const ports = portsOf(at, notes);
  const opened = await openDesk({ configuration: at.configuration, mode: "write", ports });
  assert.ok(opened.kind === "open");
  const held = await holdLedger(opened, turns(), "long");
  const { desk, writer } = held;
  const save = saveApart(desk) ?? assert.fail("there are threads");
  assert.equal(await held.begin(), undefined);
  const record = async (): Promise<void> => {
    await writer.submit(commandOf(held.kernel, { kind: "annotate", text: "it goes on" }));
    assert.ok("note" in checkpointHead(held));
  };
  for (const _ of [1, 2, 3, 4]) await record();
  const before = desk.met.length;
  assert.ok(before > 4);
  const { hash, tree } = writer.chain();
  await save({ floor: undefined, hash, roots: [], state: writer.state(), tree });
  assert.equal(desk.met.length, 1);
  for (const _ of [1, 2]) await record();
  assert.equal(desk.met.length, 3);
  await writer.close();
  await held.disown();
  await closeDesk(opened);

  const { notes: signed } = readAnchor(join(at.folder, "anchor/checkpoints.txt"), desk.signer.vkey);
  assert.ok(signed.length > before + 1);
  const again = await openDesk({ configuration: at.configuration, mode: "read", ports });
  assert.ok(again.kind === "open");
  await closeDesk(again);
  assert.equal(again.ledger.known.tree.size, tree.size, "it begins with what was saved");
  assert.equal(again.ledger.isSavedStateLacking, false);
  assert.deepEqual(notes, []);
});
