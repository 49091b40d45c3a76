// The contract lock: DESIGN.md says what this system will never do, and this code serves that text and no other.
//
// The text is handed in; the spine reads no file. Line ends are normalised, because a checkout may change them.

import { sha256 } from "./hash.ts";
import type { Refusal, Sha256 } from "./model.ts";
import { refuse } from "./refusals.ts";

export const CONTRACT_SHA256 = "c3f39d2491655c6adbd2be08d3770e7963f0441225f0806c290a7515a985db6d" as Sha256;

export const contractDigest = (text: string): Sha256 => sha256(text.replaceAll("\r\n", "\n"));

/** Undefined when the contract is the one this code was built for. */
export const contractBroken = (text: string): Refusal | undefined => {
  const found = contractDigest(text);
  if (found === CONTRACT_SHA256) return undefined;
  return refuse("contract-broken", {
    because: "the text of DESIGN.md is not the one this code was built for",
    facts: { expected: CONTRACT_SHA256, found },
  });
};
