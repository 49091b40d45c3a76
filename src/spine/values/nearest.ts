// The known word that somebody probably meant. It is named to them, and never taken for what they wrote.

/** A slip of the finger or two; more is another word. */
const SLIPS_MAX = 2;

/** The known word that was probably meant. The cost is bounded by the known words, however long the given one is. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  let found: string | undefined;
  let slipsFewest = SLIPS_MAX + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > SLIPS_MAX) continue;
    const slips = slipsBetween(word.toLowerCase(), candidate.toLowerCase());
    // Half of a short word may not be a slip: `os` is not `vms`.
    if (slips < slipsFewest && slips * 2 < candidate.length) {
      found = candidate;
      slipsFewest = slips;
    }
  }
  return found;
};

/** Edit distance in which two swapped neighbours count once. */
const slipsBetween = (a: string, b: string): number => {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      // Before the first character there is none, which is the same as no character.
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line.push(
        Math.min(
          cost(above[column]) + 1,
          cost(line[column - 1]) + 1,
          cost(above[column - 1]) + (isSame ? 0 : 1),
          isSwapped ? cost(before[column - 2]) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = above;
    above = line;
  }
  return cost(above[b.length]);
};

const cost = (cell: number | undefined): number => cell ?? Number.POSITIVE_INFINITY;
