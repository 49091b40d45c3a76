// A strict reader over a YAML tree: every value is read with its place, and every problem is kept, not only the first.
//
// A reading function answers with the value, or with undefined after it has reported why. Nothing is converted, and no
// JavaScript object gets its keys from the file, so a key named `__proto__` is a key like any other.
// Not here: the text below the tree (yaml-text.ts), what a file needs (one file per format). Keeps P7-F1.

import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { nearest } from "../../spine/values/nearest.ts";
import { withFacts } from "../../spine/words/cause.ts";
import { type Expectation, type FoundValue, type Guess, plainly, type Unquoted, unknownKey } from "../expectation.ts";
import { fieldOf, itemOf } from "../field-path.ts";
import { type Parsed, type Problem, problemOf } from "../problem.ts";
import { note, PROBLEMS_MAX, type YamlNote } from "./yaml-compose.ts";
import { readYamlText } from "./yaml-text.ts";
import type { YamlNode } from "./yaml-tree.ts";

/** A value of the file and where it stands. */
export type Spot = { readonly node: YamlNode | undefined; readonly offset: number; readonly field: string };
export type YamlEntry = { readonly name: string; readonly key: Spot; readonly value: Spot };

/** How one format speaks of what it found. */
export type Manner = {
  /** A format that may hold secrets says only what kind of value it is. */
  readonly shows: (value: unknown) => FoundValue;
  /** True when it has reported the unknown key as something of its own. */
  readonly objects: (reader: YamlReader, entry: YamlEntry) => boolean;
};
export type YamlReader = {
  readonly manner: Manner;
  readonly report: (spot: Omit<Spot, "node">, refusal: Refusal) => void;
  readonly lineAt: (offset: number) => number;
};

export const parseYaml = <T>(
  given: string,
  file: string,
  manner: Manner,
  read: (reader: YamlReader, root: Spot) => T | undefined,
): Parsed<T> => {
  const text = given.startsWith("\ufeff") ? given.slice(1) : given;
  const lines = linesOf(text);
  const tree = readYamlText(text);
  const notes: YamlNote[] = [];
  const reader: YamlReader = {
    lineAt: (offset) => lines(offset).line,
    manner,
    report: ({ field, offset }, refusal) => {
      if (notes.length <= PROBLEMS_MAX) notes.push({ field, offset, refusal });
    },
  };
  const value =
    tree.kind === "bad" ? undefined : read(reader, { field: "", node: tree.root, offset: offsetOf(tree.root, 0) });
  const [first, ...rest] = firstOf([...tree.notes, ...notes].sort((a, b) => a.offset - b.offset)).map(
    ({ field, offset, refusal }): Problem => problemOf(refusal, { ...lines(offset), field, file }),
  );
  if (first !== undefined) return { kind: "bad", problems: [first, ...rest] };
  if (value === undefined) throw new Error("a file that was not taken has a problem that says why");
  return { kind: "ok", value };
};

/** As many as somebody may read, and word of the rest. */
const firstOf = (notes: readonly YamlNote[]): readonly YamlNote[] => {
  const beyond = notes[PROBLEMS_MAX];
  if (beyond === undefined || beyond.refusal.code === "problems-many") return notes;
  const more = refuse("problems-many", { cause: "listed", facts: { max: PROBLEMS_MAX } });
  return [...notes.slice(0, PROBLEMS_MAX), note(beyond.offset, more)];
};

/** Line and column of an offset. The lines are counted when the first one is asked for. */
const linesOf = (text: string): ((offset: number) => { readonly line: number; readonly column: number }) => {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { column: offset - (starts[low] ?? 0) + 1, line: low + 1 };
  };
};

const lineStarts = (text: string): readonly number[] => {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
};

const offsetOf = (node: YamlNode | undefined, otherwise: number): number => node?.at || otherwise;

/** What stands there as a plain value; maps and lists are empty, since only their kind is spoken of. */
export const plain = ({ node }: Spot): unknown => {
  if (node?.kind === "scalar") return node.value;
  return node?.kind === "seq" ? [] : node?.kind === "map" ? {} : null;
};

