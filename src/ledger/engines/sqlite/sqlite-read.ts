// Reading a ledger from SQLite: lines, head, blobs and keys. Changes nothing.
//
// Lines are read in pages, so that no read transaction stays open while a consumer takes its time: an open one would
// keep the log from being folded into the database. What SQLite or a row's own shape shows to be damaged rises as
// LedgerDamage with the first line that cannot be given. Not here: the chain, which verify walks.

import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Sha256 } from "../../../spine/model.ts";
import { isSha256 } from "../../../spine/values/hash.ts";
import { type Engine, type Head, type KeyUse, type Lines, linesIn } from "../../engine.ts";
import { GENESIS } from "../../record/record.ts";
import { recordHash } from "../../record/seal.ts";
import { isUlid, ulidBytes, ulidText } from "../../record/ulid.ts";
import { LedgerDamage } from "../../verify/damage.ts";
import { readError } from "./sqlite-errors.ts";
import { attemptPatiently } from "./sqlite-wait.ts";

const PAGE_LINES = 256;
const PAGE_KEYS = 512;

export type SqliteReader = Pick<Engine, "blob" | "head" | "keys" | "lookup" | "pages" | "read"> & {
  /** At once; throws what SQLite throws. For use inside a transaction. */
  readonly sizeNow: () => number;
  readonly headNow: () => Head;
  readonly seqOf: (key: Uint8Array, caller: string) => number | undefined;
};

type Row = Readonly<Record<string, unknown>>;

const bytesIn = (row: Row, column: string, seq: number | undefined): Uint8Array => {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  throw seq === undefined
    ? new LedgerDamage(seq, { cause: "column-empty", facts: { column } })
    : new LedgerDamage(seq, { cause: "no-bytes", facts: { column } });
};

const seqIn = (row: Row): number => {
  const { seq } = row;
  if (typeof seq === "number" && Number.isSafeInteger(seq) && seq >= 0) return seq;
  throw new LedgerDamage(undefined, { cause: "not-a-seq", facts: { value: String(seq) } });
};

const missing = (seq: number): LedgerDamage => new LedgerDamage(seq, { cause: "line-missing", facts: {} });

/** The lines of these rows up to the first that cannot be given, and why it cannot. */
const linesOf = (rows: readonly Row[], from: number): { readonly damage?: LedgerDamage; readonly lines: Lines } => {
  const lines: Uint8Array[] = [];
  for (const row of rows) {
    const seq = from + lines.length;
    if (row["seq"] !== seq) return { damage: missing(seq), lines };
    const { line } = row;
    if (!(line instanceof Uint8Array)) {
      const damage = new LedgerDamage(seq, { cause: "no-bytes", facts: { column: "line" } });
      return { damage, lines };
    }
    lines.push(line);
  }
  return { lines };
};

const requestIn = (row: Row, seq: number): Sha256 => {
  const request = Buffer.from(bytesIn(row, "request", seq)).toString("hex");
  if (isSha256(request)) return request;
  throw new LedgerDamage(seq, { cause: "request-unreadable", facts: {} });
};

const useIn = (row: Row): KeyUse => {
  const seq = seqIn(row);
  const { caller } = row;
  const key = ulidText(bytesIn(row, "key", seq));
  if (!isUlid(key) || typeof caller !== "string") throw new LedgerDamage(seq, { cause: "key-unreadable", facts: {} });
  return { caller, key, request: requestIn(row, seq), seq };
};

export const sqliteReader = (database: DatabaseSync): SqliteReader => {
  const last = database.prepare("SELECT seq FROM lines ORDER BY seq DESC LIMIT 1");
  const lastLine = database.prepare("SELECT seq, line FROM lines ORDER BY seq DESC LIMIT 1");
  const page = database.prepare("SELECT seq, line FROM lines WHERE seq >= ? AND seq < ? ORDER BY seq LIMIT ?");
  const use = database.prepare("SELECT request, seq FROM keys WHERE key = ? AND caller = ?");
  const usesAfter = database.prepare(
    "SELECT key, caller, request, seq FROM keys WHERE (key, caller) > (?, ?) ORDER BY key, caller LIMIT ?",
  );
  const content = database.prepare("SELECT bytes FROM blobs WHERE digest = ?");

  const asked = <T>(seq: number | undefined, attempt: () => T): Promise<T> =>
    attemptPatiently(attempt).catch((error: unknown) => {
      throw readError(error, seq);
    });

  const sizeNow = (): number => {
    const row = last.get();
    return row === undefined ? 0 : seqIn(row) + 1;
  };

  const headNow = (): Head => {
    const row = lastLine.get();
    if (row === undefined) return { hash: GENESIS, size: 0 };
    const seq = seqIn(row);
    return { hash: recordHash(bytesIn(row, "line", seq)), size: seq + 1 };
  };

  /** The lines from `from` on; a page that cannot be read is read line by line, up to the first one that is damaged. */
  const pageAt = (from: number, to: number): Promise<readonly Row[]> =>
    asked(from, () => page.all(from, to, PAGE_LINES)).catch(() => asked(from, () => page.all(from, to, 1)));

  async function* pages(from: number, to: number): AsyncGenerator<Lines> {
    let next = Math.max(0, from);
    let seen = 0;
    while (next < to) {
      const rows = await pageAt(next, Math.min(to, Number.MAX_SAFE_INTEGER));
      const { damage, lines } = linesOf(rows, next);
      next += lines.length;
      if (lines.length > 0) yield lines;
      if (damage !== undefined) throw damage;
      if (rows.length === 0) {
        // A line below a size that was seen before must be there; one above it may just not be written yet.
        if (next < seen) throw missing(next);
        seen = await asked(next, sizeNow);
        if (next >= seen) return;
      }
    }
  }

  return {
    blob: async (name) => {
      const row = await asked(undefined, () => content.get(Buffer.from(name, "hex")));
      if (row === undefined) return undefined;
      const bytes = bytesIn(row, "bytes", undefined);
      if (hash("sha256", bytes, "hex") === name) return bytes;
      throw new LedgerDamage(undefined, { cause: "blob-altered", facts: { digest: name } });
    },
    head: () => asked(undefined, headNow),
    headNow,
    async *keys() {
      let last: readonly [Uint8Array, string] = [new Uint8Array(), ""];
      for (;;) {
        const [key, caller] = last;
        const rows = await asked(undefined, () => usesAfter.all(key, caller, PAGE_KEYS));
        for (const row of rows) {
          const found = useIn(row);
          last = [ulidBytes(found.key), found.caller];
          yield found;
        }
        if (rows.length < PAGE_KEYS) return;
      }
    },
    lookup: async (caller, key) => {
      const row = await asked(undefined, () => use.get(ulidBytes(key), caller));
      if (row === undefined) return undefined;
      const seq = seqIn(row);
      return { request: requestIn(row, seq), seq };
    },
    pages,
    read: (from, to) => linesIn(pages(from, to)),
    seqOf: (key, caller) => {
      const row = use.get(key, caller);
      return row === undefined ? undefined : seqIn(row);
    },
    sizeNow,
  };
};
