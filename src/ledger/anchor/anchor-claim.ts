// What the ledger itself knows of its anchors: every process names in its `start` record the anchor that it found, and
// whoever made an anchor anew recorded that.
//
// So an anchor that lost notes is known for it even where no saved state is left to tell. Several instances may share
// one ledger, each with an anchor of its own: an anchor is told from another by its first note. Not here: the file
// (anchor.ts), what is made of it (anchor-loss.ts).

import type { Sha256 } from "../../spine/model.ts";
import { isSha256, sha256 } from "../../spine/values/hash.ts";
import { readRecord } from "../record/read-record.ts";
import { isSize } from "../record/record.ts";
import type { AnchorPart } from "../verify/chain-state.ts";
import { noteBytes, noteText } from "./anchor.ts";

/**
 * A beginning of an anchor, the digest of its first note, and that of the public key which its notes are signed with.
 */
export type AnchorClaim = AnchorPart & { readonly first: Sha256; readonly key: Sha256 };

/** The name of an instance: it is its signing key that tells it from another. */
export const keyDigest = (vkey: string): Sha256 => sha256(vkey);

/** Of an anchor that holds this note alone. */
export const anchorClaimOf = (note: string, vkey: string): AnchorClaim => ({
  bytes: noteBytes(note),
  digest: sha256(noteText(note)),
  first: sha256(note),
  key: keyDigest(vkey),
});

export type Claims = {
  /** Where an anchor may begin that nobody has named yet: the sizes after the records behind which one begins. */
  readonly begins: ReadonlySet<number>;
  readonly named: readonly (AnchorClaim & { readonly seq: number })[];
};

/** Acts behind which an anchor begins. */
const BEGINNERS: ReadonlySet<string> = new Set(["ledger.join", "ledger.restore", "ledger.re-anchor"]);
const NEEDLES = ['"anchor":{"bytes":', ...Array.from(BEGINNERS, (kind) => `"kind":"${kind}"`)].map((text) =>
  Buffer.from(text),
);

/** Takes lines as they are walked; most of them are only searched for the words. */
export const claimsReader = (): { readonly claims: () => Claims; readonly take: (line: Uint8Array) => void } => {
  const begins = new Set<number>([0]);
  // The last of each anchor names the most: an anchor only grows.
  const named = new Map<Sha256, AnchorClaim & { readonly seq: number }>();
  return {
    claims: () => ({ begins, named: [...named.values()] }),
    take: (line) => {
      const bytes = Buffer.from(line.buffer, line.byteOffset, line.length);
      if (!NEEDLES.some((needle) => bytes.includes(needle))) return;
      const read = readRecord(line);
      if (read.kind === "finding") return;
      const { body, kind, seq } = read.record;
      if (BEGINNERS.has(kind) && isGranted(body)) begins.add(seq + 1);
      const claim = kind === "start" ? claimIn(body) : undefined;
      if (claim !== undefined) named.set(claim.first, { ...claim, seq });
    },
  };
};

type Body = { readonly [key: string]: unknown };

const isGranted = ({ result }: Body): boolean => (result as { readonly kind?: unknown } | undefined)?.kind === "done";

const claimIn = ({ request }: Body): AnchorClaim | undefined => {
  const anchor = (request as { readonly anchor?: unknown } | undefined)?.anchor;
  if (typeof anchor !== "object" || anchor === null) return undefined;
  const { bytes, digest, first, key } = anchor as { readonly [key: string]: unknown };
  const isWhole = isSize(bytes) && isSha256(digest) && isSha256(first) && isSha256(key);
  return isWhole ? { bytes, digest, first, key } : undefined;
};
