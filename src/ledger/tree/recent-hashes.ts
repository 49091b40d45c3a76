// Hashes that are made again: whoever shows, approves and applies a step of a plan brings the step, its VM's entry and
// their proofs along, and all proofs of one plan meet at the same few nodes. Finding one again costs a tenth of making
// it.
//
// A hash depends on its text alone, so nothing is proven differently by what happens to be remembered; the oldest is
// forgotten first. Not in the spine, which remembers nothing between two decisions.

import type { Sha256 } from "../../spine/model.ts";

const TEXTS_MAX = 16;

/** Looked for one by one: a map would have to hash each text once more, which is half of what is saved. */
export const rememberHashes = (hashOf: (text: string) => Sha256): ((text: string) => Sha256) => {
  const texts: string[] = [];
  const hashes: Sha256[] = [];
  let oldest = 0;
  return (text) => {
    const known = hashes[texts.indexOf(text)];
    if (known !== undefined) return known;
    const made = hashOf(text);
    texts[oldest] = text;
    hashes[oldest] = made;
    oldest = (oldest + 1) % TEXTS_MAX;
    return made;
  };
};