/** Reports what was made of the value that stands there. */
export const reportFound = (reader: YamlReader, spot: Spot, refusalOf: (found: FoundValue) => Refusal): undefined => {
  // An alias has a problem of its own, and what it stands for is never looked up.
  if (spot.node?.kind !== "alias") reader.report(spot, refusalOf(reader.manner.shows(plain(spot))));
};

export const reportType = (reader: YamlReader, spot: Spot, expected: Expectation | Unquoted): undefined =>
  reportFound(reader, spot, (found) => refuse("type-wrong", withFacts(expected, found)));

export const reportValue = (reader: YamlReader, spot: Spot, expected: Expectation | Guess): undefined =>
  reportFound(reader, spot, (found) => refuse("value-wrong", withFacts(expected, found)));

export const itemsAt = (reader: YamlReader, spot: Spot): readonly Spot[] | undefined => {
  const { field, node, offset } = spot;
  if (node?.kind !== "seq") return reportType(reader, spot, plainly("list"));
  return node.items.map((item, at) => ({ field: itemOf(field, at), node: item, offset: offsetOf(item, offset) }));
};

/** Every key once. When `named` is given, any other key may be a misplaced secret, so no path names it. */
export const entriesAt = (
  reader: YamlReader,
  spot: Spot,
  named?: readonly string[],
): readonly YamlEntry[] | undefined => {
  const { field, node, offset } = spot;
  if (node?.kind !== "map") return reportType(reader, spot, plainly("map"));
  const entries: YamlEntry[] = [];
  const firstAt = new Map<string, number>();
  for (const pair of node.items) {
    const keyOffset = offsetOf(pair.key, offset);
    const name = pair.key?.kind === "scalar" ? pair.key.value : undefined;
    const isNamed = typeof name === "string" && (named?.includes(name) ?? true);
    const key = { field: isNamed ? fieldOf(field, name) : field, node: pair.key, offset: keyOffset };
    if (typeof name !== "string") {
      reportType(reader, key, plainly("text-key"));
      continue;
    }
    const first = firstAt.get(name);
    if (first !== undefined) {
      const facts = { firstLine: reader.lineAt(first) };
      reader.report(key, refuse("key-duplicate", { cause: "in-line", facts }));
      continue;
    }
    firstAt.set(name, keyOffset);
    entries.push({ key, name, value: { field: key.field, node: pair.value, offset: offsetOf(pair.value, keyOffset) } });
  }
  return entries;
};

/** The known keys of a map, by name; every other key is reported, in a `hushed` map without its name. */
export const fieldsAt = (
  reader: YamlReader,
  spot: Spot,
  known: readonly string[],
  hushed = false,
): ReadonlyMap<string, Spot> | undefined => {
  const entries = entriesAt(reader, spot, hushed ? known : undefined);
  if (entries === undefined) return undefined;
  const fields = new Map<string, Spot>();
  for (const entry of entries) {
    if (known.includes(entry.name)) fields.set(entry.name, entry.value);
    else reportUnknown(reader, entry, known, hushed);
  }
  return fields;
};

const reportUnknown = (reader: YamlReader, entry: YamlEntry, known: readonly string[], hushed: boolean): void => {
  const { key, name } = entry;
  if (name === "<<") {
    reader.report(key, refuse("text-aliased", { cause: "merge-key" }));
    return;
  }
  if (reader.manner.objects(reader, entry)) return;
  reader.report(key, hushed ? hushedKey(name, known) : unknownKey(name, known));
};

/** Any other key may be a misplaced secret, so it is not named. */
const hushedKey = (name: string, known: readonly string[]): Refusal => {
  const meant = nearest(name, known);
  return meant === undefined
    ? refuse("key-unknown", { cause: "hushed-listed", facts: { known } })
    : refuse("key-unknown", { cause: "hushed-meant", facts: { meant } });
};

export const reportMissing = (
  reader: YamlReader,
  spot: Spot,
  fields: ReadonlyMap<string, Spot>,
  required: readonly string[],
): void => {
  for (const name of required) {
    if (!fields.has(name))
      reader.report(
        { ...spot, field: fieldOf(spot.field, name) },
        refuse("key-missing", { cause: "absent", facts: { key: name } }),
      );
  }
};
