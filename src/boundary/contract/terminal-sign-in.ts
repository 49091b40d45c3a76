// How a terminal asks to be signed in: it makes the token itself, and sends a browser here with its hash and public
// id. The person compares a code that both sides make of the hash.
//
// Shared by the command line and the pages, so that both show the same. Keeps B5: the token leaves the terminal as
// the proof of a request alone.

import type { Sha256 } from "../../spine/model.ts";

export const SIGN_IN_PATH = "/sign-in";
export const SIGNED_IN_PATH = "/signed-in";

/** The public part of a token. */
export const isTokenId = (value: unknown): value is string => typeof value === "string" && /^[0-9a-z]{10}$/.test(value);

/** Without letters and digits that are mistaken for each other. */
const DIGITS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 8;

/** Whoever wants a token of theirs to have the code of another must make some 2^39 of them. */
export const terminalCode = (hash: Sha256): string => {
  let rest = BigInt(`0x${hash.slice(0, 32)}`);
  const base = BigInt(DIGITS.length);
  let code = "";
  for (let at = 0; at < CODE_LENGTH; at += 1) {
    code += DIGITS[Number(rest % base)] ?? "";
    rest /= base;
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`;
};

export const terminalAddress = (origin: string, { hash, id }: { readonly hash: Sha256; readonly id: string }): string =>
  `${origin}${SIGN_IN_PATH}?${new URLSearchParams({ hash, id })}`;
