// Which test files run through which pieces of a source, from the coverage that V8 keeps of every process of a run.
//
// A test that never runs through a mutant cannot fail because of it, so it need not be run. What a killed process went
// through is not known; such a mutant then survives wrongly, and is never killed wrongly.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type RunFolder, runTests } from "./run-tests.ts";

type Range = { readonly count: number; readonly endOffset: number; readonly startOffset: number };
type Script = { readonly functions: readonly { readonly ranges: readonly Range[] }[]; readonly url: string };
/** From, to; in order. */
type Piece = readonly [number, number];

export type Covered = {
  readonly bySource: Readonly<Record<string, readonly Piece[]>>;
  readonly ms: number;
  readonly testFile: string;
};

/** Undefined when the tests fail on the sources as they are: then no mutant could be told apart. */
export const measureCoverage = async (
  folder: RunFolder,
  testFile: string,
  timeoutMaxMs: number,
): Promise<Covered | undefined> => {
  const coverage = mkdtempSync(join(tmpdir(), "dedalus-coverage-"));
  try {
    const from = performance.now();
    const ended = await runTests(folder, [testFile], { coverage, timeoutMaxMs });
    const ms = Math.round(performance.now() - from);
    return ended === "passed"
      ? { bySource: piecesIn(coverage, `${pathToFileURL(folder.folder)}/`), ms, testFile }
      : undefined;
  } finally {
    rmSync(coverage, { force: true, recursive: true });
  }
};

const piecesIn = (coverage: string, top: string): Covered["bySource"] => {
  const seen = new Map<string, Uint8Array>();
  for (const name of readdirSync(coverage)) {
    const { result }: { readonly result: readonly Script[] } = JSON.parse(readFileSync(join(coverage, name), "utf8"));
    for (const { functions, url } of result) {
      if (!url.startsWith(`${top}src/`)) continue;
      const source = url.slice(top.length);
      const run = painted(functions.flatMap(({ ranges }) => ranges));
      const before = seen.get(source);
      seen.set(source, before === undefined ? run : run.map((one, at) => one | (before[at] ?? 0)));
    }
  }
  return Object.fromEntries([...seen].map(([source, run]) => [source, piecesOf(run)]));
};

/** Ranges are nested, and the innermost speaks: painted from the widest to the narrowest. */
const painted = (ranges: readonly Range[]): Uint8Array => {
  const run = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)));
  const width = ({ endOffset, startOffset }: Range): number => endOffset - startOffset;
  for (const range of ranges.toSorted((one, other) => width(other) - width(one))) {
    run.fill(range.count > 0 ? 1 : 0, range.startOffset, range.endOffset);
  }
  return run;
};

const piecesOf = (run: Uint8Array): readonly Piece[] => {
  const pieces: Piece[] = [];
  for (let from = run.indexOf(1); from !== -1; ) {
    const end = run.indexOf(0, from);
    const to = end === -1 ? run.length : end;
    pieces.push([from, to]);
    from = run.indexOf(1, to);
  }
  return pieces;
};

export const runsThrough = ({ bySource }: Covered, source: string, at: number): boolean =>
  (bySource[source] ?? []).some(([from, to]) => from <= at && at < to);
