// Start-up of the kernel on a long ledger: opened and started from its saved state, against folding every record.
//
// Folding is less than the goal's full replay, which also decides everything again, so this asks for more. The ledger
// has one signed checkpoint near its end, and the way that is measured includes holding it against the anchor.

import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { type OpenWriter, openWriterOn } from "../src/kernel/writer.ts";
import { appendNote } from "../src/ledger/anchor/anchor.ts";
import { COMMIT_BYTES_MAX, COMMIT_LINES_MAX, type Commit, type Engine } from "../src/ledger/engine.ts";
import { openChecked } from "../src/ledger/open.ts";
import { keyUseOf } from "../src/ledger/record/asked.ts";
import { rootOf } from "../src/ledger/tree/merkle.ts";
import { type Signer, signerOf } from "../src/ledger/tree/signer.ts";
import { readChainState } from "../src/ledger/verify/chain-state.ts";
import { sqliteAt } from "./engines.ts";
import { withFolderAsync } from "./folder.ts";
import { mix, type Recorded } from "./kernel-mix.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";

const GOAL = 0.15;
/** Written after the saved state, and folded at every start. */
const AFTER = 1_000;

const commitOf = (members: readonly Recorded[]): Commit => ({
  blobs: new Map(members.flatMap(({ blobs }) => [...blobs])),
  keys: members.map(({ sealed: { record } }) => keyUseOf(record)),
  lines: members.map(({ sealed }) => sealed.line),
});

const put = async (engine: Engine, members: readonly Recorded[]): Promise<void> => {
  const [first] = members;
  if (first === undefined) return;
  const result = await engine.append(commitOf(members), { size: first.sealed.record.seq });
  if (result.kind !== "ok") throw new Error(JSON.stringify(result));
};

export const fillLedger = async (engine: Engine, source: ReturnType<typeof mix>, records: number): Promise<void> => {
  let members: Recorded[] = [];
  let bytes = 0;
  for (let left = records; left > 0; left -= 1) {
    const one = source.next().value;
    bytes += one.sealed.line.length;
    if (members.length === COMMIT_LINES_MAX || bytes > COMMIT_BYTES_MAX) {
      await put(engine, members);
      members = [];
      bytes = one.sealed.line.length;
    }
    members.push(one);
  }
  await put(engine, members);
};

type Desk = {
  readonly anchor: string;
  readonly folder: string;
  readonly path: string;
  readonly signer: Signer;
};

/** Opens as every command does, and starts a writer; closes both. */
const started = async ({ anchor, folder, path, signer }: Desk, way: "savedState" | "fold"): Promise<number> => {
  const fromMs = performance.now();
  const engine = await sqliteAt(folder);
  const opened = await openChecked(
    { engine, kind: "open" },
    {
      anchor,
      mode: "write",
      onProgress: () => undefined,
      ...(way === "savedState" ? { savedState: path } : {}),
      vkey: signer.vkey,
    },
  );
  if (opened.kind === "refused") throw new Error(opened.refusal.code);
  const onNote = ({ cause }: { readonly cause: string }): void => {
    throw new Error(cause);
  };
  const writer: OpenWriter = await openWriterOn(
    opened.ledger.engine,
    way === "savedState" ? { met: [], onNote, path, signer } : undefined,
  );
  const ms = performance.now() - fromMs;
  if (writer.state().size !== (await engine.head()).size) throw new Error("the state is of the whole ledger");
  await engine.close();
  return ms;
};

export const startRows = (records: number, starts: number): Promise<readonly Row[]> =>
  withFolderAsync(async (folder) => {
    const { privateKey: secretKey, publicKey } = generateKeyPairSync("ed25519");
    const signer = signerOf({ publicKey, secretKey });
    const desk: Desk = { anchor: join(folder, "anchor"), folder, path: join(folder, "saved-state"), signer };
    const engine = await sqliteAt(folder);
    const source = mix();
    await fillLedger(engine, source, records - AFTER);
    const { tree } = await readChainState(engine);
    appendNote(desk.anchor, signer.sign({ root: rootOf(tree), size: tree.size }));
    const met = [{ origin: signer.origin, root: rootOf(tree), size: tree.size }];
    const onNote = ({ cause }: { readonly cause: string }): void => {
      throw new Error(cause);
    };
    // Folds everything, and leaves a saved state at its end.
    await (await openWriterOn(engine, { met, onNote, path: desk.path, signer })).close();
    await fillLedger(engine, source, AFTER);
    await engine.close();
    const rounds: { readonly fold: number; readonly savedState: number }[] = [];
    for (let left = starts; left > 0; left -= 1)
      rounds.push({ fold: await started(desk, "fold"), savedState: await started(desk, "savedState") });
    const shown = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
    return [
      {
        goal: GOAL,
        measure: `start-up on ${records.toLocaleString("en")} records with a saved state, to folding them all`,
        statistic:
          `wall time, median of ${starts} rounds: ${shown(median(rounds.map(({ savedState }) => savedState)))} ` +
          `to ${shown(median(rounds.map(({ fold }) => fold)))}`,
        value: median(rounds.map(({ fold, savedState }) => savedState / fold)),
      },
    ];
  });
