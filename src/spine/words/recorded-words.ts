// A catalogue as it is recorded: its canonical text, which is the blob, and the digest by which it is named.

import type { Sha256 } from "../model.ts";
import { canonical } from "../values/canonical.ts";
import { sha256 } from "../values/hash.ts";
import type { Catalogue } from "./words-catalogue.ts";

export type RecordedWords = { readonly digest: Sha256; readonly text: string };

export const recordedWords = (catalogue: Catalogue): RecordedWords => {
  const text = canonical(catalogue);
  return { digest: sha256(text), text };
};
