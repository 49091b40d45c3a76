// A guard: one place of the sources that refuses, what stands there without it, and the hostile cases that must then
// fail.

export type Guard = {
  /** What it keeps, in a few words; unique. */
  readonly name: string;
  readonly file: string;
  /** Its text, which stands in the file exactly once. */
  readonly is: string;
  /** What is written in its place: the same without the guard, and nothing else. */
  readonly becomes: string;
  readonly test: string;
  /** Titles of tests in that file. */
  readonly cases: readonly string[];
};

/** The text without the guard; undefined where the guard is not found exactly once. */
export const unguarded = (text: string, { becomes, is }: Pick<Guard, "becomes" | "is">): string | undefined => {
  const [before, after, ...more] = text.split(is);
  return before === undefined || after === undefined || more.length > 0 ? undefined : before + becomes + after;
};
