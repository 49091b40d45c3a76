// A saved state that a thread writes while others are served: of the very record that the writer named, known to the
// next start as one of its own, and none at all where what is folded is not what the writer has.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { STATE_CODEC } from "../../src/kernel/state/state-json.ts";
import { readAnchor } from "../../src/ledger/anchor/anchor-fit.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { readChainState } from "../../src/ledger/verify/chain-state.ts";
import { readSavedState } from "../../src/ledger/write/saved-state.ts";
import { readSigner } from "../../src/service/hold/open-ledger.ts";
import type { StateToSave } from "../../src/service/thread-task.ts";
import { startThread } from "../../src/start-thread.ts";
import { OPERATOR, ok, readyToApply, type Serving, serving } from "./serving.ts";

const pathOf = ({ folder }: Serving): string => join(folder, "ledger/dedalus.db-saved-state");

const stateToSave = async ({ configuration, folder }: Serving): Promise<StateToSave> => {
  const signer = readSigner(configuration);
  assert.ok("vkey" in signer);
  const opened = await openSqlite(join(folder, "ledger/dedalus.db"), { mode: "read" });
  assert.ok(opened.kind === "open");
  const { hash, tree } = await readChainState(opened.engine);
  await opened.engine.close();
  const anchor = readAnchor(join(folder, "anchor/checkpoints.txt"), signer.vkey);
  assert.ok(anchor.kind === "anchor");
  const met = anchor.notes.map(({ checkpoint }) => checkpoint);
  return { anchor: { end: anchor.claim.bytes, found: anchor.claim }, hash, met, size: tree.size };
};

test("a thread writes the state after the record that the writer named, and the next start begins there", async (t) => {
  const at = await serving(t);
  const service = at.open();
  await readyToApply(service);
  await service.close();
  const state = await stateToSave(at);
  const said = await startThread(at.configuration, { kind: "save-state", state }).next();
  assert.deepEqual(said, { bytes: readFileSync(pathOf(at)).length, kind: "saved" });
  const signer = readSigner(at.configuration);
  assert.ok("vkey" in signer);
  const opened = await openSqlite(join(at.folder, "ledger/dedalus.db"), { mode: "read" });
  assert.ok(opened.kind === "open");
  const read = await readSavedState(pathOf(at), signer.vkey, opened.engine, STATE_CODEC);
  await opened.engine.close();
  assert.ok(read.kind === "saved");
  assert.deepEqual([read.saved.hash, read.saved.tree.size], [state.hash, state.size]);
  assert.equal(read.saved.anchor?.bytes, state.anchor?.end);
  const again = at.open();
  assert.equal(ok(await again.status(OPERATOR, {})).value.records, state.size);
});

test("nothing is written where what the thread folds does not end as the writer's records do", async (t) => {
  const at = await serving(t);
  const service = at.open();
  await readyToApply(service);
  await service.close();
  const state = await stateToSave(at);
  const thread = startThread(at.configuration, { kind: "save-state", state: { ...state, size: state.size - 1 } });
  await assert.rejects(thread.next(), /known-end-differs/);
  assert.equal(existsSync(pathOf(at)), false);
});
