// Files that comments name: each is there, where the comment says. A header that sends a reader to a file which moved
// is worse than none.

import { type Finding, findingAt, type Source } from "./finding.ts";

/** A path such as decide/actors.ts; a test is named by its whole name elsewhere. */
const NAMED = /(?<![\w./-])((?:[a-z][a-z-]*\/)*[a-z][a-z-]*\.tsx?)\b/g;

export const strayNames = (sources: readonly Source[]): readonly Finding[] => {
  const paths = sources.map(({ file }) => `/${file}`);
  const isThere = (name: string): boolean => paths.some((path) => path.endsWith(`/${name}`));
  return sources.flatMap((source) =>
    Array.from(source.notes.matchAll(NAMED), ({ 1: name = "", index }) => ({ index, name }))
      .filter(({ name }) => !isThere(name))
      .map(({ index, name }) =>
        findingAt("P7-F1", source, index, `a comment names ${name}, which is not there`, "Name the file as it is."),
      ),
  );
};
