// What blobs hold, at hand for a walk that decides records again: most of what a record names was read for one before
// it, so that only what was not has to be waited for.

import type { Sha256 } from "../spine/model.ts";

/** Undefined when there is no such blob. */
export type BlobText = (digest: Sha256) => Promise<string | undefined>;

/** A blob that there is none of, or one that has to be read first. Whatever a blob holds, it is no such object. */
export class NotHere {
  readonly digest: Sha256;
  readonly isRead: boolean;

  constructor(digest: Sha256, isRead: boolean) {
    this.digest = digest;
    this.isRead = isRead;
  }
}
export const isNotHere = (value: unknown): value is NotHere => value instanceof NotHere;

/** What blobs hold, as texts and as JSON: those that were read last are at hand. */
export type BlobValues = {
  readonly read: (digest: Sha256) => Promise<void>;
  readonly text: (digest: Sha256) => string | NotHere;
  readonly value: (digest: Sha256) => unknown;
};

/** An observation is read when it was recorded and again for the plan on it, and what is desired for every plan. */
const BLOBS_KEPT = 8;

export const valuesOf = (blob: BlobText): BlobValues => {
  const texts = new Map<Sha256, string | undefined>();
  const parsed = new Map<Sha256, unknown>();
  const text = (digest: Sha256): string | NotHere => texts.get(digest) ?? new NotHere(digest, texts.has(digest));
  return {
    read: async (digest) => {
      const found = await blob(digest);
      const [oldest] = texts.keys();
      if (texts.size === BLOBS_KEPT && oldest !== undefined) {
        texts.delete(oldest);
        parsed.delete(oldest);
      }
      texts.set(digest, found);
    },
    text,
    value: (digest) => {
      const known = parsed.get(digest);
      if (known !== undefined) return known;
      const found = text(digest);
      if (isNotHere(found)) return found;
      const value: unknown = JSON.parse(found);
      parsed.set(digest, value);
      return value;
    },
  };
};
