// Two reads that one page stands on: shown when both have come, and not at all where one has not.

import type { ReadAnswer } from "./get.ts";

/** The head is that of the first. */
export const readTogether = async <A, B>(
  first: Promise<ReadAnswer<A>>,
  second: Promise<ReadAnswer<B>>,
): Promise<ReadAnswer<readonly [A, B]>> => {
  const [one, other] = await Promise.all([first, second]);
  if (one.kind !== "read") return one;
  if (other.kind !== "read") return other;
  return { ...one, value: [one.value, other.value] };
};
