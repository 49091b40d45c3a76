// A sealed ledger: its last record says that it goes on at another location, and nothing is written after it.
//
// The copy holds the same lines, the seal too, so both have the same head. Which of them goes on is told by two uses of
// keys that no actor can have, because an actor's id is not empty: `begun` in the copy's first commit, with the copy's
// id, and `finished` in the commit that brings the seal. A copy that is begun and not finished is not written by anybody.
// Compare and set makes this hold against writers that were open before: none can append without having read the seal.
// A ledger that is restored from a backup is such a copy too, and is finished by the record that says so.
// One record may follow a seal: the one that undoes it, for the copy that it names. From there on the ledger is not sealed.

import type { Sha256 } from "../../spine/model.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import type { Appended, Commit, Engine, KeyUse, Lines } from "../engine.ts";
import { readRecord } from "../record/read-record.ts";
import type { LedgerRecord, Ulid } from "../record/record.ts";

export const SEAL = "ledger.seal";
const UNSEAL = "ledger.unseal";
const RESTORE = "ledger.restore";

const CALLER = "";
const isKey = (text: string): text is Ulid => /^[0-7][0-9A-Z]{25}$/.test(text);
const keyOf = (text: string): Ulid => {
  if (isKey(text)) return text;
  throw new TypeError(`${text} is no key`);
};
const BEGUN = keyOf(`${"0".repeat(25)}1`);
const FINISHED = keyOf(`${"0".repeat(25)}2`);

export type CopyMarks = {
  /** The id of the copy that this ledger is. */
  readonly begun: Sha256 | undefined;
  /** The seq of the seal after which this ledger goes on. */
  readonly finishedAt: number | undefined;
};

export const copyMarks = async (engine: Engine): Promise<CopyMarks> => {
  const begun = await engine.lookup(CALLER, BEGUN);
  const finished = await engine.lookup(CALLER, FINISHED);
  return { begun: begun?.request, finishedAt: finished?.seq };
};

/** Which mark of a copy a use is; undefined when it is a record's. */
export const markOf = ({ caller, key }: KeyUse): "begun" | "finished" | undefined =>
  caller !== CALLER ? undefined : key === BEGUN ? "begun" : key === FINISHED ? "finished" : undefined;

export const begunMark = (copy: Sha256): KeyUse => ({ caller: CALLER, key: BEGUN, request: copy, seq: 0 });
export const finishedMark = (copy: Sha256, seq: number): KeyUse => ({
  caller: CALLER,
  key: FINISHED,
  request: copy,
  seq,
});

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as { readonly [key: string]: unknown })[name] : undefined;

/** The id of the copy that a seal or its undoing speaks of; a seal of the time before the kernel has it in its result. */
export const copyOf = ({ body: { request, result } }: LedgerRecord): Sha256 | undefined => {
  const copy = memberOf(request, "copy") ?? memberOf(result, "copy");
  return isSha256(copy) ? copy : undefined;
};

/** What was refused is a record and does nothing. Seals of the time before the kernel have no door, and were all granted. */
const isGranted = ({ body }: LedgerRecord): boolean =>
  body["door"] === undefined || memberOf(body["result"], "kind") === "done";

const NEEDLE = Buffer.from(`"kind":"${SEAL}"`);

/** The seal that a line is; the search in its bytes spares the others from being parsed. */
export const sealIn = (line: Uint8Array): LedgerRecord | undefined => {
  if (!Buffer.from(line.buffer, line.byteOffset, line.length).includes(NEEDLE)) return undefined;
  return grantedIn(line, SEAL);
};

const grantedIn = (line: Uint8Array, kind: string): LedgerRecord | undefined => {
  const read = readRecord(line);
  return read.kind === "record" && read.record.kind === kind && isGranted(read.record) ? read.record : undefined;
};

/** The id of the copy that a line finishes: the seal of what moved, or the record of a restore. */
export const copyFinishedBy = (line: Uint8Array): Sha256 | undefined => {
  const finishing = grantedIn(line, SEAL) ?? grantedIn(line, RESTORE);
  return finishing === undefined ? undefined : copyOf(finishing);
};

/** Whether a commit begins by undoing this very seal. */
const undoes = ([line]: Commit["lines"], seal: LedgerRecord): boolean => {
  const undoing = line === undefined ? undefined : grantedIn(line, UNSEAL);
  const copy = copyOf(seal);
  return undoing !== undefined && "door" in undoing.body && copy !== undefined && copyOf(undoing) === copy;
};

/** The seal at the end of a ledger, unless this ledger is the one that goes on after it. */
export const sealOf = async (engine: Engine, { finishedAt }: CopyMarks): Promise<LedgerRecord | undefined> => {
  const { size } = await engine.head();
  if (size === 0 || finishedAt === size - 1) return undefined;
  for await (const line of engine.read(size - 1, size)) return sealIn(line);
  return undefined;
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
  const append = async (commit: Commit, expect: { readonly size: number }): Promise<Appended> => {
    if (last !== undefined && last.seq === expect.size - 1 && !undoes(commit.lines, last))
      return { failure: { cause: "sealed", facts: { seq: last.seq } }, kind: "read-only" };
    const result = await engine.append(commit, expect);
    if (result.kind === "ok") for (const line of commit.lines) see(line);
    return result;
  };
  return {
    ...engine,
    append,
    follow: (from, signal) => seen(engine.follow(from, signal)),
    pages: (from, to) => seenPages(engine.pages(from, to)),
    read: (from, to) => seen(engine.read(from, to)),
  };
};
