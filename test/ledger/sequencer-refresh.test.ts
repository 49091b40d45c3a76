// A refresh that takes long: what was written meanwhile is not forgotten.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import { asking, counting, onLedger } from "./counting.ts";

test("a refresh that began before one's own commit does not take that commit back", async () => {
  await onLedger(async (open) => {
    const real = await open();
    let release = (): void => undefined;
    let waits: Promise<void> | undefined;
    const slow: Engine = {
      ...real,
      head: async () => {
        const seen = await real.head();
        await waits;
        return seen;
      },
    };
    const writer = await openSequencer(slow, counting);
    waits = new Promise((resume) => {
      release = resume;
    });
    const refreshing = writer.refresh();
    await new Promise((resume) => setImmediate(resume));
    assert.equal((await writer.submit(asking("mine"))).kind, "recorded");
    release();
    assert.equal(await refreshing, 1, "the state after one's own commit");
    assert.equal(writer.state(), 1);
    assert.equal(writer.chain().tree.size, 1);
  });
});
