// Whether an anchor is missing, or lost some of its notes: what was found, held against what is known to have been
// there.
//
// A ledger without a record needs no anchor yet. Every other one has one, because the first note is written before the
// first record; so what is absent, empty, unreadable or shorter than it was is never taken for an anchor that is still
// to come. keeps N7. Not here: reading the file (anchor-fit.ts), the way on (service/ledger/).

import type { Refusal, Sha256 } from "../../spine/model.ts";
import { type RefusalCode, refuse } from "../../spine/rules/refusals.ts";
import type { AnchorPart } from "../verify/chain-state.ts";
import type { Claims } from "./anchor-claim.ts";
import type { AnchorRead } from "./anchor-fit.ts";

/** The refusal of whoever would go on without it. */
export type AnchorLoss = Refusal & { readonly code: Extract<RefusalCode, `anchor-${string}`> };

export type LossGrounds = {
  readonly claims: Claims;
  /** Whether `claims` is of every record, and not only of those after the saved state. */
  readonly isWhole: boolean;
  /** The digest of this instance's own public key. */
  readonly key: Sha256;
  /** What a saved state that was signed with the ledger's key says was there. */
  readonly part: AnchorPart | undefined;
  /** How many records the ledger has. */
  readonly size: number;
};

export const anchorLoss = (
  read: AnchorRead,
  { claims: { begins, named }, isWhole, key, part, size }: LossGrounds,
): AnchorLoss | undefined => {
  if (read.kind === "bad") return read.loss;
  if (read.kind === "none") {
    if (size === 0 && part === undefined) return undefined;
    // Everybody who writes names their own: whoever is named nowhere has lost none.
    const isAnother = part === undefined && isWhole && named.length > 0 && named.every((one) => one.key !== key);
    return refuse(isAnother ? "anchor-unjoined" : read.code, { facts: { size } });
  }
  if (part !== undefined && !read.holds(part))
    return refuse("anchor-shortened", { cause: "saved-state-knows", facts: { bytes: part.bytes } });
  const own = named.find(({ first }) => first === read.claim.first);
  if (own !== undefined) {
    const facts = { bytes: own.bytes, seq: own.seq };
    return read.holds(own) ? undefined : refuse("anchor-shortened", { cause: "record-knows", facts });
  }
  const isKnown = part !== undefined || !isWhole || named.length === 0;
  const [first] = read.notes;
  if (first === undefined) throw new TypeError("an anchor has a first note");
  const begin = first.checkpoint.size;
  if (isKnown || begins.has(begin)) return undefined;
  return refuse("anchor-shortened", { cause: "begun-elsewhere", facts: { covered: begin } });
};
