// shrunk(): a smaller text that is objected to for the same reason, by leaving out pieces.
//
// Pieces get smaller until single characters, and all of it again while it helps; the number of tries is bounded, since
// a failing check may be slow.

const TRIES_MAX = 5_000;

export const shrunk = (text: string, isStillWrong: (text: string) => boolean): string => {
  let tries = 0;
  let smallest = text;
  const leaveOut = (size: number): void => {
    for (let from = 0; from < smallest.length && tries < TRIES_MAX; ) {
      const candidate = smallest.slice(0, from) + smallest.slice(from + size);
      tries += 1;
      if (isStillWrong(candidate)) smallest = candidate;
      else from += size;
    }
  };
  let before: string;
  do {
    before = smallest;
    for (let size = smallest.length; size >= 1; size = Math.floor(size / 2)) leaveOut(size);
  } while (smallest !== before);
  return smallest;
};
