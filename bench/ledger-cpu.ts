// The ledger's pure part: sealing with chain and tree, and verifying an export of a million records.
//
// These goals are rates on one core. Beside each stands what the same core did with the same bytes in the same run:
// SHA-256 alone, and JSON.stringify or JSON.parse alone.

import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GENESIS } from "../src/ledger/record/record.ts";
import { seal } from "../src/ledger/record/seal.ts";
import { EMPTY_FRONTIER, grown } from "../src/ledger/tree/merkle.ts";
import type { Sha256 } from "../src/spine/model.ts";
import { draftOf } from "./bare-ledger.ts";
import { withFolderAsync } from "./folder.ts";
import { type Rate, race, rateOf, rateText } from "./race.ts";
import type { Row } from "./row.ts";

const DRAFTS = 20_000;
const LIMITS = { limitMs: 6_000, roundsMin: 9 } as const;

export const chainRow = (): Row => {
  const drafts = Array.from({ length: DRAFTS }, (_, n) => draftOf(n));
  const records = drafts.map((draft, seq) => seal(draft, { prev: GENESIS, seq }));
  const { rate } = race(LIMITS, {
    sealed: () => {
      let prev: Sha256 = GENESIS;
      let tree = EMPTY_FRONTIER;
      for (const [seq, draft] of drafts.entries()) {
        prev = seal(draft, { prev, seq }).hash;
        tree = grown(tree, prev);
      }
      return tree;
    },
    sha256: () => records.map(({ line }) => hash("sha256", line, "hex")),
    written: () => records.map(({ record }) => JSON.stringify(record)),
  });
  return {
    beside: `${rateText(rate("sha256", DRAFTS))} SHA-256 and ${rateText(rate("written", DRAFTS))} JSON.stringify alone`,
    bound: "least",
    goal: 120_000,
    measure: "records sealed: canonical bytes, hash, chain and tree, one core",
    unit: "/s",
    ...rate("sealed", DRAFTS),
  };
};

const CHILD = fileURLToPath(new URL("verify-child.ts", import.meta.url));
const TURNS = 5;
const SMALL = 50_000;

/** What verify-child.ts says of one run. */
export type Verified = { readonly cpuMs: number; readonly peakBytes: number; readonly records: number };

const verified = (mode: string, file: string, records: number): Verified => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [CHILD, mode, file], { encoding: "utf8" });
  if (status !== 0) throw new Error(`verify ${mode} ended with ${status}: ${stderr}`);
  const result: Verified = JSON.parse(stdout);
  if (result.records !== records) throw new Error(`verify ${mode} read ${result.records} of ${records} records`);
  return result;
};

const LINES_AT_ONCE = 1_000;

const writeExport = (path: string, records: number): void => {
  const file = openSync(path, "w");
  let prev: Sha256 = GENESIS;
  let waiting: string[] = [];
  for (let seq = 0; seq < records; seq += 1) {
    const sealed = seal(draftOf(seq), { prev, seq });
    prev = sealed.hash;
    waiting.push(`${Buffer.from(sealed.line).toString("utf8")}\n`);
    if (waiting.length === LINES_AT_ONCE || seq === records - 1) {
      writeSync(file, waiting.join(""));
      waiting = [];
    }
  }
  closeSync(file);
};

export const verifyRows = (records: number): Promise<readonly Row[]> =>
  withFolderAsync(async (folder) => {
    const [large, small] = [join(folder, "large.jsonl"), join(folder, "small.jsonl")];
    writeExport(large, records);
    writeExport(small, SMALL);
    const rounds = Array.from({ length: TURNS }, () => ({
      full: verified("full", large, records),
      parse: verified("parse", large, records),
      raw: verified("raw", large, records),
      sha256: verified("sha256", large, records),
      small: verified("full", small, SMALL),
    }));
    const rate = (mode: "full" | "parse" | "raw" | "sha256"): Rate =>
      rateOf(
        records,
        rounds.map((round) => round[mode].cpuMs),
        "runs, main thread",
      );
    const count = records.toLocaleString("en");
    const beside = `${rateText(rate("sha256"))} SHA-256 and ${rateText(rate("parse"))} JSON.parse alone, with the reading`;
    const row = (mode: "full" | "raw", goal: number, what: string): Row => ({
      beside,
      bound: "least",
      goal,
      measure: `verify an export of ${count} records, ${what}`,
      unit: "/s",
      ...rate(mode),
    });
    return [
      row("raw", 250_000, "raw bytes"),
      row("full", 120_000, "every byte canonical"),
      {
        goal: 1.2,
        measure: `peak memory of that, ${count} records to ${SMALL.toLocaleString("en")}`,
        statistic: `worst of ${TURNS} runs`,
        value:
          Math.max(...rounds.map(({ full }) => full.peakBytes)) /
          Math.min(...rounds.map((round) => round.small.peakBytes)),
      },
    ];
  });
