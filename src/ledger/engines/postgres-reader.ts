// Reading and following a ledger on PostgreSQL.
//
// Lines come in pieces, so that memory stays small whatever the range; a line that should be there and is not is damage.
// A follower reads, then waits for the bell, and reads again: the bell is hung up before the read, so that nothing falls
// in between. A bell may be lost with its connection, so that a slow clock rings too; what is read decides, not the bell.

import { setTimeout as pause } from "node:timers/promises";
import type { QueryConfig } from "pg";
import { isSha256 } from "../../spine/hash.ts";
import { LedgerDamage } from "../damage.ts";
import type { Head } from "../engine.ts";
import type { Bell } from "./postgres-bell.ts";
import { type Ran, runAgain, type Session } from "./postgres-session.ts";
import { bytesAt, integerAt, type Row } from "./postgres-values.ts";

const PIECE_LINES = 512;
const RETRY_MS = 200;

const HEAD = { name: "head", text: "SELECT size, hash FROM dedalus_ledger.head" };
const PIECE = {
  name: "piece",
  text: `SELECT seq, line FROM dedalus_ledger.lines WHERE seq >= $1 AND seq < $2 ORDER BY seq LIMIT ${PIECE_LINES}`,
};

export const asked = async (session: Session, query: QueryConfig): Promise<readonly Row[]> => {
  const ran = await runAgain(session, query);
  if (ran.kind !== "answered") throw new Error(`the ledger cannot be read: ${ran.because}`);
  return ran.rows;
};

export const headOf = async (session: Session): Promise<Head> => {
  const [row] = await asked(session, HEAD);
  const hash = row === undefined ? undefined : bytesAt(row, "hash").toString("hex");
  if (row === undefined || !isSha256(hash)) throw new LedgerDamage(undefined, "the head cannot be read");
  return { hash, size: integerAt(row, "size") };
};

/** The lines of a piece, which begins at `from` and has no gap. */
const linesOf = (rows: readonly Row[], from: number): readonly Uint8Array[] =>
  rows.map((row, at) => {
    if (integerAt(row, "seq") !== from + at) throw new LedgerDamage(from + at, "the line is missing");
    return bytesAt(row, "line");
  });

const pieceOf = (from: number, to: number): QueryConfig => ({ ...PIECE, values: [from, to] });

export async function* linesBetween(session: Session, from: number, to: number): AsyncGenerator<Uint8Array> {
  let next = from;
  while (next < to) {
    const lines = linesOf(await asked(session, pieceOf(next, to)), next);
    yield* lines;
    next += lines.length;
    if (lines.length === PIECE_LINES) continue;
    const { size } = await headOf(session);
    if (next < Math.min(to, size)) throw new LedgerDamage(next, "the line is missing");
    return;
  }
}

/** Yields until `stop`, however often the connection is lost. */
export async function* linesFrom(
  session: Session,
  bell: Bell,
  from: number,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let next = from;
  while (!stop.aborted) {
    const rung = bell.rung(stop);
    const ran: Ran = await session.run(pieceOf(next, Number.MAX_SAFE_INTEGER));
    if (ran.kind === "failed") throw new Error(`the ledger cannot be read: ${ran.because}`);
    if (ran.kind !== "answered") {
      await Promise.race([pause(RETRY_MS), rung]);
      continue;
    }
    for (const line of linesOf(ran.rows, next)) {
      if (stop.aborted) return;
      yield line;
      next += 1;
    }
    if (ran.rows.length < PIECE_LINES) await rung;
  }
}
