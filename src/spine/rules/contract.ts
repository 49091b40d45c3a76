// The contract lock: DESIGN.md says what this system will never do, and this code serves that text and no other.
//
// The text is handed in; the spine reads no file. Line ends are normalised, because a checkout may change them.

import type { Refusal, Sha256 } from "../model.ts";
import { sha256 } from "../values/hash.ts";
import { refuse } from "./refusals.ts";

export const CONTRACT_SHA256 = "9b9dfeb896ce6f0537bc9c71f3db75527484e39aee1747ba86e2569ce971baf4" as Sha256;

export const contractDigest = (text: string): Sha256 => sha256(text.replaceAll("\r\n", "\n"));

/** Undefined when the contract is the one this code was built for. */
export const contractBroken = (text: string): Refusal | undefined => {
  const found = contractDigest(text);
  if (found === CONTRACT_SHA256) return undefined;
  return refuse("contract-broken", { facts: { expected: CONTRACT_SHA256, found } });
};
