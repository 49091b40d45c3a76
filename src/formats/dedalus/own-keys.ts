// What one adapter or engine has in dedalus.yaml beside what all have: its keys, each with how it is read.
//
// Adapters and engines bring their own table (their descriptors), and nothing here knows one by name. A key of another
// one is refused as unknown and says whose it is (yaml-values.ts, variantAt). There are no defaults (P7-A2).

import type { Json } from "../../spine/values/canonical.ts";
import type { Spot, YamlReader } from "../yaml/yaml-reader.ts";
import { variantAt } from "../yaml/yaml-values.ts";
import type { SecretRef } from "./dedalus-guards.ts";

/** Undefined when the key is absent or wrong; what is wrong is reported. */
type ReadKey = (reader: YamlReader, spot: Spot | undefined) => Json | undefined;
export type Keys = Readonly<Record<string, ReadKey>>;

type Read<F extends ReadKey> = Exclude<ReturnType<F>, undefined>;
/** What the keys come to once they are read. */
export type SettingsOf<K extends Keys, O extends Keys> = { readonly [N in keyof K]: Read<K[N]> } & {
  readonly [N in keyof O]?: Read<O[N]>;
};

export type OwnSettings = { readonly [key: string]: Json };

export type OwnKeys = {
  readonly keys: Keys;
  readonly optional: Keys;
  /** Where its secrets are, among its settings. */
  readonly secrets: (settings: OwnSettings) => readonly SecretRef[];
};

/** By name. */
export type Table<T extends OwnKeys> = Readonly<Record<string, T>>;

export type Own<T> = {
  readonly fields: ReadonlyMap<string, Spot>;
  /** Undefined when the word is no name of the table, or when one of its keys was missing or wrong. */
  readonly own: { readonly name: string; readonly row: T; readonly settings: OwnSettings } | undefined;
};

export const ownAt = <T extends OwnKeys>(
  reader: YamlReader,
  spot: Spot,
  table: Table<T>,
  shared: { readonly by: string; readonly common: readonly string[]; readonly optional: readonly string[] },
): Own<T> | undefined => {
  const rows = Object.entries(table);
  const variant = variantAt(reader, spot, {
    ...shared,
    of: Object.fromEntries(rows.map(([name, { keys }]) => [name, Object.keys(keys)])),
    optionalOf: Object.fromEntries(rows.map(([name, { optional }]) => [name, Object.keys(optional)])),
  });
  if (variant === undefined) return undefined;
  const { fields, word: name } = variant;
  const row = name === undefined ? undefined : table[name];
  if (name === undefined || row === undefined) return { fields, own: undefined };
  const settings: Record<string, Json> = {};
  let isWhole = true;
  for (const [key, read] of Object.entries({ ...row.keys, ...row.optional }).sort(byKey)) {
    const value = read(reader, fields.get(key));
    if (value !== undefined) settings[key] = value;
    else if (Object.hasOwn(row.keys, key) || fields.has(key)) isWhole = false;
  }
  return { fields, own: isWhole ? { name, row, settings } : undefined };
};

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);
