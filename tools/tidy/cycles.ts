// Files that need each other at run time: neither can be understood, loaded or removed without the other.
//
// Imports of types are erased and make no circle.

import { type Finding, findingAt, type Source } from "./finding.ts";
import { importsOf, resolved } from "./imports.ts";

export const circles = (sources: readonly Source[]): readonly Finding[] => {
  const neighbours = new Map(sources.map((source) => [source.file, valueImports(source)]));
  const judged = new Set<string>();
  return sources.flatMap((source) => {
    const circle = circleFrom(source.file, neighbours, judged);
    if (circle === undefined) return [];
    for (const file of circle) judged.add(file);
    return [
      findingAt(
        "P7-S2",
        source,
        0,
        `a circle of imports: ${[...circle, source.file].join(" → ")}`,
        "Move what both need into a file of its own, or import only the type.",
      ),
    ];
  });
};

const valueImports = (source: Source): readonly string[] =>
  importsOf(source).flatMap(({ specifier, typeOnly }) => {
    const path = typeOnly || specifier === undefined ? undefined : resolved(source.file, specifier);
    return path === undefined ? [] : [path];
  });

/** The shortest way from a file back to itself; undefined when there is none, or when it was told already. */
const circleFrom = (
  start: string,
  neighbours: ReadonlyMap<string, readonly string[]>,
  judged: ReadonlySet<string>,
): readonly string[] | undefined => {
  const seen = new Set<string>();
  let ways: readonly (readonly string[])[] = judged.has(start) ? [] : [[start]];
  while (ways.length > 0) {
    const longer: (readonly string[])[] = [];
    for (const way of ways) {
      for (const next of neighbours.get(way.at(-1) ?? start) ?? []) {
        if (next === start) return way;
        if (seen.has(next)) continue;
        seen.add(next);
        longer.push([...way, next]);
      }
    }
    ways = longer;
  }
  return undefined;
};
