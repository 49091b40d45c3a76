// ULIDs as text and as bytes: what is one, and its 16 raw bytes, which sort as the ULIDs do: by time.
//
// Not here: making new ones (src/ids.ts).

import type { Ulid } from "./record.ts";

/** Crockford's base 32. */
export const ULID_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 26;
const BYTES = 16;
/** 26 digits hold 130 bits, so the two highest are always 0. */
const FIRST_MAX = "7".charCodeAt(0);

const NO_DIGIT = 0xff;
/** By character code: to search each digit among all took most of the time in which a commit was put together. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = ULID_DIGITS.indexOf(String.fromCharCode(code));
  return value < 0 ? NO_DIGIT : value;
});

/** A loop over a table, because a pattern takes twice as long, and every record is asked this five times. */
export const isUlid = (value: unknown): value is Ulid => {
  if (typeof value !== "string" || value.length !== LENGTH || value.charCodeAt(0) > FIRST_MAX) return false;
  for (let at = 0; at < LENGTH; at += 1) if ((VALUES[value.charCodeAt(at)] ?? NO_DIGIT) === NO_DIGIT) return false;
  return true;
};

export const ulidBytes = (ulid: Ulid): Buffer => {
  if (!isUlid(ulid)) throw new TypeError("a key is a ULID");
  const bytes = Buffer.alloc(BYTES);
  let rest = 0;
  let bits = -2;
  let at = 0;
  for (let digit = 0; digit < LENGTH; digit += 1) {
    rest = ((rest << 5) | (VALUES[ulid.charCodeAt(digit)] ?? NO_DIGIT)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = (rest >> bits) & 0xff;
    at += 1;
  }
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
      text += ULID_DIGITS.charAt((rest >> bits) & 31);
    }
  }
  return text;
};
