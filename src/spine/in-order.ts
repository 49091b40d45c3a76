// Ascending order by vmid, fast: the spine's only idea of order.

import { VMID_MAX } from "./model.ts";

const isAscending = (list: readonly { readonly vmid: number }[]): boolean => {
  let last = 0;
  for (const { vmid } of list) {
    if (vmid < last) return false;
    last = vmid;
  }
  return true;
};

/** Vmid and position as one exact number: a typed array of them sorts natively, and equal vmids keep their order. */
const POSITIONS_MAX = Math.floor(Number.MAX_SAFE_INTEGER / (VMID_MAX + 1));

/** The list itself when it is in order already; a sorted copy otherwise. */
export const inOrder = <T extends { readonly vmid: number }>(list: readonly T[]): readonly T[] => {
  if (isAscending(list)) return list;
  if (list.length > POSITIONS_MAX) return list.toSorted((a, b) => a.vmid - b.vmid);
  const keys = new Float64Array(list.length);
  for (let at = 0; at < list.length; at += 1) keys[at] = (list[at] as T).vmid * list.length + at;
  keys.sort();
  const sorted = new Array<T>(list.length);
  for (let at = 0; at < list.length; at += 1) sorted[at] = list[(keys[at] as number) % list.length] as T;
  return sorted;
};
