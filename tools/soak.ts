// make soak: what takes longer than a test may. Simulated worlds, every interleaving of a small one; kills of the
// writer and power cuts, on both engines; kills of an apply.
//
//   node tools/soak.ts --rounds 200      so many power cuts per engine, and five times as many kills of each kind
//   node tools/soak.ts --worlds 100000   so many simulated worlds
//   node tools/soak.ts --threads 2       so many threads for them; one for each core, if it is not said
//   node tools/soak.ts --seconds 600     so long a service that is killed every 20 seconds
//   node tools/soak.ts --only sim        one part alone: sim, explore, kills, cuts, applies, instances or serve
//
// Exit code 0: everything held. 1: something was lost, or did not hold. 2: nothing was proven (INVALID).

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { open as openPostgres } from "../test/ledger/open-postgres.ts";
import { open as openSqlite } from "../test/ledger/open-sqlite.ts";
import type { Subject } from "../test/ledger/subject.ts";
import { powerCuts } from "./power-cut/power-cut.ts";
import { POSTGRES, SQLITE, type Store } from "./power-cut/store.ts";
import { added, NO_ROUNDS, type Tally, type Verdict, verdictBeside, verdictOf } from "./power-cut/verdict.ts";
import { startPostgres } from "./servers/postgres.ts";
import { explore } from "./sim/explore.ts";
import { manyWorlds } from "./sim/many.ts";
import { REAL } from "./sim/parts.ts";
import { WHOLE } from "./sim/scopes.ts";
import { nameOfWalk, type SimVerdict, verdictOf as simVerdictOf, verdictOfWalk } from "./sim/verdict.ts";
import { addedKill, applyKills, type KillTally, NO_KILLS } from "./soak/apply-kill.ts";
import { runInstances } from "./soak/instances.ts";
import { killRounds } from "./soak/kill.ts";
import { growthOf, serveSoak } from "./soak/serve-soak.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    rounds: { default: "200", type: "string" },
    seconds: { default: "600", type: "string" },
    threads: { default: `${availableParallelism()}`, type: "string" },
    worlds: { default: "100000", type: "string" },
  },
});
const countOf = (name: "rounds" | "seconds" | "threads" | "worlds"): number => {
  const count = Number(values[name]);
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`--${name} takes a whole number from 1 on`);
  return count;
};
const [rounds, seconds, threads, worlds] = [
  countOf("rounds"),
  countOf("seconds"),
  countOf("threads"),
  countOf("worlds"),
];
const KILLS_PER_ROUND = 5;
/** A ledger that grows for ever would make every observation at it slower. */
const KILLS_PER_LEDGER = 100;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const LINES_MAX = 50;
const progress = (what: string, of: number): ((more?: number) => void) => {
  const every = Math.max(20, Math.floor(of / LINES_MAX));
  let done = 0;
  return (more = 1) => {
    const before = done;
    done += more;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${what}: ${done} of ${of}${done < of ? "" : "\n"}`);
    else if (Math.floor(done / every) > Math.floor(before / every)) say(`  ${what}: ${done} of ${of}`);
  };
};

type Place = { readonly where: string; readonly remove: () => Promise<void> };

const folder = async (): Promise<Place> => {
  const made = await mkdtemp(join(tmpdir(), "dedalus-soak-"));
  return { remove: () => rm(made, { force: true, recursive: true }), where: join(made, "ledger.db") };
};
const server = async (): Promise<Place> => {
  const { stop, url } = await startPostgres();
  return { remove: stop, where: url };
};

type Engine = { readonly open: Subject["open"]; readonly provider: () => Promise<Place>; readonly store: Store };

const ENGINES: readonly Engine[] = [
  { open: openSqlite, provider: folder, store: SQLITE },
  { open: openPostgres, provider: server, store: POSTGRES },
];

const kills = async ({ open, provider: place, store: { name, openers } }: Engine): Promise<Verdict> => {
  const of = rounds * KILLS_PER_ROUND;
  const onRound = progress(`${name}, kills`, of);
  let tally: Tally = NO_ROUNDS;
  while (tally.rounds < of) {
    const { remove, where } = await place();
    try {
      const count = Math.min(KILLS_PER_LEDGER, of - tally.rounds);
      await killRounds({ open, opener: openers.careful }, where, count, (cut) => {
        tally = added(tally, cut);
        onRound();
      });
    } finally {
      await remove();
    }
  }
  return verdictOf(tally);
};

/** Each ledger has a seed of its own, so that a flaw can be had again. */
const applies = async (): Promise<Verdict> => {
  const of = rounds * KILLS_PER_ROUND;
  const onRound = progress("apply, kills", of);
  let tally: KillTally = NO_KILLS;
  for (let seed = 1; tally.rounds < of; seed += 1) {
    const made = await applyKills(Math.min(KILLS_PER_LEDGER, of - tally.rounds), seed, (one) => {
      tally = addedKill(tally, one);
      onRound();
    });
    const [flaw] = made.flaws;
    if (flaw !== undefined) return { because: `seed ${seed}, ${flaw}`, kind: "LOST" };
  }
  const { killed, left } = tally;
  const because = `${killed} of ${of} killed; ${left.nothing} left nothing, ${left.open} an unknown, ${left.ended} an end; no step was sent twice`;
  return { because, kind: killed > 0 && left.open > 0 ? "HELD" : "INVALID" };
};

/** As many rounds as seconds, about; each run has a seed of its own. */
const INSTANCES_ROUNDS = 25;

const instances = async (): Promise<Verdict> => {
  const onRound = progress("instances", rounds);
  const sums = new Map<string, number>();
  const add = (what: string, by: number): void => void sums.set(what, (sums.get(what) ?? 0) + by);
  for (let [seed, done] = [1, 0]; done < rounds; seed += 1) {
    const some = Math.min(INSTANCES_ROUNDS, rounds - done);
    const told = await runInstances({ onRound: () => onRound(), rounds: some, seed, settles: true });
    const [flaw] = told.flaws;
    if (flaw !== undefined) return { because: `seed ${seed}, ${some} rounds: ${flaw}`, kind: "LOST" };
    for (const [what, times] of [...told.causes, ...told.wrongs]) add(what, times);
    add("calls", told.calls);
    done += some;
  }
  const all = Array.from(sums, ([what, times]) => `${what} ${times}`).join(", ");
  const isProven = (sums.get("calls") ?? 0) > 0 && (sums.get("kill") ?? 0) > 0;
  return { because: `no step was performed twice, no record was lost: ${all}`, kind: isProven ? "HELD" : "INVALID" };
};

const KILL_EVERY_SECONDS = 20;
/** The last third of the lives of a process may have so much more memory than the middle third. */
const GROWTH_MAX = 1.1;
/** Of fewer lives nothing can be said. */
const LIVES_MIN = 6;

const serving = async (): Promise<Verdict> => {
  const onKill = progress("serve, kills", Math.ceil(seconds / KILL_EVERY_SECONDS));
  const { acknowledged, applied, flaws, kills, memory, reads } = await serveSoak(seconds, KILL_EVERY_SECONDS, () =>
    onKill(),
  );
  const [flaw] = flaws;
  if (flaw !== undefined) return { because: flaw, kind: "LOST" };
  const growth = memory.length < LIVES_MIN ? undefined : growthOf(memory);
  const told =
    growth === undefined ? "too few lives to compare memory" : `memory ${growth.toFixed(2)} of the middle third`;
  const because = `${kills} kills, ${acknowledged} remarks acknowledged and there, ${applied} applies, each once, ${reads} reads; ${told}`;
  if (growth !== undefined && growth > GROWTH_MAX) return { because, kind: "LOST" };
  return { because, kind: acknowledged > 0 && applied > 0 && kills > 0 ? "HELD" : "INVALID" };
};

const NO_DISK = "no disk to cut here";

const cuts = async ({ store }: Engine): Promise<Verdict> => {
  const onRound = progress(`${store.name}, power cuts`, rounds);
  const result = await powerCuts(store, { flushes: "always", onRound: () => onRound(), rounds });
  if (result.kind === "none") return { because: `${NO_DISK}: ${result.because}`, kind: "INVALID" };
  return verdictBeside(result.ours, result.control);
};

/** Of the simulation itself: a disk that is never told to flush must lose what even a careful writer wrote. */
const control = async (): Promise<Verdict> => {
  const result = await powerCuts(SQLITE, { flushes: "never", rounds: 1 });
  if (result.kind === "none") return { because: `${NO_DISK}: ${result.because}`, kind: "INVALID" };
  const { acknowledged, lost } = result.ours;
  return lost > 0
    ? { because: `a disk that is never told to flush lost ${lost} of ${acknowledged}, as it must`, kind: "HELD" }
    : { because: "a disk that is never told to flush lost nothing, so that no power was cut", kind: "INVALID" };
};

const simulation = async (): Promise<SimVerdict> => {
  const onWorlds = progress("simulated worlds", worlds);
  return simVerdictOf(await manyWorlds({ from: 0, onWorlds, threads, worlds }));
};

type Run = readonly [what: string, run: () => Promise<SimVerdict | Verdict>];
const PARTS: Readonly<Record<string, readonly Run[]>> = {
  sim: [["simulation", simulation]],
  explore: WHOLE.map((scope) => [nameOfWalk(scope), async () => verdictOfWalk(await explore(scope, REAL))]),
  kills: ENGINES.map((engine) => [`${engine.store.name}, kills`, () => kills(engine)]),
  cuts: [
    ["disk cache", control],
    ...ENGINES.map((engine): Run => [`${engine.store.name}, power cuts`, () => cuts(engine)]),
  ],
  applies: [["apply, kills", applies]],
  instances: [["instances", instances]],
  serve: [["serve, kills", serving]],
};
const chosen = values.only === undefined ? Object.values(PARTS).flat() : PARTS[values.only];
if (chosen === undefined) throw new RangeError(`--only takes one of ${Object.keys(PARTS).join(", ")}`);

type Kind = (SimVerdict | Verdict)["kind"];
const EXIT = { FAILED: 1, HELD: 0, INVALID: 2, LOST: 1 } as const satisfies Record<Kind, number>;

const verdicts: (SimVerdict | Verdict)[] = [];
for (const [what, run] of chosen) {
  const verdict = await run();
  verdicts.push(verdict);
  say(`${verdict.kind.padEnd(7)} ${what}: ${verdict.because}`);
}
const worst = (["FAILED", "LOST", "INVALID", "HELD"] as const).find((kind) =>
  verdicts.some((one) => one.kind === kind),
);
process.exitCode = EXIT[worst ?? "INVALID"];
