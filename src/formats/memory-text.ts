// An amount of memory as an operator writes it: plain bytes, or a whole number with a binary unit.
//
// A unit that means two numbers to two people is not read (P7-F1); the problem says what would be exact.

import { refuse } from "../spine/rules/refusals.ts";
import { type Expectation, guessed } from "./expectation.ts";
import { BYTES_MAX, isBytes } from "./fields.ts";
import { plain, reportFound, reportValue, type Spot, type YamlReader } from "./yaml/yaml-reader.ts";
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

const EXPECTED: Expectation = { cause: "amount", facts: { max: BYTES_MAX } };

export const memoryAt = (reader: YamlReader, spot: Spot | undefined): number | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  if (typeof value !== "string") return integerAt(reader, spot, { expected: EXPECTED, is: isBytes });
  const bytes = parseMemory(value);
  if (bytes !== undefined) return bytes;
  const { isUnitKnown, meant } = wrongAmount(value);
  if (isUnitKnown) return reportValue(reader, spot, meant === undefined ? EXPECTED : guessed(EXPECTED, meant));
  const max = BYTES_MAX;
  return reportFound(reader, spot, (found) =>
    meant === undefined
      ? refuse("unit-unknown", { cause: "amount", facts: { ...found, max } })
      : refuse("unit-unknown", { cause: "amount-meant", facts: { ...found, max, meant } }),
  );
};

const AMOUNT = /^([0-9]{1,15}(?:\.[0-9]{1,15})?) {0,2}([A-Za-z]{1,12})$/;
type Wrong = { readonly isUnitKnown: boolean; readonly meant?: string | undefined };

const wrongAmount = (text: string): Wrong => {
  const [, digits, unit] = AMOUNT.exec(text) ?? [];
  // Where no unit can be made out, the amount itself is what is wrong.
  if (digits === undefined || unit === undefined) return { isUnitKnown: true };
  return { isUnitKnown: UNITS.has(unit), meant: exactly(Number(digits), unit) };
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
