// One room: its mutants chosen by the seed, each tried, and every survivor said as soon as it is known.

import { globSync, readFileSync } from "node:fs";
import { chanceFrom, shuffled } from "../fuzz/chance.ts";
import { type Covered, measureCoverage } from "./coverage.ts";
import { coverageCache } from "./coverage-cache.ts";
import { staleRows, withoutEquivalents } from "./equivalent.ts";
import { EQUIVALENTS } from "./equivalents.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import type { Options } from "./options.ts";
import { ROOMS, type RoomName } from "./rooms.ts";
import { shareOut } from "./share-out.ts";
import { type Trial, tryMutant } from "./trial.ts";
import { testFilesIn, type WorkCopy } from "./work-copy.ts";

type Say = (text: string) => void;
const TEST_FILE_MAX_MS = 300_000;

/** Whether the room reached its goal, with no row of equivalents left without its code. */
export const mutateRoom = async (
  room: RoomName,
  copies: readonly WorkCopy[],
  options: Options,
  say: Say,
): Promise<boolean> => {
  const { direct, goal, worlds } = ROOMS[room];
  const files = globSync(`src/${room}/**/*.ts`).sort();
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(file, "utf8")));
  const stale = staleRows(all, files, EQUIVALENTS);
  const counted = withoutEquivalents(all, EQUIVALENTS);
  const candidates = counted.filter(({ file }) => options.files?.includes(file) ?? true);
  const chosen = shuffled(candidates, chanceFrom(options.seed)).slice(0, options.count);
  const witnesses = {
    direct: await coverageOf(copies, direct),
    worlds: options.direct ? [] : await coverageOf(copies, worlds),
  };
  const trials = await shareOut(copies, chosen, async (copy, mutant) => {
    const trial = await tryMutant(copy, mutant, witnesses);
    if (trial.fate === "survived" || trial.fate === "world") say(lineOf(trial));
    return trial;
  });
  for (const { because, file, lineText } of stale) say(`  NO SUCH MUTANT ${file}  ${lineText}: ${because}`);
  const countOf = (wanted: Trial["fate"]): number => trials.filter(({ fate }) => fate === wanted).length;
  const survived = countOf("survived");
  const share = trials.length === 0 ? 100 : (100 * (trials.length - survived)) / trials.length;
  say(
    `${room}: ${trials.length} of ${all.length} mutants, ${trials.length - survived} killed` +
      ` (${countOf("compiler")} by the compiler alone, ${countOf("world")} by a simulated world alone),` +
      ` ${survived} survived: ${share.toFixed(1)} %, goal ${goal} %;` +
      ` ${all.length - counted.length} equivalent ones left out`,
  );
  return share >= goal && stale.length === 0;
};

const coverageOf = async (copies: readonly WorkCopy[], paths: readonly string[]): Promise<readonly Covered[]> => {
  const { keep, kept } = coverageCache(".");
  const measured = await shareOut(copies, testFilesIn(".", paths), async (copy, testFile) => {
    const covered = kept(testFile) ?? (await measureCoverage(copy, testFile, TEST_FILE_MAX_MS));
    if (covered !== undefined) keep(covered);
    return { covered, testFile };
  });
  const failing = measured.flatMap(({ covered, testFile }) => (covered === undefined ? [testFile] : []));
  if (failing.length > 0) throw new Error(`these tests fail on the sources as they are: ${failing.join(", ")}`);
  return measured.flatMap(({ covered }) => covered ?? []);
};

const lineOf = ({ fate, mutant }: Trial): string => `  ${WORD[fate]} ${placeOf(mutant)}  ${changeOf(mutant)}`;
const WORD = {
  compiler: "compiler",
  direct: "killed",
  survived: "SURVIVED",
  world: "world only",
} as const satisfies Record<Trial["fate"], string>;
const placeOf = ({ file, line }: Mutant): string => `${file}:${line}`;
const changeOf = ({ original, replacement }: Mutant): string => `${short(original)}  =>  ${short(replacement)}`;
const short = (text: string): string => {
  const flat = text.replace(/\s+/g, " ");
  return flat.length > 90 ? `${flat.slice(0, 89)}…` : flat;
};
