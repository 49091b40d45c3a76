// A second installation at the same cluster and the same ledger on PostgreSQL: the same configuration in another
// folder, with a signing key and an anchor of its own.

import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atDesk, type Printed } from "../cli/desk.ts";
import type { Cluster } from "./cluster.ts";

export const ANCHOR_FILE = "anchor/checkpoints.txt";

export const atAnotherHome = (cluster: Cluster, work: (other: Cluster) => Promise<void>): Promise<void> =>
  atDesk({}, async (dedalus, folder) => {
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    for (const name of ["dedalus.yaml", "desired.yaml", "secrets"])
      cpSync(join(cluster.folder, name), join(folder, name), { recursive: true });
    const value = async <T>(...argv: readonly string[]): Promise<T> =>
      JSON.parse((await dedalus(...argv, "--json")).out);
    await work({ ...cluster, dedalus, folder, value });
  });

/** The public key by which an instance signs, as it prints it. */
export const keyOf = async ({ value }: Cluster): Promise<string> =>
  (await value<{ readonly key: string }>("ledger", "checkpoint")).key;

/** What an operator types to join with the anchor of an instance that is there. */
export const joinWords = async (
  first: Cluster,
  anchor = join(first.folder, ANCHOR_FILE),
): Promise<readonly string[]> => [
  ...["ledger", "join", "--anchor", anchor],
  ...["--key", await keyOf(first), "--reason", "a second machine"],
];

/** One that shares a ledger of sqlite: the name of its configuration, in a folder inside the first one's. */
export const initBeside = async (
  dedalus: (...argv: readonly string[]) => Promise<Printed>,
  folder: string,
  database: string,
): Promise<string> => {
  assert.equal((await dedalus("freeze", "--reason", "names its anchor")).code, 0);
  assert.equal((await dedalus("init", "second", "--operator", "alice")).code, 0);
  const path = join(folder, "second/dedalus.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace(/path: \S*\.db/, `path: ../${database}`));
  return "second/dedalus.yaml";
};
