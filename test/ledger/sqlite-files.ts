// A SQLite ledger in a folder of its own, and what a test does to its files.

import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";
import type { Engine, Head } from "../../src/ledger/engine.ts";
import { commitOn, EMPTY } from "./lines.ts";
import { open } from "./open-sqlite.ts";
import { opened } from "./subject.ts";

export const fresh = async () => {
  const folder = await mkdtemp(join(tmpdir(), "dedalus-sqlite-"));
  return { remove: () => rm(folder, { force: true, recursive: true }), where: join(folder, "ledger.db") };
};

/** The path of a ledger that is not there so far; its folder goes after the test. */
export const ledgers = async (t: TestContext): Promise<string> => {
  const { remove, where } = await fresh();
  t.after(remove);
  return where;
};

/** An open engine that the test need not close. */
export const engineAt = async (t: TestContext, where: string): Promise<Engine> => {
  const engine = await opened({ open }, where);
  t.after(() => engine.close());
  return engine;
};

/** Appends so many commits of so many lines; gives the head after each. */
export const grow = async (
  engine: Engine,
  commits: number,
  {
    from = EMPTY,
    lines = 3,
    note = "",
  }: { readonly from?: Head; readonly lines?: number; readonly note?: string } = {},
): Promise<readonly Head[]> => {
  const heads: Head[] = [];
  for (let at = 0; at < commits; at += 1) {
    const on = heads.at(-1) ?? from;
    const { commit, head } = commitOn(on, lines, { note });
    const result = await engine.append(commit, { size: on.size });
    if (result.kind !== "ok") throw new Error(JSON.stringify(result));
    heads.push(head);
  }
  return heads;
};

/** Does something to the file behind the engine's back, with SQL. */
export const tamper = (where: string, sql: string): void => {
  const database = new DatabaseSync(where);
  database.exec(sql);
  database.close();
};

/** Rewrites one of the files; its name is the ledger's and a suffix. */
export const edit = async (path: string, change: (bytes: Buffer) => Uint8Array | undefined): Promise<void> => {
  const bytes = await readFile(path);
  await writeFile(path, change(bytes) ?? bytes);
};

/** The files of an open ledger, as a power cut or a backup at this moment would leave them. */
export const copyFiles = async (where: string, to: string): Promise<void> => {
  await cp(where, to);
  await cp(`${where}-wal`, `${to}-wal`);
};
