// Whatever on a page puts one thing before another, but for the numbers that everything has.

import type { Page } from "playwright-core";
import type { Objection } from "../../cannot.ts";

const RANKING_WORDS = /\b(?:recommend|suggest|priorit|urgent|critical|best|safest|score|top \d)/i;

type Found = {
  readonly areSorted: boolean;
  readonly looks: number;
  readonly sorts: number;
  readonly text: string;
};

/** The rules themselves say what is not done: their text is left out. */
const FOUND = `(() => {
  const rows = [...document.querySelectorAll("tr[data-row]")];
  const numbers = rows
    .map((row) => Number(/\\d+/.exec(row.querySelector(".machine, th")?.textContent ?? "")?.[0]))
    .filter((number) => Number.isSafeInteger(number));
  const looks = Array.from(document.querySelectorAll(".act > button:enabled"), (button) => {
    const { backgroundColor, borderTopColor, color, fontSize, fontWeight } = getComputedStyle(button);
    return [backgroundColor, borderTopColor, color, fontSize, fontWeight].join();
  });
  const main = document.querySelector("main").cloneNode(true);
  for (const rule of main.querySelectorAll(".rule")) rule.remove();
  return {
    areSorted: numbers.every((number, at) => at === 0 || numbers[at - 1] <= number),
    looks: new Set(looks).size,
    sorts: document.querySelectorAll("[aria-sort], th button").length,
    text: main.textContent,
  };
})()`;

export const rankingsOn = async (page: Page): Promise<readonly Objection[]> => {
  const { areSorted, looks, sorts, text } = await page.evaluate<Found>(FOUND);
  const isRanked = !areSorted || looks > 1 || sorts > 0 || RANKING_WORDS.test(text);
  return isRanked ? [{ rule: "P7-A3" }] : [];
};
