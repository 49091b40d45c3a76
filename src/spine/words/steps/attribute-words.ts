// What is otherwise in an entry of a desired state, attribute by attribute.

import { bytesText } from "../template.ts";

const CHANGE_WORDS = { added: "added", removed: "removed" } as const;

type Value = string | number | true;

/** Absent on one side: `was` of what was added, `now` of what was removed. */
type AttributeTold = { readonly attribute: string; readonly now?: Value; readonly was?: Value };

/** `memory 2 GiB → 4 GiB, protected added, identity abc removed` */
export const attributesText = (changes: readonly AttributeTold[]): string => changes.map(attributeText).join(", ");

const attributeText = ({ attribute, now, was }: AttributeTold): string => {
  const [old, fresh] = [valueText(attribute, was), valueText(attribute, now)];
  if (was !== undefined && now !== undefined) return `${attribute} ${old} → ${fresh}`;
  return [attribute, ...(was === undefined ? [fresh, CHANGE_WORDS.added] : [old, CHANGE_WORDS.removed])]
    .filter(Boolean)
    .join(" ");
};

const valueText = (attribute: string, value: Value | undefined): string => {
  if (value === undefined || value === true) return "";
  return attribute === "memory" && typeof value === "number" ? bytesText(value) : String(value);
};
