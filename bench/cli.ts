// The whole program against a bare Node that starts, or starts and reads the same file.
//
// Both are started in turns as processes of their own, by the same pinned Node; what counts is the median of all turns.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { desiredStateIn, fleetOf } from "./fleet.ts";
import { withFolder } from "./folder.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";
import { desiredText } from "./yaml.ts";

export const DEDALUS = fileURLToPath(new URL("../bin/dedalus", import.meta.url));
const OBSERVED = 100_000;
const DESIRED = 1_000;
const STARTS = 41;
const PLANS = 11;

export type Start = {
  readonly command: readonly [string, ...string[]];
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly exits: readonly number[];
};

export const cliRows = (): readonly Row[] => withFolder((folder) => [...helpRows(folder), planRow(folder)]);

export const bareNode = (script: string, ...words: readonly string[]): Start => ({
  command: [process.execPath, "-e", script, ...words],
  env: process.env,
  exits: [0],
});

export const cached = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_COMPILE_CACHE: join(folder, "compiled"),
});

const helpRows = (folder: string): readonly Row[] => {
  const help = (env: NodeJS.ProcessEnv): Start => ({ command: [DEDALUS, "--help"], env, exits: [0] });
  const idle = bareNode("0");
  const row = (how: string, goal: number, env: NodeJS.ProcessEnv): Row => ({
    goal,
    measure: `bin/dedalus --help, ${how}, to node -e 0`,
    statistic: `wall time, median of ${STARTS} turns`,
    value: medianRatio(STARTS, help(env), idle),
  });
  return [
    row("compiled code cached", 1.6, cached(folder)),
    row("no compile cache", 6, { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" }),
  ];
};

const planRow = (folder: string): Row => {
  const fleet = fleetOf({ driftPercent: 10, order: "sorted", vms: OBSERVED });
  const current = join(folder, "current.json");
  const desired = join(folder, "desired.yaml");
  writeFileSync(current, fleet.text);
  const every = OBSERVED / DESIRED;
  writeFileSync(desired, desiredText(desiredStateIn(fleet).filter((_, at) => at % every === 0)));
  const plan: Start = {
    command: [DEDALUS, "plan", "--desired", desired, "--replay", current],
    env: cached(folder),
    exits: [4], // steps to apply: any other answer would not be the work that is meant
  };
  const reading = bareNode("JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))", current);
  return {
    goal: 4,
    measure: `bin/dedalus plan --replay, ${OBSERVED} observed and ${DESIRED} desired, to node reading the file`,
    statistic: `wall time, median of ${PLANS} turns`,
    value: medianRatio(PLANS, plan, reading),
  };
};

const medianRatio = (turns: number, subject: Start, baseline: Start): number => {
  // The first start of each fills caches: the disk's, and Node's for compiled code.
  elapsedMs(subject);
  elapsedMs(baseline);
  const times = Array.from({ length: turns }, () => [elapsedMs(subject), elapsedMs(baseline)] as const);
  return median(times.map(([ms]) => ms)) / median(times.map(([, ms]) => ms));
};

export const elapsedMs = (start: Start): number => startOf(start).ms;

export const startOf = ({
  command: [program, ...words],
  cwd,
  env,
  exits,
}: Start): { readonly ms: number; readonly out: string } => {
  const from = performance.now();
  const { error, status, stderr, stdout } = spawnSync(program, words, {
    cwd,
    encoding: "utf8",
    env,
    maxBuffer: 2 ** 28,
  });
  const ms = performance.now() - from;
  if (error !== undefined || status === null || !exits.includes(status)) {
    throw new Error(`${[program, ...words].join(" ")} ended with ${status ?? error?.message}: ${stderr}`);
  }
  return { ms, out: stdout };
};
