// Values on their way to PostgreSQL and back: arrays in binary, ULIDs as raw bytes, and rows read with a check.
//
// The driver sends a Buffer as it is and spells everything else as text, which doubles the bytes of a line; so arrays
// are written here, in the form that array_recv of the server reads (src/backend/utils/adt/arrayfuncs.c).

import assert from "node:assert/strict";
import type { Ulid } from "../../record/record.ts";

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

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** By character code: to search each digit among all took most of the time in which a commit was put together. */
const VALUES: readonly (number | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const value = DIGITS.indexOf(String.fromCharCode(code));
  return value < 0 ? undefined : value;
});

/** 16 bytes that sort as the ULIDs do. Of the 130 bits in 26 digits the first two are always 0. */
export const keyBytes = (key: Ulid): Buffer => {
  assert.ok(key.length === 26 && key.charAt(0) <= "7", "a key is a ULID");
  const bytes = Buffer.alloc(16);
  let rest = 0;
  let bits = -2;
  let at = 0;
  for (let digit = 0; digit < key.length; digit += 1) {
    const value = VALUES[key.charCodeAt(digit)];
    if (value === undefined) return assert.fail("a key is a ULID");
    rest = ((rest << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = rest >> bits;
    at += 1;
  }
  return bytes;
};

/** The 26 digits of 16 bytes; other bytes give other lengths, which are no ULID. */
export const keyText = (bytes: Uint8Array): string => {
  let text = "";
  let rest = 0;
  let bits = 2;
  for (const byte of bytes) {
    rest = ((rest << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; ) {
      bits -= 5;
      text += DIGITS.charAt((rest >> bits) & 31);
    }
  }
  return text;
};

export type Row = Readonly<Record<string, unknown>>;

export const bytesAt = (row: Row, column: string): Buffer => {
  const value = row[column];
  assert.ok(Buffer.isBuffer(value), `${column} holds bytes`);
  return value;
};

/** The driver gives a bigint as text. */
export const integerAt = (row: Row, column: string): number => {
  const value = Number(row[column]);
  assert.ok(row[column] !== null && Number.isSafeInteger(value), `${column} holds an integer`);
  return value;
};

export const textAt = (row: Row, column: string): string => {
  const value = row[column];
  assert.ok(typeof value === "string", `${column} holds a text`);
  return value;
};
