// Which VMs are production. Any one sign is enough, and nothing takes protection away again.

import type { VmState, Wish } from "../model.ts";

/** Names and tags are compared in lower case: PROD-db is somebody's production too. */
export const isProductionName = (name: string): boolean => name.toLowerCase().startsWith("prod-");
export const isProductionTag = (tag: string): boolean => tag.toLowerCase() === "prod";

/** The sign in a desired entry alone, in words; undefined when there is none. */
export const protectedByEntry = (entry: Pick<Wish, "name" | "protected">): string | undefined => {
  if (isProductionName(entry.name)) return "its desired name begins with prod-";
  return entry.protected === true ? "its desired entry says protected: true" : undefined;
};

/** The sign that protects this VM, in words; undefined when there is none. */
export const protectedBecause = (wish: Wish, state: VmState): string | undefined => {
  if (isProductionName(wish.name)) return "its desired name begins with prod-";
  if (isProductionName(state.name)) return "its observed name begins with prod-";
  if (state.tags?.some(isProductionTag)) return "it carries the tag prod";
  if (wish.protected === true) return "its desired entry says protected: true";
  return undefined;
};
