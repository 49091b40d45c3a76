// A commit as one statement: compare and set on the head row, lines, keys, blobs and the bell, in one round trip.
//
// One statement is one transaction. Everything hangs on the row that `moved` gives: when another writer was first, it
// gives none, and nothing is written. A second writer waits on the row and then sees the size that the first one left.

import type { QueryConfig } from "pg";
import type { Commit, CommitPlace } from "../../engine.ts";
import { recordHash } from "../../record/seal.ts";
import { ulidBytes } from "../../record/ulid.ts";
import { STILL_PROMISED } from "./postgres-settings.ts";
import { byteArrays, integers } from "./postgres-values.ts";

export const CHANNEL = "dedalus_ledger";
/** The constraint that a used key offends. */
export const KEYS_ONCE = "keys_once";

const APPEND = `
  WITH moved AS (
    UPDATE dedalus_ledger.head SET size = $1::bigint + cardinality($3::bytea[]), hash = $2::bytea
    WHERE size = $1::bigint AND hash = coalesce($10::bytea, hash) AND read_only IS NULL
      AND ${STILL_PROMISED}
    RETURNING size
  ), stored AS (
    INSERT INTO dedalus_ledger.lines (seq, line)
    SELECT $1::bigint + given.at - 1, given.line
    FROM moved, unnest($3::bytea[]) WITH ORDINALITY AS given (line, at)
  ), used AS (
    INSERT INTO dedalus_ledger.keys (key, caller, request, seq)
    SELECT given.* FROM moved, unnest($4::bytea[], $5::bytea[], $6::bytea[], $7::bigint[]) AS given
  ), kept AS (
    INSERT INTO dedalus_ledger.blobs (digest, bytes)
    SELECT given.* FROM moved, unnest($8::bytea[], $9::bytea[]) AS given
    ON CONFLICT DO NOTHING
  )
  SELECT pg_notify('${CHANNEL}', '') FROM moved`;

export const appendQuery = ({ blobs, keys, lines }: Commit, { hash, size }: CommitPlace): QueryConfig => {
  return {
    name: "append",
    text: APPEND,
    values: [
      size,
      Buffer.from(recordHash(lines.at(-1) ?? new Uint8Array()), "hex"),
      byteArrays(lines),
      byteArrays(keys.map(({ key }) => ulidBytes(key))),
      byteArrays(keys.map(({ caller }) => Buffer.from(caller))),
      byteArrays(keys.map(({ request }) => Buffer.from(request, "hex"))),
      integers(keys.map(({ seq }) => seq)),
      byteArrays([...blobs.keys()].map((digest) => Buffer.from(digest, "hex"))),
      byteArrays([...blobs.values()]),
      hash === undefined ? null : Buffer.from(hash, "hex"),
    ],
  };
};

/** The first key of the commit that was used before. */
export const usedQuery = ({ keys }: Commit): QueryConfig => ({
  name: "used",
  text: `
    SELECT keys.seq FROM unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS given (key, caller, at)
    JOIN dedalus_ledger.keys USING (key, caller) ORDER BY given.at LIMIT 1`,
  values: [
    byteArrays(keys.map(({ key }) => ulidBytes(key))),
    byteArrays(keys.map(({ caller }) => Buffer.from(caller))),
  ],
});
