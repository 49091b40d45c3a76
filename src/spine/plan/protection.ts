// Which VMs are production. Any one sign is enough, and nothing takes protection away again.

import type { DesiredEntry, Protection, VmState } from "../model.ts";
import type { SpineRules } from "./spine-rules.ts";

/** Names and tags are compared in lower case: PROD-db is somebody's production too. */
export const isProductionName = (name: string): boolean => name.toLowerCase().startsWith("prod-");
export const isProductionTag = (tag: string): boolean => tag.toLowerCase() === "prod";

/** The sign in a desired entry alone; undefined when there is none. */
export const protectedByEntry = (
  entry: Pick<DesiredEntry, "name" | "protected">,
  rules: SpineRules,
): Protection | undefined => {
  if (rules.isProductionName(entry.name)) return "desired-name";
  return entry.protected === true ? "entry" : undefined;
};

/** The sign that protects this VM; undefined when there is none. */
export const protectedBecause = (entry: DesiredEntry, state: VmState, rules: SpineRules): Protection | undefined => {
  if (rules.isProductionName(entry.name)) return "desired-name";
  if (rules.isProductionName(state.name)) return "observed-name";
  if (state.tags?.some(rules.isProductionTag)) return "tag";
  return entry.protected === true ? "entry" : undefined;
};
