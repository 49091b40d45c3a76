// A catalogue in which every sentence is another one, with the same facts in it.

import type { Catalogue, Words } from "../../src/spine/words/words-catalogue.ts";

export const MARK = "anders gesagt:";

/** Other words, every slot once more. */
export const rewordedText = (template: string): string =>
  [MARK, ...Array.from(template.matchAll(/\{[^{}]+\}/g), ([slot]) => slot)].join(" ");

/** Every text of a part of a catalogue. */
export const rewordedIn = (words: Words): Words =>
  Object.fromEntries(
    Object.entries(words).map(([name, one]) => [name, typeof one === "string" ? rewordedText(one) : rewordedIn(one)]),
  );

export const reworded = (catalogue: Catalogue): Catalogue => rewordedIn(catalogue) as Catalogue;

/** Every text of it. */
export const textsIn = (words: Words): readonly string[] =>
  Object.values(words).flatMap((one) => (typeof one === "string" ? [one] : textsIn(one)));

type Changeable = { [name: string]: string | Changeable };

const rewordIn = (words: Changeable): void => {
  for (const [name, one] of Object.entries(words)) {
    if (typeof one === "string") words[name] = rewordedText(one);
    else rewordIn(one);
  }
};

/**
 * Whatever table is set here is reworded where it stands: for a copy of the sources, whose tables are made this way.
 */
export const REWORDING = {
  set table(words: Changeable) {
    rewordIn(words);
  },
};
