// Blobs as bytes: canonical text in UTF-8, so that the address is the digest that was hashed.

import type { Decided } from "../../ledger/write/submission.ts";
import { present } from "../../spine/values/present.ts";
import type { DecidedInText } from "./result.ts";

/** A TextEncoder asks for memory of its own for every text, which takes several times as long for a short one. */
const bytesOf = (text: string): Uint8Array => Buffer.from(text);

/** As the ledger takes it. */
export const inBytes = ({ blobs, draft }: DecidedInText): Decided => ({
  ...present({ blobs: blobs && new Map(Array.from(blobs, ([digest, text]) => [digest, bytesOf(text)])) }),
  draft,
});

/**
 * The whole of a text that comes in pieces; whoever needs the digest as well hashes this, and does not write it twice.
 */
export const joinedText = (pieces: Iterable<string>): string => {
  let text = "";
  for (const piece of pieces) text += piece;
  return text;
};
