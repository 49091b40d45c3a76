// A desk with a ledger: a folder that init has made, and what tests do to it behind the program's back.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atDesk, type Printed } from "./desk.ts";

export type Dedalus = (...argv: readonly string[]) => Promise<Printed>;

/** After init, with so many records from `ledger checkpoint`. */
export const withLedger = <T>(records: number, work: (dedalus: Dedalus, folder: string) => Promise<T>): Promise<T> =>
  atDesk({}, async (dedalus, folder) => {
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    for (let made = 0; made < records; made += 1) {
      const { code, err } = await dedalus("ledger", "checkpoint");
      assert.equal(code, 0, err);
    }
    return work(dedalus, folder);
  });

export const DATABASE = "ledger/dedalus.db";
export const ANCHOR = "anchor/checkpoints.txt";
export const KEY = "keys/ledger.key";

export const edit = (folder: string, file: string, change: (text: string) => string): void => {
  const path = join(folder, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
};

/** The ledger section of dedalus.yaml, written anew. */
export const moveTo = (folder: string, section: string): void =>
  edit(folder, "dedalus.yaml", (text) => text.replace(/^ledger:\n(?: {2}.*\n)+/m, `ledger:\n${section}`));

export const codesIn = ({ out }: Printed): readonly string[] =>
  JSON.parse(out).error.refusals.map(({ code }: { code: string }) => code);

export const refusalsIn = ({ out }: Printed): readonly { readonly rule: string }[] =>
  JSON.parse(out).error?.refusals ?? [];
