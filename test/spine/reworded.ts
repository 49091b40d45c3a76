// A catalogue in which every sentence is another one, with the same facts in it.

import type { Catalogue, Words } from "../../src/spine/words/catalogue.ts";

export const MARK = "anders gesagt:";

/** Other words, every slot once more. */
export const rewordedText = (template: string): string =>
  [MARK, ...Array.from(template.matchAll(/\{[^{}]+\}/g), ([slot]) => slot)].join(" ");

const rewordedIn = (words: Words): Words =>
  Object.fromEntries(
    Object.entries(words).map(([name, one]) => [name, typeof one === "string" ? rewordedText(one) : rewordedIn(one)]),
  );

export const reworded = (catalogue: Catalogue): Catalogue => rewordedIn(catalogue) as Catalogue;

/** Every text of it. */
export const textsIn = (words: Words): readonly string[] =>
  Object.values(words).flatMap((one) => (typeof one === "string" ? [one] : textsIn(one)));
