// What differs between two answers: status, reason, keys, JSON types, and the words in which the place refuses.
//
// Figures and names of a moment are not compared; texts of errors are, with process ids masked.

import type { Answered } from "./recording.ts";

export type Difference = { readonly at: string; readonly what: string };

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "list" : typeof value === "object" ? "map" : typeof value;

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> => typeOf(value) === "map";

const masked = (text: string): string => text.replace(/\.tmp\.[0-9]+/g, ".tmp.PID");

/** Keys whose texts are part of the interface. */
const SPOKEN = new Set(["message", "exitstatus", "t", "qmpstatus", "digest"]);

const keyOf = (rows: readonly unknown[]): string | undefined =>
  ["id", "vmid", "key", "name", "n"].find((key) => {
    const values = rows.map((row) => (isMap(row) ? row[key] : undefined));
    return values.every((value) => value !== undefined) && new Set(values).size === values.length;
  });

const shapeText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeText))].toSorted().join(",")}]`;
  if (!isMap(value)) return typeOf(value);
  return `{${Object.keys(value)
    .toSorted()
    .map((key) => `${key}:${shapeText(value[key])}`)
    .join(",")}}`;
};

const lists = (real: readonly unknown[], ours: readonly unknown[], at: string): readonly Difference[] => {
  const key = keyOf([...real]) === keyOf([...ours]) ? keyOf(real) : undefined;
  if (key === undefined || real.length === 0) {
    const [left, right] = [shapeText(real), shapeText(ours)];
    return left === right ? [] : [{ at, what: `a list of ${right} instead of ${left}` }];
  }
  const rows = (list: readonly unknown[]) => new Map(list.map((row) => [`${isMap(row) ? row[key] : ""}`, row]));
  const [left, right] = [rows(real), rows(ours)];
  return [
    ...[...left].flatMap(([name, row]) =>
      right.has(name)
        ? differences(row, right.get(name), `${at}[${name}]`)
        : [{ at: `${at}[${name}]`, what: "is not there" }],
    ),
    ...[...right.keys()]
      .filter((name) => !left.has(name))
      .map((name) => ({ at: `${at}[${name}]`, what: "is too much" })),
  ];
};

const differences = (real: unknown, ours: unknown, at: string): readonly Difference[] => {
  if (typeOf(real) !== typeOf(ours)) return [{ at, what: `is a ${typeOf(ours)} instead of a ${typeOf(real)}` }];
  if (Array.isArray(real) && Array.isArray(ours)) return lists(real, ours, at);
  if (!isMap(real) || !isMap(ours)) {
    const isSpoken = SPOKEN.has(at.split(".").at(-1) ?? "") || at.includes(".errors.");
    const isOther = typeof real === "string" && typeof ours === "string" && masked(real) !== masked(ours);
    return isSpoken && isOther ? [{ at, what: `says ${JSON.stringify(ours)} instead of ${JSON.stringify(real)}` }] : [];
  }
  return [...new Set([...Object.keys(real), ...Object.keys(ours)])].toSorted().flatMap((key) => {
    if (!Object.hasOwn(ours, key)) return [{ at: `${at}.${key}`, what: "is not there" }];
    if (!Object.hasOwn(real, key)) return [{ at: `${at}.${key}`, what: "is too much" }];
    return differences(real[key], ours[key], `${at}.${key}`);
  });
};

export const differencesBetween = (real: Answered, ours: Answered): readonly Difference[] => [
  ...(real.status === ours.status ? [] : [{ at: "status", what: `${ours.status} instead of ${real.status}` }]),
  ...(masked(real.reason) === masked(ours.reason)
    ? []
    : [{ at: "reason", what: `${JSON.stringify(ours.reason)} instead of ${JSON.stringify(real.reason)}` }]),
  ...(real.contentType === ours.contentType
    ? []
    : [{ at: "content type", what: `${ours.contentType} instead of ${real.contentType}` }]),
  ...differences(real.json ?? null, ours.json ?? null, "body"),
];
