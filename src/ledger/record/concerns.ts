// concernsVm(): whether a record is about a VM, whatever its kind.
//
// Generous about the place and exact about the word: a member `vmid` with this number, or a list `vmids` or `scope`
// that holds it, anywhere in the body. A number under another name is not a VM. What lies in a blob is not looked into.

import type { Vmid } from "../../spine/model.ts";
import type { Json } from "../../spine/values/canonical.ts";
import type { LedgerRecord } from "./record.ts";

const LISTS: readonly string[] = ["vmids", "scope"];

const names = (value: Json | undefined, vmid: Vmid): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((member: Json) => names(member, vmid));
  return Object.entries(value).some(
    ([key, member]) =>
      (key === "vmid" && member === vmid) ||
      (LISTS.includes(key) && Array.isArray(member) && member.includes(vmid)) ||
      names(member, vmid),
  );
};

/** Every VM that a record names so. */
export const vmsNamedIn = ({ body }: LedgerRecord): ReadonlySet<number> => {
  const found = new Set<number>();
  const look = (value: Json | undefined): void => {
    if (typeof value !== "object" || value === null) return;
    const members: readonly [string, Json | undefined][] = Object.entries(value);
    for (const [key, member] of members) {
      const listed = LISTS.includes(key) && Array.isArray(member) ? member : [];
      for (const one of key === "vmid" ? [member] : listed) if (typeof one === "number") found.add(one);
      look(member);
    }
  };
  look(body);
  return found;
};

export const concernsVm = ({ body }: LedgerRecord, vmid: Vmid): boolean => names(body, vmid);
