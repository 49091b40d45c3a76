// From what is wrong to where it stands: offsets and fields of a JSON text become problems with line and column.
//
// Positions are worked out only here, in one pass over the text for all problems together, so that a good file pays
// nothing for them and a file with many problems is not read many times.

import type { Refusal } from "../../spine/model.ts";
import { type Problem, problemOf } from "../problem.ts";
import { type JsonFlaw, scan } from "./json-scan.ts";

/** A value that is well-formed JSON and not what the format asks for. */
export type Misfit = {
  readonly field: string;
  /** The field whose position is shown: the field itself, or the object that lacks it. */
  readonly near: string;
  readonly on: "key" | "value";
  readonly refusal: Refusal;
};

type Fault = Pick<Misfit, "field" | "refusal"> & { readonly at: number };
export type Some<T> = readonly [T, ...T[]];

export const isSome = <T>(list: readonly T[]): list is Some<T> => list.length > 0;

/** A byte order mark is not part of the text, and no editor counts it as a column. */
export const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

export const flawProblems = (text: string, file: string, flaws: Some<JsonFlaw>): Some<Problem> =>
  placed(withoutMark(text), file, flaws);

export const misfitProblems = (text: string, file: string, misfits: Some<Misfit>): Some<Problem> => {
  const body = withoutMark(text);
  const wanted = new Set(misfits.map(({ near }) => near));
  const found = new Map<string, { readonly key: number; readonly value: number }>();
  scan(body, (field, key, value) => {
    if (wanted.has(field) && !found.has(field)) found.set(field, { key, value });
  });
  const [first, ...rest] = misfits;
  const at = (misfit: Misfit): Fault => ({ ...misfit, at: found.get(misfit.near)?.[misfit.on] ?? 0 });
  return placed(body, file, [at(first), ...rest.map(at)]);
};

const placed = (text: string, file: string, faults: Some<Fault>): Some<Problem> => {
  let line = 1;
  let lineStart = 0;
  let lineEnd = text.indexOf("\n");
  const problemAt = ({ at, field, refusal }: Fault): Problem => {
    while (lineEnd !== -1 && lineEnd < at) {
      line += 1;
      lineStart = lineEnd + 1;
      lineEnd = text.indexOf("\n", lineStart);
    }
    return problemOf(refusal, { column: at - lineStart + 1, field, file, line });
  };
  const [first, ...rest] = faults.toSorted((a, b) => a.at - b.at) as [Fault, ...Fault[]];
  return [problemAt(first), ...rest.map(problemAt)];
};
