// A guest's configuration as PVE lists it: every setting with its active value and what waits for a restart.
//
// A line that PVE cannot parse is missing from its answer as if it were unset, so a size that is not listed is not
// reported; PVE's own default is never filled in. Keeps N1.

import { isBytes, isCpus, isTag } from "../../../formats/fields.ts";
import { isObject } from "../../../formats/json/json-shape.ts";
import { type ConfigDigest, type GuestRef, isConfigDigest } from "../api/names.ts";
import { isSet, partsOf, textOf, wholeOf } from "../api/values.ts";

type Item = { readonly value: unknown; readonly pending: unknown; readonly isDeleted: boolean };
export type ConfigSettings = ReadonlyMap<string, Item>;

/** Undefined when the answer is not such a list. */
export const settingsOf = (data: unknown): ConfigSettings | undefined => {
  if (!Array.isArray(data)) return undefined;
  const settings = new Map<string, Item>();
  for (const item of data) {
    const key = isObject(item) ? textOf(item["key"]) : undefined;
    if (key === undefined || settings.has(key)) return undefined;
    settings.set(key, { isDeleted: item["delete"] !== undefined, pending: item["pending"], value: item["value"] });
  }
  return settings;
};

const active = (settings: ConfigSettings, key: string): unknown => settings.get(key)?.value;
/** What holds after the next start. */
const next = (settings: ConfigSettings, key: string): unknown => {
  const item = settings.get(key);
  return item?.isDeleted === true ? undefined : (item?.pending ?? item?.value);
};

type Pick = (settings: ConfigSettings, key: string) => unknown;

/** How the processors of a VM are laid out; vcpus are plugged in of sockets times cores. */
export type Layout = { readonly cores: number; readonly sockets: number; readonly vcpus: number | undefined };

const layoutOf = (settings: ConfigSettings, pick: Pick): Layout | undefined => {
  const cores = wholeOf(pick(settings, "cores"));
  const sockets = pick(settings, "sockets") === undefined ? 1 : wholeOf(pick(settings, "sockets"));
  const vcpus = wholeOf(pick(settings, "vcpus"));
  if (!isCpus(cores) || !isCpus(sockets) || !isCpus(cores * sockets)) return undefined;
  if (pick(settings, "vcpus") !== undefined && !isCpus(vcpus)) return undefined;
  return { cores, sockets, vcpus };
};

export const activeLayout = (settings: ConfigSettings): Layout | undefined => layoutOf(settings, active);

const cpusOf = (settings: ConfigSettings, kind: GuestRef["kind"], pick: Pick): number | undefined => {
  if (kind === "vm") {
    const layout = layoutOf(settings, pick);
    return layout === undefined ? undefined : (layout.vcpus ?? layout.cores * layout.sockets);
  }
  const cores = wholeOf(pick(settings, "cores"));
  return isCpus(cores) ? cores : undefined;
};

const MIB = 1024 * 1024;

/** PVE writes a number, a text, or `current=`. */
const memoryOf = (settings: ConfigSettings, pick: Pick): number | undefined => {
  const value = pick(settings, "memory");
  const parts = typeof value === "string" ? partsOf(value) : undefined;
  const mib = wholeOf(parts === undefined ? value : (parts.get("current") ?? parts.get("")));
  const bytes = mib === undefined ? undefined : mib * MIB;
  return isBytes(bytes) ? bytes : undefined;
};

type Sizes = { readonly cpus?: number; readonly maxmem?: number };
const sizes = (cpus: number | undefined, maxmem: number | undefined): Sizes => ({
  ...(cpus === undefined ? {} : { cpus }),
  ...(maxmem === undefined ? {} : { maxmem }),
});

export const activeSizes = (settings: ConfigSettings, kind: GuestRef["kind"]): Sizes =>
  sizes(cpusOf(settings, kind, active), memoryOf(settings, active));

/** Only what differs from what is active. */
export const waitingSizes = (settings: ConfigSettings, kind: GuestRef["kind"]): Sizes | undefined => {
  const runs = activeSizes(settings, kind);
  const cpus = cpusOf(settings, kind, next);
  const maxmem = memoryOf(settings, next);
  const waiting = sizes(cpus === runs.cpus ? undefined : cpus, maxmem === runs.maxmem ? undefined : maxmem);
  return waiting.cpus === undefined && waiting.maxmem === undefined ? undefined : waiting;
};

const SIZE_KEYS = ["cores", "memory", "sockets", "vcpus"];
export const losesSize = (settings: ConfigSettings): boolean =>
  SIZE_KEYS.some((key) => settings.get(key)?.isDeleted === true);

/** When a running VM takes a size: at once, at a restart, or not the same for both. */
export const resizeManner = (settings: ConfigSettings): "hot" | "restart" | "mixed" => {
  const written = active(settings, "hotplug");
  const features = typeof written === "string" ? written.split(/[,;\s]+/) : [];
  const hasMemory = features.includes("memory");
  const isCpuHot = features.includes("cpu") && active(settings, "vcpus") !== undefined;
  if (!hasMemory && !isCpuHot) return "restart";
  return hasMemory && isCpuHot && isSet(active(settings, "numa")) ? "hot" : "mixed";
};

export const nameOf = (settings: ConfigSettings, kind: GuestRef["kind"]): string | undefined =>
  textOf(active(settings, kind === "vm" ? "name" : "hostname"));

export const configDigest = (settings: ConfigSettings): ConfigDigest | undefined => {
  const digest = active(settings, "digest");
  return isConfigDigest(digest) ? digest : undefined;
};

/** What survives our own actions: vmgenid does not survive a rollback, and a container has no keys of a VM. */
export const identityOf = (settings: ConfigSettings, kind: GuestRef["kind"]): string | undefined => {
  if (kind === "ct") {
    const volume = partsOf(textOf(active(settings, "rootfs")) ?? "").get("");
    const hostname = textOf(active(settings, "hostname"));
    return volume && hostname ? fit(`rootfs ${volume}, hostname ${hostname}`) : undefined;
  }
  const uuid = partsOf(textOf(active(settings, "smbios1")) ?? "").get("uuid");
  const created = partsOf(textOf(active(settings, "meta")) ?? "").get("ctime");
  // A VM that is older than PVE's note of its making has the uuid alone.
  return uuid ? fit(`uuid ${uuid.toLowerCase()}${created ? `, created ${created}` : ""}`) : undefined;
};

const fit = (identity: string): string | undefined => (/^[^\p{C}]{1,300}$/u.test(identity) ? identity : undefined);

/** Undefined when a tag cannot be read: a tag can protect, so none is dropped. */
export const tagsOf = (settings: ConfigSettings): readonly string[] | undefined => {
  const value = active(settings, "tags");
  if (value === undefined) return [];
  if (typeof value !== "string") return undefined;
  const tags = [...new Set(value.split(/[;,\s]+/).filter((tag) => tag !== ""))].sort();
  return tags.every(isTag) ? tags : undefined;
};

export const isOn = (settings: ConfigSettings, key: "protection" | "template"): boolean => isSet(active(settings, key));
export const lockOf = (settings: ConfigSettings): string | undefined => textOf(active(settings, "lock"));
