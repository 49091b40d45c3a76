// Versions as semver.org writes them, and which of two is newer. Build metadata is refused: it orders nothing.

const NUMBER = "(?:0|[1-9]\\d*)";
const WORD = `(?:${NUMBER}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
const VERSION = new RegExp(`^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-(${WORD}(?:\\.${WORD})*))?$`);

export const isVersion = (text: string): boolean => VERSION.test(text);

export const isNewer = (one: string, other: string): boolean => compare(one, other) > 0;

const compare = (one: string, other: string): number => {
  const [a, b] = [partsOf(one), partsOf(other)];
  const numbers = a.numbers.map((value, at) => value - (b.numbers[at] ?? 0)).find((difference) => difference !== 0);
  if (numbers !== undefined) return numbers;
  // A version comes after its own pre-releases.
  if (a.words.length === 0 || b.words.length === 0) return b.words.length - a.words.length;
  for (const [at, word] of a.words.entries()) {
    const difference = compareWords(word, b.words[at]);
    if (difference !== 0) return difference;
  }
  return a.words.length - b.words.length;
};

const partsOf = (text: string) => {
  const [, major, minor, patch, words] = VERSION.exec(text) ?? [];
  return { numbers: [major, minor, patch].map(Number), words: words?.split(".") ?? [] };
};

/** Numbers by value and before words; words by their characters; one that is there after none. */
const compareWords = (one: string, other: string | undefined): number => {
  if (other === undefined) return 1;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one === other ? 0 : one < other ? -1 : 1;
};
