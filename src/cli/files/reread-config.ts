// The configuration as it is written now, for a process that asks again and again: the files are read again only when
// one of them is another than it was, by what the system keeps of them. What cannot be used is read again each time.

import { type BigIntStats, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Parsed } from "../../formats/problem.ts";
import type { Configuration } from "../../service/ports.ts";

const NOT_THERE = "not there";

/**
 * Whatever is written to a file changes its time of change, which nobody can set. Undefined where the system does not
 * say (a loop of links, a folder that may not be entered): such a file is read each time, and reading it says why.
 */
const markOf = (path: string): string | undefined => {
  try {
    const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined
      ? NOT_THERE
      : `${found.dev} ${found.ino} ${found.size} ${found.ctimeNs} ${found.mtimeNs}`;
  } catch {
    return undefined;
  }
};

/** Every file that a configuration was read from. */
export const configFiles = ({ config, file, home }: Configuration): readonly string[] => [
  join(home, basename(file)),
  ...Array.from(config.environments.values()).flatMap(({ policy }) =>
    policy === undefined ? [] : [resolve(home, policy)],
  ),
];

export const rereadFiles = <T>(read: () => Parsed<T>, filesOf: (value: T) => readonly string[]): (() => Parsed<T>) => {
  const marksOf = (value: T): string | undefined => {
    const marks = filesOf(value).map(markOf);
    return marks.includes(undefined) ? undefined : marks.join("\n");
  };
  let known: { readonly marks: string; readonly read: Parsed<T>; readonly value: T } | undefined;
  return () => {
    if (known !== undefined && marksOf(known.value) === known.marks) return known.read;
    known = undefined;
    const first = read();
    if (first.kind !== "ok") return first;
    // Which files they are is known once they were read: what was written while they were is met by reading them again.
    const marks = marksOf(first.value);
    const again = read();
    if (again.kind === "ok" && marks !== undefined && marksOf(again.value) === marks)
      known = { marks, read: again, value: again.value };
    return again;
  };
};
