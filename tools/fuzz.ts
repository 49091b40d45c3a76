// make fuzz: nonsense into every parser, and what they accept into the planner, for a bounded time.
//
//   node tools/fuzz.ts --seconds 60 [--seed N]      a run; the seed is printed
//   node tools/fuzz.ts --seed N --only K            input K of that seed again, alone
//
// Exit code 1 when something was found. What must hold is in fuzz/checks.ts.

import { parseArgs } from "node:util";
import { objectionTo } from "./fuzz/checks.ts";
import { inputOf } from "./fuzz/input.ts";
import { type Failure, fuzz } from "./fuzz/run.ts";

const { values } = parseArgs({
  options: { only: { type: "string" }, seconds: { default: "60", type: "string" }, seed: { type: "string" } },
});

const wholeNumber = (name: string, text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`--${name} takes a whole number, not ${text}`);
  return value;
};

const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber("seed", values.seed);
const only = values.only === undefined ? undefined : wholeNumber("only", values.only);
const untilMs = performance.now() + wholeNumber("seconds", values.seconds) * 1_000;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const PROGRESS_EVERY = 500;
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

const goesOn = (index: number): boolean => {
  if (only !== undefined) return index === only;
  if (index % PROGRESS_EVERY === 0) progress(`seed ${seed}, ${index} inputs`);
  return performance.now() < untilMs;
};

const report = ({ index, input, objection, smallest }: Failure): void => {
  say(`FOUND ${objection}`);
  say(`  input ${index}, ${input.target}, ${input.text.length} characters`);
  say(`  shrunk ${JSON.stringify(smallest)}`);
  say(`  again: node tools/fuzz.ts --seed ${seed} --only ${index}`);
};

say(`seed ${seed}`);
const { failures, inputs, slowest } = fuzz({
  from: only ?? 0,
  goesOn,
  nowMs: () => performance.now(),
  objectionTo,
  seed,
});
progress("");
if (only !== undefined) say(`input ${only}: ${JSON.stringify(inputOf(seed, only))}`);
failures.forEach(report);
say(`${inputs} inputs; slowest ${slowest.ms.toFixed(1)} ms (input ${slowest.index}, ${slowest.length} characters)`);
say(failures.length === 0 ? "nothing found" : `${failures.length} found`);
process.exitCode = failures.length === 0 ? 0 : 1;
