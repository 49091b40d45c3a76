// How long `dedalus serve` takes on a long ledger until /readyz says that it is ready: from its saved state, to walking
// and folding every record. Whole processes, one after the other; each is killed, so that the next finds what it found.
//
// The ledger is of the kernel's mix under the key and beside the anchor of a real installation, with signed checkpoints
// at its beginning and near its end, and some records behind its saved state.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openWriterOn } from "../src/kernel/writer.ts";
import { appendNote } from "../src/ledger/anchor/anchor.ts";
import { readKeyFile } from "../src/ledger/tree/key-file.ts";
import { EMPTY_ROOT, rootOf } from "../src/ledger/tree/merkle.ts";
import { signerOf } from "../src/ledger/tree/signer.ts";
import { readChainState } from "../src/ledger/verify/chain-state.ts";
import { initAt } from "../test/service/serving.ts";
import { sqliteAt } from "./engines.ts";
import { withFolderAsync } from "./folder.ts";
import { mix } from "./kernel-mix.ts";
import { fillLedger } from "./ledger-start.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";

const PROGRAM = fileURLToPath(new URL("../bin/dedalus", import.meta.url));
const GOAL = 0.15;
/** Written after the saved state, and folded at every start. */
const AFTER = 1_000;

const savedStateIn = (folder: string): string => join(folder, "ledger/dedalus.db-saved-state");

export const makeInstallation = async (folder: string, records: number, source = mix()): Promise<void> => {
  await initAt(folder);
  const key = readKeyFile(join(folder, "keys/ledger.key"));
  if (key.kind !== "ok") throw new Error(key.cause);
  const signer = signerOf(key.keys);
  mkdirSync(join(folder, "ledger"), { mode: 0o700 });
  const engine = await sqliteAt(folder, "ledger/dedalus.db");
  await fillLedger(engine, source, records - AFTER);
  const { tree } = await readChainState(engine);
  const met = [
    { origin: signer.origin, root: EMPTY_ROOT, size: 0 },
    { origin: signer.origin, root: rootOf(tree), size: tree.size },
  ];
  for (const { root, size } of met) appendNote(join(folder, "anchor/checkpoints.txt"), signer.sign({ root, size }));
  const onNote = ({ cause }: { readonly cause: string }): void => {
    throw new Error(cause);
  };
  await (await openWriterOn(engine, { met, onNote, path: savedStateIn(folder), signer })).close();
  await fillLedger(engine, source, AFTER);
  await engine.close();
};

const readyMs = async (folder: string): Promise<number> => {
  const fromMs = performance.now();
  const child = spawn(PROGRAM, ["serve", "--listen", "127.0.0.1:0", "--json"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  try {
    const [line] = await Promise.race([once(child.stdout, "data"), ended]);
    const { url } = JSON.parse(String(line)) as { readonly url: string };
    const { status } = await fetch(`${url}/readyz`);
    if (status !== 200) throw new Error(`/readyz answered with ${status}`);
    return performance.now() - fromMs;
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
};

const withoutSavedState = async (folder: string): Promise<number> => {
  const [path, aside] = [savedStateIn(folder), `${savedStateIn(folder)}.aside`];
  renameSync(path, aside);
  try {
    return await readyMs(folder);
  } finally {
    renameSync(aside, path);
  }
};

export const serveStartRow = (records: number, starts: number): Promise<Row> =>
  withFolderAsync(async (folder) => {
    await makeInstallation(folder, records);
    const rounds: { readonly saved: number; readonly without: number }[] = [];
    for (let left = starts; left > 0; left -= 1)
      rounds.push({ saved: await readyMs(folder), without: await withoutSavedState(folder) });
    const shown = (list: readonly number[]): string => `${(median(list) / 1_000).toFixed(2)} s`;
    return {
      goal: GOAL,
      measure: `serve until /readyz on ${records.toLocaleString("en")} records with a saved state, to without one`,
      statistic:
        `wall time, median of ${starts} rounds: ${shown(rounds.map(({ saved }) => saved))} ` +
        `to ${shown(rounds.map(({ without }) => without))}`,
      value: median(rounds.map(({ saved, without }) => saved / without)),
    };
  });
