// What a run of the simulation came to, in words: HELD, FAILED with the seed that repeats it, or INVALID when too
// little happened for it to prove anything.

import type { Explored, Scope } from "./explore.ts";
import type { Failed, Ran } from "./run.ts";
import { absent, type Tally } from "./tally.ts";

export type SimVerdict = { readonly kind: "FAILED" | "HELD" | "INVALID"; readonly because: string };

const objectionsOf = ({ objections }: Pick<Failed, "objections">): string =>
  objections.map(({ check, what }) => `${check}: ${what}`).join("; ");

const times = ({ events }: Tally, what: string): number => events.get(what) ?? 0;

export const verdictOf = ({ failed, tally }: Ran): SimVerdict => {
  if (failed !== undefined) {
    return {
      because: `seed ${failed.seed}: ${objectionsOf(failed)} (again: make sim SEED=${failed.seed})`,
      kind: "FAILED",
    };
  }
  const never = absent(tally);
  if (never.length > 0) return { because: `it never happened: ${never.join(", ")}`, kind: "INVALID" };
  const [intents, calls] = [times(tally, "apply: intended"), times(tally, "dispatched: done")];
  const because = `${tally.worlds} worlds, ${intents} intents, ${calls} calls that the place took, ${times(tally, "crash")} crashes`;
  return { because, kind: "HELD" };
};

/** Fewer than that were not a walk through every interleaving. */
const STATES_MIN = 100;

export const verdictOfWalk = ({ atRest, failure, ledgers, states, transitions }: Explored): SimVerdict => {
  if (failure !== undefined)
    return { because: `${objectionsOf(failure)} after ${failure.path.join(", ")}`, kind: "FAILED" };
  const because = `${states} states, ${transitions} transitions, ${ledgers} ledgers, ${atRest} ends`;
  return { because, kind: states < STATES_MIN || atRest === 0 ? "INVALID" : "HELD" };
};

export const nameOfWalk = ({ contest, deny, hasty, isProvable, register, together }: Scope): string => {
  if (hasty > 0) return `${contest}, a clock jumps ahead`;
  if (deny > 0) return `${contest}, a denial and a revoked token`;
  const deaths = isProvable ? "deaths provable" : "deaths not provable";
  const changes = register > 0 ? "another file or configuration, " : "";
  return `${contest}, ${changes}${deaths}, ${together} at most go wrong`;
};
