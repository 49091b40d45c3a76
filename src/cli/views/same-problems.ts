// The same mistake in several places of a file, told once with its places: thirty lines of one mistake hide the other
// one. Several slips of one command line that lead to the same help name it once, below the last of them.
//
// Of text alone; a program gets each of them.

import type { Problem } from "../../formats/problem.ts";
import type { Refusal } from "../../spine/model.ts";

/** `also`: where it is made again. */
export type ToldOnce = { readonly also: readonly Problem[]; readonly refusal: Refusal | Problem };

export const toldOnce = (refusals: readonly (Refusal | Problem)[]): readonly ToldOnce[] => {
  const groups = new Map<string | Refusal, { readonly also: Problem[]; readonly refusal: Refusal | Problem }>();
  for (const refusal of refusals) {
    const sameness = "at" in refusal ? mistakeIn(refusal) : refusal;
    const known = groups.get(sameness);
    if (known === undefined) groups.set(sameness, { also: [], refusal });
    else if ("at" in refusal) known.also.push(refusal);
  }
  return [...groups.values()];
};

const mistakeIn = ({ at, cause, code, facts }: Problem): string => JSON.stringify([at.file, code, cause, facts]);

/** Below the first of them: `  also: 6:13 vms[1].target, 7:13 vms[2].target` */
export const alsoLines = (also: readonly Problem[]): readonly string[] => {
  const places = also.map(({ at: { column, field, line } }) => `${line}:${column} ${field}`.trim());
  return places.length === 0 ? [] : [`  also: ${places.join(", ")}`];
};

/** Each is a cause and what leads on from it; what leads on from its successor as well is left to that. */
export const toldTogether = (blocks: readonly (readonly string[])[]): readonly string[] =>
  blocks.flatMap(([cause = "", ...onward], at) => {
    const [, ...next] = blocks[at + 1] ?? [];
    const isSame = next.length > 0 && next.length === onward.length && next.every((line, of) => line === onward[of]);
    return isSame ? [cause] : [cause, ...onward];
  });
