// For tests of saved states: a ledger in a folder of its own, a sequencer on it that counts and keeps saved states, and
// an engine that tells what was read from it.

import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { signerOf } from "../../src/ledger/tree/signer.ts";
import { savedStatesAt } from "../../src/ledger/write/save-state.ts";
import type { Codec } from "../../src/ledger/write/saved-state.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import { asking, counting } from "./counting.ts";
import { SECRET_KEY } from "./drafts.ts";

export const SIGNER = signerOf({ publicKey: createPublicKey(SECRET_KEY), secretKey: SECRET_KEY });
export const CODEC: Codec<number> = { code: "counting", fromJson: Number, toJson: (count) => count };

export type Desk = {
  readonly anchor: string;
  readonly file: (name: string) => string;
  readonly notes: string[];
  readonly open: (name?: string) => Promise<Engine>;
  readonly savedState: string;
  /** A sequencer that keeps saved states. */
  readonly start: (engine: Engine) => ReturnType<typeof openSequencer<Parameters<typeof counting.decide>[1], number>>;
};

export const withDesk = async <T>(work: (desk: Desk) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-saved-state-"));
  const engines: Engine[] = [];
  const notes: string[] = [];
  const file = (name: string): string => join(folder, name);
  const savedState = file("ledger-saved-state");
  try {
    return await work({
      anchor: file("anchor"),
      file,
      notes,
      open: async (name = "ledger.db") => {
        const opened = await openSqlite(file(name), { mode: "write" });
        assert.ok(opened.kind === "open", JSON.stringify(opened));
        engines.push(opened.engine);
        return opened.engine;
      },
      savedState,
      start: (engine) =>
        openSequencer(engine, counting, {
          savedStates: savedStatesAt({
            codec: CODEC,
            met: [],
            onNote: ({ cause }) => notes.push(cause),
            path: savedState,
            signer: SIGNER,
          }),
        }),
    });
  } finally {
    for (const engine of engines) await engine.close();
    rmSync(folder, { recursive: true });
  }
};

export const LINES = 300;

/** Grows the ledger by so many records and closes the sequencer, which writes a saved state when that is worth it. */
export const grown = async ({ start }: Desk, engine: Engine, records = LINES, note = "n"): Promise<void> => {
  const writer = await start(engine);
  await Promise.all(Array.from({ length: records }, (_, at) => writer.submit(asking(`${note}${at}`))));
  await writer.close();
};

/** The same engine, and which ranges were read from it. */
export const reading = (engine: Engine): { readonly engine: Engine; readonly froms: number[] } => {
  const froms: number[] = [];
  return {
    engine: {
      ...engine,
      read: (from, to) => {
        froms.push(from);
        return engine.read(from, to);
      },
    },
    froms,
  };
};
