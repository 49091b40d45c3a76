// SQLite's result codes, sorted by what they mean for a ledger. https://sqlite.org/rescode.html

import { LedgerUnread } from "../../failure.ts";
import { LedgerDamage } from "../../verify/damage.ts";

const PRIMARY = { BUSY: 5, CANTOPEN: 14, CONSTRAINT: 19, CORRUPT: 11, FULL: 13, NOTADB: 26 } as const;

type SqliteError = Error & { readonly errcode: number };

export const isSqliteError = (error: unknown): error is SqliteError =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number";

/** The low byte is the family; the rest says more of the same. */
const is = (error: unknown, ...families: readonly (keyof typeof PRIMARY)[]): boolean =>
  isSqliteError(error) && families.some((family) => PRIMARY[family] === (error.errcode & 0xff));

/** Another connection holds a lock; nothing was done. */
export const isBusy = (error: unknown): boolean => is(error, "BUSY");
export const isConstraint = (error: unknown): boolean => is(error, "CONSTRAINT");
/** The file system had no room: the commit's last frame was not written, so nothing of it can come back. */
export const isFull = (error: unknown): boolean => is(error, "FULL");
export const isDamage = (error: unknown): boolean => is(error, "CORRUPT", "NOTADB");
export const cannotOpen = (error: unknown): boolean => is(error, "CANTOPEN");

/** In the words of SQLite or of the system. */
export const saidBy = (error: unknown): string =>
  isSqliteError(error)
    ? `${error.message} (SQLite result code ${error.errcode})`
    : error instanceof Error
      ? error.message
      : String(error);

/** An integer that the driver cannot give as a number; none that we wrote is so large. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE";

/** What a read throws: damage, a disk or a lock that is in the way, and everything else as it is. */
export const readError = (error: unknown, seq: number | undefined): unknown => {
  const said = saidBy(error);
  if (isDamage(error) || isTooLarge(error))
    return seq === undefined
      ? new LedgerDamage(seq, { cause: "store-damaged", facts: { said } })
      : new LedgerDamage(seq, { cause: "page-damaged", facts: { said } });
  return isSqliteError(error) ? new LedgerUnread({ cause: "read-failed", facts: { said } }) : error;
};
