// A guest's configuration as the file that Proxmox VE keeps: read from text, written as text, with the digest of it.
//
// The digest is SHA-1 over the whole text, so it changes with a lock, a pending value or a snapshot as well. A file
// that was given as text keeps that text, odd lines included, until it is written for the first time; what cannot be
// parsed is silently not there, as in the original. Not here: what a setting means (settings.ts).

import { createHash } from "node:crypto";
import { decoded } from "./decoded.ts";

export type GuestSettings = ReadonlyMap<string, string>;
export type SnapshotSection = { readonly name: string; readonly settings: GuestSettings };
export type ConfigFile = {
  readonly settings: GuestSettings;
  /** Written, and waiting for a restart. */
  readonly pending: GuestSettings;
  /** Keys whose removal waits for a restart. */
  readonly doomed: readonly string[];
  readonly snapshots: readonly SnapshotSection[];
  /** The text as it was given, while nobody has written the file. */
  readonly raw?: string;
};

export const EMPTY_FILE: ConfigFile = { doomed: [], pending: new Map(), settings: new Map(), snapshots: [] };

const NUMBERS = /^(?:cores|sockets|vcpus|memory|swap|balloon|shares|onboot|template|protection|kvm|numa|unprivileged)$/;
const LINE = /^([a-z][a-z_0-9]*):[ \t]*(.*?)[ \t]*$/;

const readLine = (line: string): readonly [string, string] | undefined => {
  const [, key, value] = LINE.exec(line) ?? [];
  if (key === undefined || value === undefined) return undefined;
  return NUMBERS.test(key) && !/^[0-9]+$/.test(value) ? undefined : [key, value];
};

const readSection = (lines: readonly string[]): Map<string, string> => {
  const settings = new Map<string, string>();
  const notes = lines.filter((line) => line.startsWith("#")).map((line) => decoded(line.slice(1)) ?? line.slice(1));
  if (notes.length > 0) settings.set("description", notes.join("\n"));
  for (const line of lines) {
    const pair = line.startsWith("#") ? undefined : readLine(line);
    if (pair !== undefined) settings.set(...pair);
  }
  return settings;
};

const HEAD = /^\[([^\]]+)\]\s*$/;

export const fileFromText = (text: string): ConfigFile => {
  const sections: { readonly name: string; readonly lines: string[] }[] = [{ lines: [], name: "" }];
  for (const line of text.split("\n")) {
    const name = HEAD.exec(line)?.[1];
    if (name === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ lines: [], name });
  }
  const read = sections.map(({ lines, name }) => ({ name, settings: readSection(lines) }));
  const waiting = read.find(({ name }) => isPending(name))?.settings ?? new Map<string, string>();
  const doomed = (waiting.get("delete") ?? "").split(",").filter((key) => key !== "");
  waiting.delete("delete");
  return {
    doomed,
    pending: waiting,
    raw: text,
    settings: read[0]?.settings ?? new Map(),
    snapshots: read.slice(1).filter(({ name }) => !isPending(name) && !name.startsWith("special:")),
  };
};

const isPending = (name: string): boolean => name.toLowerCase() === "pending" || name === "pve:pending";

const encoded = (line: string): string =>
  line.replace(/[%:\p{Cc}]|[^\x20-\x7e]/gu, (character) =>
    Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );

const sectionText = (settings: GuestSettings): string => {
  const description = settings.get("description");
  const notes = description === undefined ? [] : description.split("\n").map((line) => `#${encoded(line)}`);
  const keys = [...settings.keys()].filter((key) => key !== "description").sort();
  return [...notes, ...keys.map((key) => `${key}: ${settings.get(key)}`)].map((line) => `${line}\n`).join("");
};

const written = ({ doomed, pending, settings, snapshots }: ConfigFile): string => {
  const waiting = new Map(doomed.length === 0 ? pending : [...pending, ["delete", [...doomed].sort().join(",")]]);
  return [
    sectionText(settings),
    ...(waiting.size === 0 ? [] : [`\n[PENDING]\n${sectionText(waiting)}`]),
    ...snapshots
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((snapshot) => `\n[${snapshot.name}]\n${sectionText(snapshot.settings)}`),
  ].join("");
};

export const fileText = (file: ConfigFile): string => file.raw ?? written(file);

/** Files never change, so a digest once computed holds. */
const digests = new WeakMap<ConfigFile, string>();

export const fileDigest = (file: ConfigFile): string => {
  const known = digests.get(file);
  if (known !== undefined) return known;
  const digest = createHash("sha1").update(fileText(file)).digest("hex");
  digests.set(file, digest);
  return digest;
};

/** Undefined removes a key. */
export type Edits = Readonly<Record<string, string | undefined>>;

export const edited = (settings: GuestSettings, edits: Edits): GuestSettings => {
  const result = new Map(settings);
  for (const [key, value] of Object.entries(edits)) {
    if (value === undefined) result.delete(key);
    else result.set(key, value);
  }
  return result;
};

/** The file after a write: what it holds is what was parsed, so lines that could not be read are gone. */
export const rewritten = (file: ConfigFile, parts: Partial<Omit<ConfigFile, "raw">>): ConfigFile => {
  const { raw: _, ...rest } = file;
  return { ...rest, ...parts };
};

export const withSettings = (file: ConfigFile, edits: Edits): ConfigFile =>
  rewritten(file, { settings: edited(file.settings, edits) });

/** What waits becomes what holds, as at a start. */
export const settledFile = (file: ConfigFile): ConfigFile => {
  if (file.pending.size === 0 && file.doomed.length === 0) return file;
  const settings = new Map([...file.settings, ...file.pending]);
  for (const key of file.doomed) settings.delete(key);
  return rewritten(file, { doomed: [], pending: new Map(), settings });
};
