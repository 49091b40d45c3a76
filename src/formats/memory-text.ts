// An amount of memory as an operator writes it: plain bytes, or a whole number with a binary unit.
//
// A unit that means two numbers to two people is not read (P7-F1); the problem says what would be exact.

import { BYTES_MAX, isBytes } from "./fields.ts";
import { plain, type Reader, reportFound, type Spot } from "./yaml/yaml-reader.ts";
import { integerAt } from "./yaml/yaml-values.ts";

/** So many digits for each unit that the largest amount stays below the limit of plain bytes. */
export const MEMORY_PATTERN =
  "^(?:[1-9][0-9]{0,11} ?KiB|[1-9][0-9]{0,8} ?MiB|[1-9][0-9]{0,5} ?GiB|[1-9][0-9]{0,2} ?TiB)$";
const MEMORY = new RegExp(MEMORY_PATTERN, "u");

const UNITS = new Map([
  ["KiB", 2 ** 10],
  ["MiB", 2 ** 20],
  ["GiB", 2 ** 30],
  ["TiB", 2 ** 40],
]);

/** Bytes; undefined for a text that is not an amount. */
export const parseMemory = (text: string): number | undefined => {
  const unit = UNITS.get(text.slice(-3));
  return unit === undefined || !MEMORY.test(text) ? undefined : Number.parseInt(text, 10) * unit;
};

const EXPECTED = `an amount such as 2 GiB, or whole bytes from 1 to ${BYTES_MAX}`;

export const memoryAt = (reader: Reader, spot: Spot | undefined): number | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  if (typeof value !== "string") return integerAt(reader, spot, { expected: EXPECTED, is: isBytes });
  const bytes = parseMemory(value);
  if (bytes !== undefined) return bytes;
  const { code, next } = wrongAmount(value);
  return reportFound(reader, code, spot, EXPECTED, next);
};

const AMOUNT = /^([0-9]{1,15}(?:\.[0-9]{1,15})?) {0,2}([A-Za-z]{1,12})$/;
type Wrong = { readonly code: "unit-unknown" | "value-wrong"; readonly next?: string };

const wrongAmount = (text: string): Wrong => {
  const [, digits, unit] = AMOUNT.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return { code: "value-wrong" };
  const code = UNITS.has(unit) ? "value-wrong" : "unit-unknown";
  const exact = exactly(Number(digits), unit);
  return exact === undefined ? { code } : { code, next: `Write ${exact}, if that is meant, or the number of bytes.` };
};

/** The same number with a unit that leaves no doubt, in the largest unit in which it is whole. */
const exactly = (amount: number, unit: string): string | undefined => {
  const isKnown = /^(?:[kmgt]i?b?|(?:kilo|mega|giga|tera|kibi|mebi|gibi|tebi)bytes?)$/i.test(unit);
  const size = isKnown ? [...UNITS].find(([name]) => name[0] === unit[0]?.toUpperCase())?.[1] : undefined;
  if (size === undefined) return undefined;
  const bytes = amount * size;
  const [name, divisor] = [...UNITS].findLast(([, each]) => each <= size && bytes % each === 0) ?? [];
  if (name === undefined || divisor === undefined) return undefined;
  const written = `${bytes / divisor} ${name}`;
  return MEMORY.test(written) ? written : undefined;
};
