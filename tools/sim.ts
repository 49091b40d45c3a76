// make sim: thousands of simulated worlds, each from a seed; what must hold is in sim/check.ts.
//
//   node tools/sim.ts [--worlds 3000] [--from N]      so many worlds from seed N on; without it, from a seed by chance
//   node tools/sim.ts --seed N                        that one world again, with every choice
//   node tools/sim.ts --walk                          every interleaving of the small world, as in a soak
//
// Exit code 0: everything held. 1: something did not. 2: too little happened to prove anything (INVALID).

import { parseArgs } from "node:util";
import { explore } from "./sim/explore.ts";
import { REAL } from "./sim/parts.ts";
import { type Ran, runWorlds } from "./sim/run.ts";
import { WHOLE } from "./sim/scopes.ts";
import { nameOfWalk, type SimVerdict, verdictOf, verdictOfWalk } from "./sim/verdict.ts";

const { values } = parseArgs({
  options: {
    from: { type: "string" },
    seed: { type: "string" },
    walk: { default: false, type: "boolean" },
    worlds: { default: "3000", type: "string" },
  },
});

const wholeNumber = (name: string, text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`--${name} takes a whole number, not ${text}`);
  return value;
};

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

const EXIT = { FAILED: 1, HELD: 0, INVALID: 2 } as const satisfies Record<SimVerdict["kind"], number>;
const conclude = (what: string, { because, kind }: SimVerdict): void => {
  say(`${kind.padEnd(7)} ${what}: ${because}`);
  process.exitCode = Math.max(Number(process.exitCode ?? 0), EXIT[kind]);
};

const sayCounts = ({ tally }: Ran): void => {
  for (const [what, times] of [...tally.events].sort(([a], [b]) => (a < b ? -1 : 1))) {
    say(`${String(times).padStart(9)}  ${what}`);
  }
};

if (values.walk) {
  for (const scope of WHOLE) conclude(nameOfWalk(scope), verdictOfWalk(await explore(scope, REAL)));
} else if (values.seed !== undefined) {
  const seed = wholeNumber("seed", values.seed);
  const ran = await runWorlds({ from: seed, parts: REAL, worlds: 1 });
  for (const [at, step] of (ran.failed?.steps ?? []).entries()) say(`${String(at).padStart(5)}  ${step}`);
  sayCounts(ran);
  const { because, kind } = verdictOf(ran);
  // One world never has everything in it.
  conclude(`seed ${seed}`, kind === "FAILED" ? { because, kind } : { because: "it holds", kind: "HELD" });
} else {
  const from = values.from === undefined ? Math.floor(Math.random() * 2 ** 30) : wholeNumber("from", values.from);
  const worlds = wholeNumber("worlds", values.worlds);
  say(`${worlds} worlds from seed ${from}`);
  const ran = await runWorlds({
    from,
    onWorld: (done) => progress(`${done} of ${worlds}`),
    parts: REAL,
    worlds,
  });
  progress("");
  sayCounts(ran);
  for (const step of ran.failed?.steps ?? []) say(`  ${step}`);
  conclude("simulation", verdictOf(ran));
}
