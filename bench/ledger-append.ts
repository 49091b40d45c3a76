// Appending through the sequencer, one caller or many, against how fast the disk can make 4 KiB durable.

import { type Bare, bareOn, bareSubmission } from "./bare-ledger.ts";
import { postgresAt, sqliteAt, withPostgres } from "./engines.ts";
import { between, type Disk, diskAt } from "./fdatasync.ts";
import { type FlowOptions, flow } from "./flow.ts";
import { withFolderAsync } from "./folder.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";

const SINGLE_ROUNDS = 9;
const SINGLE = { callers: 1, forMs: 500, recordsMin: 0 } as const;
const CALLERS = 256;

const ask =
  ({ submit }: Bare) =>
  () =>
    submit(bareSubmission());

/** A run, and F around it. */
const beside = async (disk: Disk, bare: Bare, options: FlowOptions) => {
  const before = disk.measure();
  const ran = await flow(options, ask(bare));
  return { ...ran, disk: between(before, disk.measure()) };
};

export const singleRows = (): Promise<readonly Row[]> =>
  withFolderAsync(async (folder) => {
    const disk = diskAt(folder);
    const engine = await sqliteAt(folder);
    const bare = await bareOn(engine);
    await flow(SINGLE, ask(bare));
    const rounds: Awaited<ReturnType<typeof beside>>[] = [];
    for (let left = SINGLE_ROUNDS; left > 0; left -= 1) rounds.push(await beside(disk, bare, SINGLE));
    await bare.close();
    await engine.close();
    disk.close();
    const statistic = `wall time, median of ${SINGLE_ROUNDS} rounds`;
    return [
      {
        bound: "least",
        goal: 0.35,
        measure: "single append, sqlite, to fdatasync/s",
        statistic,
        value: median(rounds.map((round) => round.perSecond / round.disk.perSecond)),
      },
      {
        goal: 2.5,
        measure: "answer of a single append, sqlite, p50, to an fdatasync",
        statistic,
        value: median(rounds.map((round) => round.p50Ms / round.disk.p50Ms)),
      },
    ];
  });

export type Sustained = Pick<FlowOptions, "forMs" | "recordsMin">;

export const sustainedRows = async (options: Sustained): Promise<readonly Row[]> => [
  ...(await withFolderAsync(async (folder) =>
    sustained("sqlite", folder, await bareAt(await sqliteAt(folder)), options),
  )),
  ...(await withPostgres(async (url) => {
    const bare = await bareAt(await postgresAt(await url()));
    return withFolderAsync((folder) => sustained("postgres", folder, bare, options));
  })),
];

type Closing = Bare & { readonly end: () => Promise<void> };
const bareAt = async (engine: Awaited<ReturnType<typeof sqliteAt>>): Promise<Closing> => {
  const bare = await bareOn(engine);
  const end = async (): Promise<void> => {
    await bare.close();
    await engine.close();
  };
  return { ...bare, end };
};

const GOALS = { postgres: 2.5, sqlite: 3.5 } as const;
const P99_MS = 25;

const sustained = async (
  engine: keyof typeof GOALS,
  folder: string,
  bare: Closing,
  options: Sustained,
): Promise<readonly Row[]> => {
  const disk = diskAt(folder);
  await flow({ callers: CALLERS, forMs: 1_000, recordsMin: 0 }, ask(bare));
  const run = await beside(disk, bare, { ...options, callers: CALLERS });
  await bare.end();
  disk.close();
  const seconds = Math.round(options.forMs / 1_000);
  const statistic = `wall time, ${run.records.toLocaleString("en")} records in at least ${seconds} s`;
  const f = `F = ${Math.round(run.disk.perSecond).toLocaleString("en")} /s, ${run.disk.p50Ms.toFixed(2)} ms each`;
  const what = `${engine}, ${CALLERS} callers`;
  const rate: Row = {
    bound: "least",
    goal: GOALS[engine],
    measure: `group commit, ${what}, to fdatasync/s`,
    statistic: `${statistic}; ${f}`,
    value: run.perSecond / run.disk.perSecond,
  };
  if (engine === "postgres") return [rate];
  const p99: Row = {
    beside: f,
    goal: P99_MS,
    measure: `group commit, ${what}, answer p99`,
    statistic,
    unit: "ms",
    value: run.p99Ms,
  };
  // Only a long run says whether the rate holds.
  const held: Row = {
    bound: "least",
    goal: 0.95,
    measure: `group commit, ${what}, last tenth to the first`,
    statistic,
    value: run.lastToFirst,
  };
  return options.recordsMin > 0 ? [rate, p99, held] : [rate, p99];
};
