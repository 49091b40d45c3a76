// What a ledger or what was handed on of one is held against: a public key, and the notes of an anchor.
//
// Both are the configuration's own unless somebody names others. Not here: holding it against them (verify-*.ts).

import { resolve } from "node:path";
import { type AnchorRead, readAnchor } from "../../ledger/anchor/anchor-fit.ts";
import type { AnchorLoss } from "../../ledger/anchor/anchor-loss.ts";
import { isThere } from "../../ledger/files/text-file.ts";
import { parseVkey, type SignedNote } from "../../ledger/tree/checkpoint.ts";
import { type Audit, findingRefusal } from "../../ledger/verify/verify-ledger.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { withFacts } from "../../spine/words/cause.ts";
import { type RefusedAnswer, refusedBy, refusedInput } from "../answer.ts";
import { readSigner } from "../hold/open-ledger.ts";
import { unreadableFile } from "../named-file.ts";
import type { Configuration } from "../ports.ts";
import type { Watch } from "../progress.ts";
import type { ReAnchor } from "./re-anchors.ts";

/** A file as the one who named it calls it, and where it is. */
export type FileNamed = { readonly name: string; readonly path: string };

/** Whose public key signs: one that was handed on by another way, or the configured signing key's. */
export type KeyOwner =
  | { readonly kind: "own"; readonly configuration: Configuration }
  | { readonly kind: "given"; readonly key: string };

export const readVkey = (owner: KeyOwner): { readonly vkey: string } | RefusedAnswer => {
  if (owner.kind === "given") {
    const parsed = parseVkey(owner.key);
    return parsed.kind === "verifier"
      ? { vkey: owner.key }
      : refusedInput([refuse("usage", withFacts(parsed.failure, { argument: "key" }))]);
  }
  const signer = readSigner(owner.configuration);
  return "kind" in signer ? refusedBy(signer) : signer;
};

/** The notes that can be believed; without an anchor there are none. */
export const readNamedAnchor = (
  named: FileNamed | undefined,
  own: Configuration | undefined,
  vkey: string,
): AnchorRead | RefusedAnswer => {
  if (named !== undefined && !isThere(named.path)) return refusedInput([unreadableFile(named.name, "ENOENT")]);
  const path = named?.path ?? (own === undefined ? undefined : resolve(own.home, own.config.anchor));
  const read = path === undefined ? NO_ANCHOR : readAnchor(path, vkey);
  return read.kind === "bad" ? refusedBy(read.loss) : read;
};
const NO_ANCHOR: AnchorRead = { code: "anchor-absent", kind: "none", notes: [] };

/** The first note of an anchor covers no record, and proves nothing about one. */
export const covering = (notes: readonly SignedNote[]): readonly SignedNote[] =>
  notes.filter(({ checkpoint }) => checkpoint.size > 0);

/** What was found. It holds where there is no refusal; then what it was held against is all that proves it whole. */
export type Verified = {
  readonly audit: Audit;
  /** How many notes it was held against. */
  readonly checkpoints: number;
  /** What is missing of the anchor: the records may hold, and what would show that some were cut off is not there. */
  readonly loss?: AnchorLoss;
  readonly name: string;
  readonly reAnchored: readonly ReAnchor[];
  /** Why it is not to be believed: the first finding, or else the loss. */
  readonly refusal?: Refusal;
};

export const verifiedOf = (found: Omit<Verified, "refusal">): Verified => {
  const { audit, loss } = found;
  const [first] = audit.findings;
  const refusal = first === undefined ? loss : findingRefusal(first, audit.findingsCount);
  return refusal === undefined ? found : { ...found, refusal };
};

export const auditOptions = (notes: readonly SignedNote[], size: number, watch: Watch) => ({
  checkpoints: notes.map(({ checkpoint }) => checkpoint),
  onProgress: (records: number): void => watch({ at: "verifying", ...(size === 0 ? {} : { of: size }), records }),
});
