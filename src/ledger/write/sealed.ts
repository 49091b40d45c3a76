// A sealed ledger: its last record says that it goes on at another location, and nothing is written after it.
//
// The copy holds the same lines, the seal too, so both have the same head. Which of them goes on is told by two uses of
// keys that no actor can have, because an actor's id is not empty: `begun` in the copy's first commit, with the copy's
// id, and `finished` in the commit that brings the seal. A copy that is begun and not finished is not written by
// anybody. Compare and set makes this hold against writers that were open before: none can append without having read
// the seal. A ledger that is restored from a backup is such a copy too, and is finished by the record that says so.
// One record may follow a seal: the one that undoes it, for the copy that it names. From there on the ledger is not
// sealed.

import type { Appended, Commit, CommitPlace, Engine, Lines } from "../engine.ts";
import { type CopyMarks, copyOf, grantedIn, sealIn, UNSEAL } from "../record/copy-marks.ts";
import type { LedgerRecord } from "../record/record.ts";
import { readLineAt } from "../verify/line-at.ts";

/** Whether a commit begins by undoing this very seal. */
const undoes = ([line]: Commit["lines"], seal: LedgerRecord): boolean => {
  const undoing = line === undefined ? undefined : grantedIn(line, UNSEAL);
  const copy = copyOf(seal);
  return undoing !== undefined && "door" in undoing.body && copy !== undefined && copyOf(undoing) === copy;
};

/** The seal at the end of a ledger, unless this ledger is the one that goes on after it. */
export const readSeal = async (engine: Engine, { finishedAt }: CopyMarks): Promise<LedgerRecord | undefined> => {
  const { size } = await engine.head();
  if (finishedAt === size - 1) return undefined;
  const line = await readLineAt(engine, size - 1);
  return line === undefined ? undefined : sealIn(line);
};

/** The same engine, which refuses to append after a seal that it has seen, but for what undoes it. */
export const heedful = (engine: Engine, { finishedAt }: CopyMarks, atOpen: LedgerRecord | undefined): Engine => {
  let last = atOpen;
  const see = (line: Uint8Array): void => {
    const seal = sealIn(line);
    if (seal !== undefined && seal.seq !== finishedAt && seal.seq >= (last?.seq ?? 0)) last = seal;
  };
  async function* seen(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const line of lines) {
      see(line);
      yield line;
    }
  }
  async function* seenPages(pages: AsyncIterable<Lines>): AsyncGenerator<Lines> {
    for await (const page of pages) {
      for (const line of page) see(line);
      yield page;
    }
  }
  const append = async (commit: Commit, expect: CommitPlace): Promise<Appended> => {
    if (last !== undefined && last.seq === expect.size - 1 && !undoes(commit.lines, last))
      return { failure: { cause: "sealed", facts: { seq: last.seq } }, kind: "read-only" };
    const result = await engine.append(commit, expect);
    if (result.kind === "ok") for (const line of commit.lines) see(line);
    return result;
  };
  return {
    ...engine,
    append,
    follow: (from, signal, hears) => seen(engine.follow(from, signal, hears)),
    pages: (from, to) => seenPages(engine.pages(from, to)),
    read: (from, to) => seen(engine.read(from, to)),
  };
};
