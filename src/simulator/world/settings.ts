// What a guest's settings say: name, sizes, lock, tags, and the keys that make it the same guest as before.
//
// Missing values become what Proxmox VE makes of them (a name that it invents, 512 MiB, one core).

import type { GuestSettings, SnapshotSection } from "./guest-file.ts";

export type GuestKind = "vm" | "ct";

const MIB = 2 ** 20;
const MEMORY_MIB = 512;

const numberIn = (settings: GuestSettings, key: string, otherwise: number): number => {
  const value = Number(settings.get(key));
  return settings.has(key) && Number.isFinite(value) ? value : otherwise;
};

export const nameIn = (settings: GuestSettings, kind: GuestKind, vmid: number): string =>
  (kind === "vm" ? settings.get("name") : settings.get("hostname")) ?? (kind === "vm" ? `VM ${vmid}` : `CT${vmid}`);

export const cpusIn = (settings: GuestSettings, kind: GuestKind): number =>
  kind === "vm" ? numberIn(settings, "sockets", 1) * numberIn(settings, "cores", 1) : numberIn(settings, "cores", 1);

export const memoryIn = (settings: GuestSettings): number => numberIn(settings, "memory", MEMORY_MIB) * MIB;
export const swapIn = (settings: GuestSettings): number => numberIn(settings, "swap", MEMORY_MIB) * MIB;

export const lockIn = (settings: GuestSettings): string | undefined => settings.get("lock");
export const isTemplate = (settings: GuestSettings): boolean => settings.get("template") === "1";
export const isProtected = (settings: GuestSettings): boolean => settings.get("protection") === "1";

export const tagsIn = (settings: GuestSettings): readonly string[] =>
  (settings.get("tags") ?? "").split(/[;, ]/).filter((tag) => tag !== "");

/** A container has no memory that could be kept. */
export const holdsRam = (kind: GuestKind, { settings }: SnapshotSection): boolean =>
  kind === "vm" && settings.has("vmstate");

const UNITS = new Map([
  ["K", 2 ** 10],
  ["M", 2 ** 20],
  ["G", 2 ** 30],
  ["T", 2 ** 40],
]);

export const sizeIn = (disk: string | undefined): number => {
  const [, digits, unit] = /(?:^|,)size=([0-9]+)([KMGT]?)(?:,|$)/.exec(disk ?? "") ?? [];
  return digits === undefined ? 0 : Number(digits) * (UNITS.get(unit ?? "") ?? 1);
};

/** The boot disk's size; Proxmox VE knows none for a VM whose boot order names no disk. */
export const diskIn = (settings: GuestSettings, kind: GuestKind): number => {
  if (kind === "ct") return sizeIn(settings.get("rootfs"));
  const first = /order=([a-z0-9]+)/.exec(settings.get("boot") ?? "")?.[1] ?? settings.get("bootdisk");
  return first === undefined ? 0 : sizeIn(settings.get(first));
};

/** Disks of a guest, as key and volume. */
export const disksIn = (settings: GuestSettings): readonly (readonly [string, string])[] =>
  [...settings].filter(
    ([key, value]) => /^(?:(?:scsi|virtio|sata|ide|mp)[0-9]+|rootfs)$/.test(key) && !value.includes("media=cdrom"),
  );

const DEFAULT_HOTPLUG = "network,disk,usb";
export const hotplugIn = (settings: GuestSettings): readonly string[] => {
  const written = settings.get("hotplug") ?? DEFAULT_HOTPLUG;
  return (written === "1" ? DEFAULT_HOTPLUG : written).split(",");
};
