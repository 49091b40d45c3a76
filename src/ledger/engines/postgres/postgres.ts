// The ledger on PostgreSQL, for several instances: the port of engine.ts over three connections, made when needed.
//
// One writes, one reads, one listens; what each promises is in the file of its name. keeps B5
// Not here: the tables (postgres-schema.ts), the settings that must hold (postgres-settings.ts), what becomes of a
// commit (postgres-writer.ts).

import { hash } from "node:crypto";
import { type Engine, type Lines, linesIn, type Opened } from "../../engine.ts";
import { LedgerDamage } from "../../verify/damage.ts";
import { bell } from "./postgres-bell.ts";
import { allUses, useOf } from "./postgres-keys.ts";
import { asked, headOf, linesFrom, pagesBetween } from "./postgres-reader.ts";
import { refusalOf } from "./postgres-schema.ts";
import { type Session, session } from "./postgres-session.ts";
import { greeting, type Mode } from "./postgres-settings.ts";
import { type Target, type Trust, targetOf } from "./postgres-target.ts";
import { bytesAt } from "./postgres-values.ts";
import { latchIn, type Writer, writer } from "./postgres-writer.ts";

export type PostgresOptions = {
  readonly mode: Mode;
  /** How long a server may be silent before its connection is given up. */
  readonly answerMaxMs?: number;
  /** How the server must prove who it is, where the configuration says so. */
  readonly trust?: Trust;
};

const ANSWER_MAX_MS = 30_000;

const BLOB = { name: "blob", text: "SELECT bytes FROM dedalus_ledger.blobs WHERE digest = $1" };

export const openPostgres = async (
  url: string,
  { answerMaxMs = ANSWER_MAX_MS, mode, trust }: PostgresOptions,
): Promise<Opened> => {
  const target = targetOf(url, trust);
  if ("refused" in target) return { because: target.refused, code: target.code, kind: "refused" };
  const first = session(target, greeting(mode), answerMaxMs);
  const refusal = await refusalOf(first, mode);
  if (refusal === undefined) return { engine: await engineOf(target, first, mode, answerMaxMs), kind: "open" };
  await first.close();
  return { because: `${target.name}: ${refusal}`, kind: "refused" };
};

/** Why the ledger there takes no writes, from its head row; for those who only read. */
export const postgresLatch = async (url: string, trust?: Trust): Promise<string | undefined> => {
  const target = targetOf(url, trust);
  if ("refused" in target) return target.refused;
  const asking = session(target, greeting("read"), ANSWER_MAX_MS);
  try {
    return await latchIn(asking);
  } finally {
    await asking.close();
  }
};

const READ_ONLY = "it was opened for reading alone";

/** Reading alone: nothing to settle, nothing to latch. */
const NO_WRITER: Writer = {
  append: () => Promise.resolve({ because: READ_ONLY, kind: "read-only" }),
  latched: () => READ_ONLY,
  rearm: () => Promise.resolve(),
  settled: () => Promise.resolve(undefined),
};

const engineOf = async (target: Target, first: Session, mode: Mode, answerMaxMs: number): Promise<Engine> => {
  const closing = new AbortController();
  const ringer = bell(target, answerMaxMs);
  const reads = mode === "read" ? first : session(target, greeting(mode), answerMaxMs);
  const { append, latched, rearm, settled } = mode === "read" ? NO_WRITER : writer(first, reads, await latchIn(first));
  /** What is read while a commit is in doubt could be untrue a moment later. */
  const sure = async (): Promise<void> => {
    const because = await settled();
    if (because !== undefined) throw new Error(`the ledger cannot be read: ${because}`);
  };
  async function* pages(from: number, to: number): AsyncGenerator<Lines> {
    await sure();
    yield* pagesBetween(reads, from, to);
  }
  return {
    append,
    blob: async (digest) => {
      await sure();
      const [row] = await asked(reads, { ...BLOB, values: [Buffer.from(digest, "hex")] });
      if (row === undefined) return undefined;
      const bytes = bytesAt(row, "bytes");
      if (hash("sha256", bytes, "hex") === digest) return bytes;
      throw new LedgerDamage(undefined, `blob ${digest} does not hold the bytes of its name`);
    },
    close: async () => {
      closing.abort();
      await Promise.all([first.close(), reads.close(), ringer.close()]);
    },
    follow: (from, signal) => linesFrom(reads, ringer, from, AbortSignal.any([signal, closing.signal])),
    head: async () => {
      await sure();
      return headOf(reads);
    },
    keys: async function* () {
      await sure();
      yield* allUses(reads);
    },
    latched,
    lookup: async (caller, key) => {
      await sure();
      return useOf(reads, caller, key);
    },
    name: target.name,
    pages,
    read: (from, to) => linesIn(pages(from, to)),
    rearm,
  };
};
