// What is desired of a VM beside what was seen of it, a line for each attribute: `memory: desired 4 GiB, observed 4
// GiB`.

import { filled } from "../template.ts";

const COMPARED_WORDS = {
  compared: "{attribute}: desired {desired}, observed {seen}",
  bytes: "{size:bytes}",
  "not-seen": "nothing",
} as const;

export type ComparedInWords = {
  readonly attribute: string;
  readonly desired: number | string;
  readonly seen?: number | string;
};

export const comparedText = ({ attribute, desired, seen }: ComparedInWords): string => {
  const text = (value: number | string): string =>
    attribute === "memory" ? filled(COMPARED_WORDS.bytes, { size: value }) : String(value);
  return filled(COMPARED_WORDS.compared, {
    attribute: attribute === "target" ? "status" : attribute,
    desired: text(desired),
    seen: seen === undefined ? COMPARED_WORDS["not-seen"] : text(seen),
  });
};
