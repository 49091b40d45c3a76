// What differs between two desired states of an environment, VM by VM and attribute by attribute. It decides nothing.

import type { DesiredEntry, DesiredState, DesiredVm, Vmid } from "../spine/model.ts";
import { canonical, type Json } from "../spine/values/canonical.ts";
import { present } from "../spine/values/present.ts";

type KeysOf<T> = T extends object ? keyof T : never;
export type Attribute = Exclude<KeysOf<DesiredVm>, "kind" | "vmid">;
type Value = string | number | true;

/** Absent on one side: `was` of what was added, `now` of what was removed. */
export type AttributeChange = { readonly attribute: Attribute; readonly now?: Value; readonly was?: Value };

export type EntryChange = { readonly name: string; readonly vmid: Vmid } & (
  | { readonly change: "added" | "removed" }
  | { readonly attributes: readonly AttributeChange[]; readonly change: "changed" }
);

/** In the order in which they are told. */
const ORDER: Readonly<Record<Attribute, number>> = {
  name: 0,
  target: 1,
  stop: 2,
  cpus: 3,
  memory: 4,
  protected: 5,
  identity: 6,
};
const ATTRIBUTES = (Object.keys(ORDER) as readonly Attribute[]).toSorted((one, other) => ORDER[one] - ORDER[other]);

export const differences = (before: DesiredState | undefined, after: DesiredState): readonly EntryChange[] => {
  const old = new Map((before?.entries ?? []).map((entry) => [entry.vmid, entry]));
  const fresh = new Map(after.entries.map((entry) => [entry.vmid, entry]));
  return [
    ...after.entries.flatMap((entry): readonly EntryChange[] => {
      const { name, vmid } = entry;
      const was = old.get(vmid);
      if (was === undefined) return [{ change: "added", name, vmid }];
      return textOf(was) === textOf(entry)
        ? []
        : [{ attributes: attributesOf(was, entry), change: "changed", name, vmid }];
    }),
    ...[...old.values()].flatMap(({ name, vmid }): readonly EntryChange[] =>
      fresh.has(vmid) ? [] : [{ change: "removed", name, vmid }],
    ),
  ].sort((a, b) => a.vmid - b.vmid);
};

const textOf = (entry: DesiredEntry): string => canonical({ ...entry } as { readonly [key: string]: Json });

export const attributesOf = (before: DesiredEntry, after: DesiredEntry): readonly AttributeChange[] => {
  const [old, fresh]: readonly Partial<Record<Attribute, Value>>[] = [{ ...before }, { ...after }];
  return ATTRIBUTES.flatMap((attribute) => {
    const [was, now] = [old?.[attribute], fresh?.[attribute]];
    return was === now ? [] : [{ attribute, ...present({ now, was }) }];
  });
};
