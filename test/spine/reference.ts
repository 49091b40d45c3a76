// What the hashes ought to be, computed the slow way: a reference canonicaliser and a plain SHA-256 over one text.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

export const canonicalText = (value: unknown): string => {
  const text = canonicalize(value);
  assert.ok(text !== undefined, "the value is JSON");
  return text;
};

export const digestOf = (value: unknown): string => createHash("sha256").update(canonicalText(value)).digest("hex");

/** Fails when the keys of the value are not sorted by construction. */
export const assertCanonical = (value: unknown): void => {
  assert.equal(JSON.stringify(value), canonicalText(value));
};
