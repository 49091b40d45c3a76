// SHA-256: the one thing the spine takes from the platform. keeps N5

import { createHash, type Hash, hash } from "node:crypto";
import type { Sha256 } from "../model.ts";

/** The one-shot form is three times faster than a hasher object on what is short. */
export const sha256 = (of: string | Uint8Array): Sha256 => hash("sha256", of, "hex") as Sha256;

/** Up to here pieces are joined for the one-shot form; beyond it a hasher takes them as they come. */
const JOINED_MAX = 16_384;

/** Hashes pieces as if they were one text, so that a million answers never become one string. */
export const sha256OfPieces = (pieces: Iterable<string>): Sha256 => {
  let hasher: Hash | undefined;
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < JOINED_MAX) continue;
    hasher ??= createHash("sha256");
    hasher.update(text, "utf8");
    text = "";
  }
  return hasher === undefined ? sha256(text) : (hasher.update(text, "utf8").digest("hex") as Sha256);
};

const HASH_DIGITS = 64;
const ASCII = 0x80;
const HEX_DIGIT = Uint8Array.from({ length: ASCII }, (_, code) =>
  "0123456789abcdef".includes(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Counted and judged at the end: the digits of a hash are random, so a processor guesses every other question wrong.
 */
export const isSha256 = (value: unknown): value is Sha256 => {
  if (typeof value !== "string" || value.length !== HASH_DIGITS) return false;
  let digits = 0;
  let codes = 0;
  for (let at = 0; at < HASH_DIGITS; at += 1) {
    const code = value.charCodeAt(at);
    codes |= code;
    digits += HEX_DIGIT[code % ASCII] as number;
  }
  return digits === HASH_DIGITS && codes < ASCII;
};
