// Reading and following a ledger on PostgreSQL.
//
// Lines come in pieces, so that memory stays small whatever the range; a line that should be there and is not is
// damage, and so is what the server itself finds to be corrupt, at the first line that cannot be given.
// A follower reads, then waits for the bell, and reads again: the bell is hung up before the read, so that nothing
// falls in between. A bell may be lost with its connection, so that a slow clock rings too; what is read decides, not
// the bell.

import { setTimeout as pause } from "node:timers/promises";
import type { QueryConfig } from "pg";
import { isSha256 } from "../../../spine/values/hash.ts";
import type { Head, Hears, Lines } from "../../engine.ts";
import { LedgerUnread } from "../../failure.ts";
import { GENESIS } from "../../record/record.ts";
import { recordHash } from "../../record/seal.ts";
import { LedgerDamage } from "../../verify/damage.ts";
import type { Bell } from "./postgres-bell.ts";
import { type PostgresSession, type Ran, runAgain, saidIn } from "./postgres-session.ts";
import { bytesAt, columnInteger, type PostgresRow } from "./postgres-values.ts";

const PIECE_LINES = 512;
const RETRY_MS = 200;

/** The head row and the last line are read by one statement, so that they are of one moment. */
const HEAD = {
  name: "head",
  text: `
    SELECT size, hash, (SELECT line FROM dedalus_ledger.lines WHERE seq = size - 1) AS line
    FROM dedalus_ledger.head`,
};
const PIECE = {
  name: "piece",
  text: `SELECT seq, line FROM dedalus_ledger.lines WHERE seq >= $1 AND seq < $2 ORDER BY seq LIMIT ${PIECE_LINES}`,
};

/** data_corrupted and index_corrupted. Appendix A of PostgreSQL's documentation. */
const DAMAGE = /^XX00[12]$/;
const isDamaged = (ran: Ran): boolean => ran.kind === "failed" && DAMAGE.test(ran.code);

const unanswered = (ran: Exclude<Ran, { readonly kind: "answered" }>, seq: number | undefined): Error =>
  isDamaged(ran) ? damageAt(seq, saidIn(ran.failure)) : new LedgerUnread(ran.failure);

const damageAt = (seq: number | undefined, said: string): LedgerDamage =>
  seq === undefined
    ? new LedgerDamage(seq, { cause: "store-damaged", facts: { said } })
    : new LedgerDamage(seq, { cause: "page-damaged", facts: { said } });
const missing = (seq: number): LedgerDamage => new LedgerDamage(seq, { cause: "line-missing", facts: {} });

export const runQuery = async (
  session: PostgresSession,
  query: QueryConfig,
  seq?: number,
): Promise<readonly PostgresRow[]> => {
  const ran = await runAgain(session, query);
  if (ran.kind !== "answered") throw unanswered(ran, seq);
  return ran.rows;
};

/** The head row must name the last line: it is what writers compare with, and the chain is what it stands for. */
export const readHead = async (session: PostgresSession): Promise<Head> => {
  const [row] = await runQuery(session, HEAD);
  const hash = row === undefined ? undefined : bytesAt(row, "hash").toString("hex");
  if (row === undefined || !isSha256(hash)) throw new LedgerDamage(undefined, { cause: "head-unreadable", facts: {} });
  const size = columnInteger(row, "size");
  if (size > 0 && row["line"] === null) throw missing(size - 1);
  const last = size === 0 ? GENESIS : recordHash(bytesAt(row, "line"));
  if (last !== hash)
    throw new LedgerDamage(Math.max(0, size - 1), { cause: "head-differs", facts: { hash: last, headHash: hash } });
  return { hash, size };
};

const pieceOf = (from: number, to: number): QueryConfig => ({ ...PIECE, values: [from, to] });

/** A piece that meets damage is read line by line, up to the first one that is damaged. */
const piece = async (run: PostgresSession["run"], from: number, to: number): Promise<Ran> => {
  const ran = await run(pieceOf(from, Math.min(to, Number.MAX_SAFE_INTEGER)));
  return isDamaged(ran) ? run(pieceOf(from, from + 1)) : ran;
};

/** The lines of these rows up to the first that cannot be given, and why it cannot. */
const linesOf = (rows: readonly PostgresRow[], from: number): { readonly damage?: unknown; readonly lines: Lines } => {
  const lines: Uint8Array[] = [];
  try {
    for (const row of rows) lines.push(lineAt(row, from + lines.length));
    return { lines };
  } catch (damage) {
    return { damage, lines };
  }
};

const lineAt = (row: PostgresRow, seq: number): Uint8Array => {
  if (columnInteger(row, "seq") !== seq) throw missing(seq);
  return bytesAt(row, "line");
};

export async function* readPages(session: PostgresSession, from: number, to: number): AsyncGenerator<Lines> {
  let next = Math.max(0, from);
  let seen = 0;
  while (next < to) {
    const ran = await piece((query) => runAgain(session, query), next, to);
    if (ran.kind !== "answered") throw unanswered(ran, next);
    const { damage, lines } = linesOf(ran.rows, next);
    next += lines.length;
    if (lines.length > 0) yield lines;
    if (damage !== undefined) throw damage;
    if (ran.rows.length === 0) {
      // A line below a size that was seen before must be there; one above it may just not be written yet.
      if (next < seen) throw missing(next);
      seen = (await readHead(session)).size;
      if (next >= seen) return;
    }
  }
}

/** A server that went away between two queries; damage rises. */
const unheard = (error: unknown): undefined => {
  if (!(error instanceof LedgerUnread)) throw error;
};

/** Yields until `stop`, however often the connection is lost. */
export async function* followLines(
  session: PostgresSession,
  bell: Bell,
  from: number,
  stop: AbortSignal,
  hears?: Hears,
): AsyncGenerator<Uint8Array> {
  let next = Math.max(0, from);
  while (!stop.aborted) {
    const rung = bell.rung(stop);
    const ran = await piece(session.run, next, Number.MAX_SAFE_INTEGER);
    if (ran.kind === "failed") throw unanswered(ran, next);
    if (ran.kind !== "answered") {
      hears?.(undefined);
      await Promise.race([pause(RETRY_MS), rung]);
      continue;
    }
    for (const row of ran.rows) {
      if (stop.aborted) return;
      yield lineAt(row, next);
      next += 1;
    }
    if (ran.rows.length > 0) continue;
    if (hears !== undefined) hears(await readHead(session).catch(unheard));
    await rung;
  }
}
