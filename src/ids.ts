// The only source of chance: ULIDs, ascending within this process.
//
// 48 bits of milliseconds and 80 bits of chance in Crockford's base 32. Within one millisecond, or when the clock steps
// back, the chance part counts up from the last one, so that ids of one process never repeat and never go back.

import { nowMs } from "./clock.ts";
import type { Ulid } from "./ledger/record/record.ts";
import { ULID_DIGITS } from "./ledger/record/ulid.ts";

/** Loaded when it is asked: whoever only prints needs no ids, and it is a tenth of a short command. */
const randomBytes = (bytes: number): Buffer => process.getBuiltinModule("node:crypto").randomBytes(bytes);

const CHANCES = 64;

/** Chance that is drawn for many ids at once, and handed out once: a process that serves makes one for each request. */
const drawnTogether = (): ((bytes: number) => Uint8Array) => {
  let drawn: Uint8Array = new Uint8Array();
  return (bytes) => {
    if (drawn.length < bytes) drawn = randomBytes(bytes * CHANCES);
    const given = drawn.subarray(0, bytes);
    drawn = drawn.subarray(bytes);
    return given;
  };
};

const TIME_DIGITS = 10;
const CHANCE_DIGITS = 16;
/** So many digits at the end are counted up as a number, and written from a table by twos. */
const COUNTED_DIGITS = 4;
const COUNTS = 32 ** COUNTED_DIGITS;
const TWO_DIGITS: readonly string[] = Array.from(
  { length: 32 ** 2 },
  (_, value) => `${ULID_DIGITS[value >> 5]}${ULID_DIGITS[value & 31]}`,
);

const encodedTime = (ms: number): string => {
  let text = "";
  let rest = ms;
  for (let digit = 0; digit < TIME_DIGITS; digit += 1) {
    text = ULID_DIGITS[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
};

export const ulids = (
  clockMs: () => number = nowMs,
  chance: (bytes: number) => Uint8Array = drawnTogether(),
): (() => Ulid) => {
  let lastMs = -1;
  let time = "";
  let digits: number[] = [];
  /** Everything before the digits that are counted, which is the same for many ids. */
  let front = "";
  let counted = 0;
  const writeFront = (): void => {
    front = time + digits.map((digit) => ULID_DIGITS[digit]).join("");
  };
  const begin = (ms: number): void => {
    lastMs = ms;
    time = encodedTime(ms);
    // The highest digit starts low, so that counting up never overflows.
    const drawn = Array.from(chance(CHANCE_DIGITS), (byte, at) => (at === 0 ? byte & 15 : byte & 31));
    digits = drawn.slice(0, -COUNTED_DIGITS);
    counted = drawn.slice(-COUNTED_DIGITS).reduce((sum, digit) => sum * 32 + digit, 0);
    writeFront();
  };
  const carry = (): void => {
    counted = 0;
    let at = digits.length - 1;
    while (digits[at] === 31) {
      digits[at] = 0;
      at -= 1;
    }
    digits[at] = (digits[at] ?? 0) + 1;
    writeFront();
  };
  return () => {
    const ms = clockMs();
    if (ms > lastMs) begin(ms);
    else if (counted === COUNTS - 1) carry();
    else counted += 1;
    return `${front}${TWO_DIGITS[counted >> 10]}${TWO_DIGITS[counted & 1_023]}` as Ulid;
  };
};

/** 256 bits of chance as text, for a token. */
export const secretText = (): string => randomBytes(32).toString("base64url");

/** 50 bits of chance, for the name of a token; it tells nothing of the secret. */
export const publicId = (): string =>
  Array.from(randomBytes(10), (byte) => ULID_DIGITS[byte & 31])
    .join("")
    .toLowerCase();

/**
 * A word of this process that nothing from outside can hold. It need not be secret: it is not known before the process
 * starts, and whatever it prints was there by then.
 */
export const OWN_MARK = Array.from({ length: 2 }, () => Math.random().toString(36).slice(2)).join("");
