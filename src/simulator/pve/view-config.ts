// A guest's configuration as the API shows it: with the types of the original, with or without what waits, and the list
// of what waits.
//
// Without `current` the values that wait are shown as if they held already; that is the original's way.

import { type ConfigFile, fileDigest, type GuestSettings, settledFile } from "../world/guest-file.ts";
import { type GuestKind, holdsRam } from "../world/settings.ts";

const NUMBERS = {
  ct: /^(?:cores|memory|swap|cpuunits|cpulimit|tty|onboot|template|protection|unprivileged|console|debug|snaptime)$/,
  vm: /^(?:cores|sockets|vcpus|balloon|shares|cpuunits|cpulimit|migrate_(?:speed|downtime)|onboot|kvm|numa|template|protection|acpi|tablet|autostart|freeze|reboot|localtime|tdf|ciupgrade|snaptime)$/,
} as const satisfies Record<GuestKind, RegExp>;

const shown = (key: string, value: string, kind: GuestKind): number | string => {
  if (key === "cipassword") return "**********";
  return NUMBERS[kind].test(key) && value !== "" ? Number(value) : value;
};

const shownAll = (settings: GuestSettings, kind: GuestKind): Record<string, number | string> =>
  Object.fromEntries([...settings].map(([key, value]) => [key, shown(key, value, kind)]));

export const configRow = (
  file: ConfigFile,
  kind: GuestKind,
  isCurrent: boolean,
): Readonly<Record<string, unknown>> => ({
  ...shownAll(isCurrent ? file.settings : settledFile(file).settings, kind),
  digest: fileDigest(file),
});

/** The configuration that a snapshot kept; undefined when there is no such snapshot. */
export const snapshotConfig = (
  file: ConfigFile,
  kind: GuestKind,
  name: string,
): Readonly<Record<string, unknown>> | undefined => {
  const snapshot = file.snapshots.find((one) => one.name === name);
  return snapshot === undefined ? undefined : { ...shownAll(snapshot.settings, kind), digest: fileDigest(file) };
};

/** A key that stands in the list of removals alone is always answered with 2, whatever was asked for. */
const removal = (isWritten: boolean): 1 | 2 => (isWritten ? 1 : 2);

export const pendingRows = (file: ConfigFile, kind: GuestKind): readonly Readonly<Record<string, unknown>>[] => {
  const keys = [...new Set([...file.settings.keys(), ...file.pending.keys(), ...file.doomed])].toSorted();
  const rows = keys.map((key) => {
    const value = file.settings.get(key);
    const pending = file.pending.get(key);
    return {
      ...(file.doomed.includes(key) ? { delete: removal(value !== undefined) } : {}),
      key,
      ...(pending === undefined ? {} : { pending: shown(key, pending, kind) }),
      ...(value === undefined ? {} : { value: shown(key, value, kind) }),
    };
  });
  return [...rows, { key: "digest", value: fileDigest(file) }];
};

export const snapshotRows = (
  file: ConfigFile,
  kind: GuestKind,
  isRunning: boolean,
): readonly Readonly<Record<string, unknown>>[] => {
  const parentOf = (settings: GuestSettings) => (settings.has("parent") ? { parent: settings.get("parent") } : {});
  const rows = file.snapshots.map((snapshot) => {
    const { name, settings } = snapshot;
    return {
      description: settings.get("description") ?? "",
      name,
      ...parentOf(settings),
      ...(settings.has("snapstate") ? { snapstate: settings.get("snapstate") } : {}),
      snaptime: Number(settings.get("snaptime") ?? 0),
      ...(kind === "vm" ? { vmstate: holdsRam(kind, snapshot) ? 1 : 0 } : {}),
    };
  });
  const current = {
    description: "You are here!",
    digest: fileDigest(file),
    name: "current",
    ...parentOf(file.settings),
    running: isRunning ? 1 : 0,
  };
  return [...rows, current];
};
