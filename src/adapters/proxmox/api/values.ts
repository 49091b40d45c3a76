// Single values of PVE's answers, whose types differ between its versions: numbers may be texts, flags are 0 and 1.
//
// Doubt is undefined; nothing is converted that does not plainly say one thing.

import { isVmid, type Vmid } from "../../../spine/model.ts";

const WHOLE = /^(?:0|[1-9][0-9]{0,15})$/;

/** A whole number that is not negative and exact. */
export const wholeOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && WHOLE.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};

export const vmidOf = (value: unknown): Vmid | undefined => {
  const number = wholeOf(value);
  return isVmid(number) ? number : undefined;
};

/** PVE writes 1, 0, "1", "0", an empty text, or leaves it out. */
export const isSet = (value: unknown): boolean => value === 1 || value === "1" || value === true;

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** `a=1,b=2` as PVE writes it in one setting; a part without a key goes under the empty name. */
export const partsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(",").map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? ["", part] : [part.slice(0, at), part.slice(at + 1)];
    }),
  );
