// Hashes that are made again: whoever shows, approves and applies a step brings it along, and each time it is held against
// its hash. Finding one again costs a tenth of making it.
//
// A hash depends on its text alone, so nothing is decided differently by what happens to be remembered. The oldest is
// forgotten first, and what is long is not kept.

import type { Sha256 } from "../model.ts";

const TEXTS_MAX = 16;
const LENGTH_MAX = 1_024;

/** Looked for one by one: a map would have to hash each text once more, which is half of what is saved. */
export const rememberHashes = (hashOf: (text: string) => Sha256): ((text: string) => Sha256) => {
  const texts: string[] = [];
  const hashes: Sha256[] = [];
  let oldest = 0;
  return (text) => {
    const known = hashes[texts.indexOf(text)];
    if (known !== undefined) return known;
    const made = hashOf(text);
    if (text.length > LENGTH_MAX) return made;
    texts[oldest] = text;
    hashes[oldest] = made;
    oldest = (oldest + 1) % TEXTS_MAX;
    return made;
  };
};
