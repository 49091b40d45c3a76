// A ULID as its 16 raw bytes, which sort as the ULIDs do: by time; and back.

import assert from "node:assert/strict";
import type { Ulid } from "../../record/record.ts";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ULID_DIGITS = 26;
const ULID_BYTES = 16;

/** By character code; what is no digit has no value. */
const VALUES: readonly (number | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const value = DIGITS.indexOf(String.fromCharCode(code));
  return value < 0 ? undefined : value;
});

/** 26 digits hold 130 bits; the first digit is at most 7, so the two highest bits are always 0. */
export const ulidBytes = (ulid: Ulid): Uint8Array => {
  const bytes = new Uint8Array(ULID_BYTES);
  let rest = 0;
  let bits = -2;
  let at = 0;
  for (let digit = 0; digit < ULID_DIGITS; digit += 1) {
    const value = VALUES[ulid.charCodeAt(digit)];
    if (value === undefined || (digit === 0 && value > 7)) return assert.fail(`${ulid} is no ULID`);
    rest = ((rest << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = (rest >> bits) & 0xff;
      at += 1;
    }
  }
  assert.equal(ulid.length, ULID_DIGITS, "a ULID has 26 digits");
  return bytes;
};

/** The 26 digits of 16 bytes; other bytes give other lengths, which are no ULID. */
export const ulidText = (bytes: Uint8Array): string => {
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
