// Values on their way to PostgreSQL and back: arrays in binary, and rows read with a check.
//
// The driver sends a Buffer as it is and spells everything else as text, which doubles the bytes of a line; so arrays
// are written here, in the form that array_recv of the server reads (src/backend/utils/adt/arrayfuncs.c).

import { assert } from "../../assert.ts";

const OID = { bytea: 17, int8: 20 } as const;

const arrayOf = (oid: number, members: readonly Uint8Array[]): Buffer => {
  const length = members.reduce((sum, member) => sum + 4 + member.length, 0);
  const buffer = Buffer.allocUnsafe(20 + length);
  let at = 0;
  // One dimension, no nulls, the members' type, their number, counted from 1.
  for (const word of [1, 0, oid, members.length, 1]) at = buffer.writeInt32BE(word, at);
  for (const member of members) {
    at = buffer.writeInt32BE(member.length, at);
    buffer.set(member, at);
    at += member.length;
  }
  return buffer;
};

export const byteArrays = (members: readonly Uint8Array[]): Buffer => arrayOf(OID.bytea, members);

export const integers = (members: readonly number[]): Buffer =>
  arrayOf(
    OID.int8,
    members.map((member) => {
      const bytes = Buffer.allocUnsafe(8);
      bytes.writeBigInt64BE(BigInt(member));
      return bytes;
    }),
  );

export type PostgresRow = Readonly<Record<string, unknown>>;

export const bytesAt = (row: PostgresRow, column: string): Buffer => {
  const value = row[column];
  assert.ok(Buffer.isBuffer(value), `${column} holds bytes`);
  return value;
};

/** The driver gives a bigint as text. */
export const columnInteger = (row: PostgresRow, column: string): number => {
  const value = Number(row[column]);
  assert.ok(row[column] !== null && Number.isSafeInteger(value), `${column} holds an integer`);
  return value;
};

export const columnText = (row: PostgresRow, column: string): string => {
  const value = row[column];
  assert.ok(typeof value === "string", `${column} holds a text`);
  return value;
};
