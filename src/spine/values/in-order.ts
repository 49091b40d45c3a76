// Ascending order by vmid, fast: the spine's only idea of order.
//
// A list that is out of order lies out of order in memory too, and each visit to a member costs as much as much work;
// so the numbers are taken out once, and order and repetition are found in them alone.

export type Ordered<T> = {
  /** The list itself when it is in order already; a sorted copy otherwise, in which equal vmids keep their order. */
  readonly list: readonly T[];
  /** Some vmid stands in it more than once. */
  readonly hasTwins: boolean;
};

/** 30 bits hold every vmid, in three digits of ten. */
const DIGIT_BITS = 10;
const DIGITS = 3;
const DIGIT_MASK = (1 << DIGIT_BITS) - 1;
/** The first vmid is 1. */
const BEFORE_ALL = 0;

/** Where the members stand in ascending order: a radix sort, which keeps equal ones as they came. */
const sortedIndexes = (vmids: Uint32Array): Uint32Array => {
  const { length } = vmids;
  let [from, to] = [new Uint32Array(length), new Uint32Array(length)];
  for (let at = 0; at < length; at += 1) from[at] = at;
  for (let shift = 0; shift < DIGITS * DIGIT_BITS; shift += DIGIT_BITS) {
    const next = starts(vmids, shift);
    for (let at = 0; at < length; at += 1) {
      const index = from[at] as number;
      const digit = ((vmids[index] as number) >>> shift) & DIGIT_MASK;
      const end = next[digit] as number;
      to[end] = index;
      next[digit] = end + 1;
    }
    [from, to] = [to, from];
  }
  return from;
};

/** For each value of one digit, how many members have a smaller one. */
const starts = (vmids: Uint32Array, shift: number): Uint32Array => {
  const counts = new Uint32Array(DIGIT_MASK + 1);
  for (let at = 0; at < vmids.length; at += 1) {
    const digit = ((vmids[at] as number) >>> shift) & DIGIT_MASK;
    counts[digit] = (counts[digit] as number) + 1;
  }
  let sum = 0;
  return counts.map((count) => {
    const start = sum;
    sum += count;
    return start;
  });
};

export const inOrder = <T extends { readonly vmid: number }>(list: readonly T[]): Ordered<T> => {
  let hasTwins = false;
  let last = BEFORE_ALL;
  for (let at = 0; at < list.length; at += 1) {
    const { vmid } = list[at] as T;
    if (vmid < last) return sorted(list);
    if (vmid === last) hasTwins = true;
    last = vmid;
  }
  return { hasTwins, list };
};

const sorted = <T extends { readonly vmid: number }>(list: readonly T[]): Ordered<T> => {
  const vmids = new Uint32Array(list.length);
  for (let at = 0; at < list.length; at += 1) vmids[at] = (list[at] as T).vmid;
  const inPlace = new Array<T>(list.length);
  let hasTwins = false;
  let last = BEFORE_ALL;
  const order = sortedIndexes(vmids);
  for (let at = 0; at < order.length; at += 1) {
    const index = order[at] as number;
    const vmid = vmids[index] as number;
    if (vmid === last) hasTwins = true;
    last = vmid;
    inPlace[at] = list[index] as T;
  }
  return { hasTwins, list: inPlace };
};
