// The ledger on PostgreSQL, for several instances: the port of engine.ts over three connections, made when needed.
//
// One writes, one reads, one listens; what each promises is in the file of its name. keeps B5
// Not here: the tables (postgres-schema.ts), the settings that must hold (postgres-settings.ts), what becomes of a
// commit (postgres-writer.ts).

import { hash } from "node:crypto";
import { type Engine, type Lines, linesIn, type Opened } from "../../engine.ts";
import { LedgerUnread, type ReadOnlyFailure } from "../../failure.ts";
import { LedgerDamage } from "../../verify/damage.ts";
import { bell } from "./postgres-bell.ts";
import { readUse, readUses } from "./postgres-keys.ts";
import { findPooler } from "./postgres-pooler.ts";
import { followLines, readHead, readPages, runQuery } from "./postgres-reader.ts";
import { prepareSchema } from "./postgres-schema.ts";
import { type PostgresSession, session } from "./postgres-session.ts";
import { greetServer, type Mode } from "./postgres-settings.ts";
import { type PostgresTrust, type Target, targetOf } from "./postgres-target.ts";
import { bytesAt } from "./postgres-values.ts";
import { readReadOnlyMark, type Writer, writer } from "./postgres-writer.ts";

export type PostgresOptions = {
  readonly mode: Mode;
  /** How long a server may be silent before its connection is given up. */
  readonly answerMaxMs?: number;
  /** How the server must prove who it is, where the configuration says so. */
  readonly trust?: PostgresTrust;
};

const ANSWER_MAX_MS = 30_000;

const BLOB = { name: "blob", text: "SELECT bytes FROM dedalus_ledger.blobs WHERE digest = $1" };

export const openPostgres = async (
  url: string,
  { answerMaxMs = ANSWER_MAX_MS, mode, trust }: PostgresOptions,
): Promise<Opened> => {
  const target = targetOf(url, trust);
  if (target.kind === "refused") return target;
  const first = session(target, greetServer(mode, target.name), answerMaxMs);
  const reads = mode === "read" ? first : session(target, greetServer(mode, target.name), answerMaxMs);
  const pooled = async () => (mode === "read" ? undefined : findPooler(target.name, first, reads));
  const refusal = (await pooled()) ?? (await prepareSchema(first, mode, target.name));
  if (refusal === undefined)
    return { engine: await engineOf(target, { first, reads }, mode, answerMaxMs), kind: "open" };
  await Promise.all([first.close(), reads.close()]);
  return { kind: "refused", refusal };
};

/** Why the ledger there takes no writes, from its head row; for those who only read. */
export const readPostgresMark = async (url: string, trust?: PostgresTrust): Promise<ReadOnlyFailure | undefined> => {
  const target = targetOf(url, trust);
  if (target.kind === "refused") {
    const { cause, code } = target.refusal;
    return { cause: "mark-unread", facts: { name: "postgres", said: cause ?? code } };
  }
  const asking = session(target, greetServer("read", target.name), ANSWER_MAX_MS);
  try {
    return await readReadOnlyMark(target.name, asking);
  } finally {
    await asking.close();
  }
};

const READ_ONLY = { cause: "reading-alone", facts: {} } as const;

/** Reading alone: nothing to settle, nothing to mark. */
const NO_WRITER: Writer = {
  append: () => Promise.resolve({ failure: READ_ONLY, kind: "read-only" }),
  readOnly: () => READ_ONLY,
  unlock: () => Promise.resolve(),
  settled: () => Promise.resolve(undefined),
};

const engineOf = async (
  target: Target,
  { first, reads }: Readonly<Record<"first" | "reads", PostgresSession>>,
  mode: Mode,
  answerMaxMs: number,
): Promise<Engine> => {
  const closing = new AbortController();
  const ringer = bell(target, answerMaxMs);
  const { append, readOnly, unlock, settled } =
    mode === "read" ? NO_WRITER : writer(target.name, first, reads, await readReadOnlyMark(target.name, first));
  /** What is read while a commit is in doubt could be untrue a moment later. */
  const sure = async (): Promise<void> => {
    const failure = await settled();
    if (failure !== undefined) throw new LedgerUnread(failure);
  };
  async function* pages(from: number, to: number): AsyncGenerator<Lines> {
    await sure();
    yield* readPages(reads, from, to);
  }
  return {
    append,
    blob: async (digest) => {
      await sure();
      const [row] = await runQuery(reads, { ...BLOB, values: [Buffer.from(digest, "hex")] });
      if (row === undefined) return undefined;
      const bytes = bytesAt(row, "bytes");
      if (hash("sha256", bytes, "hex") === digest) return bytes;
      throw new LedgerDamage(undefined, { cause: "blob-altered", facts: { digest } });
    },
    close: async () => {
      closing.abort();
      await Promise.all([first.close(), reads.close(), ringer.close()]);
    },
    follow: (from, signal, hears) => followLines(reads, ringer, from, AbortSignal.any([signal, closing.signal]), hears),
    head: async () => {
      await sure();
      return readHead(reads);
    },
    isInPlace: () => true,
    keys: async function* () {
      await sure();
      yield* readUses(reads);
    },
    readOnly,
    lookup: async (caller, key) => {
      await sure();
      return readUse(reads, caller, key);
    },
    name: target.name,
    pages,
    read: (from, to) => linesIn(pages(from, to)),
    unlock,
  };
};
