// A write to the configuration: what holds at once, and what waits for a restart.
//
// A stopped guest takes everything at once. A running VM takes some keys at once, others when its hotplug setting names
// them, and lets the rest wait; a running container takes its sizes at once.

import { type ConfigFile, type Edits, rewritten, settledFile } from "./guest-file.ts";
import { hotplugIn } from "./settings.ts";
import type { SimulatedGuest } from "./world.ts";

const AT_ONCE =
  /^(?:lock|name|onboot|shares|startup|description|protection|hookscript|tags|migrate_.*|vmstatestorage|cpulimit|cpuunits|balloon|ci.*|ipconfig[0-9]+|nameserver|searchdomain|sshkeys)$/;
const CT_WAITS = /^(?:hostname|ostype|arch|unprivileged|features|rootfs|mp[0-9]+|tty|console|cmode)$/;

const FEATURE: readonly (readonly [RegExp, string])[] = [
  [/^net[0-9]+$/, "network"],
  [/^(?:scsi|virtio|sata|ide)[0-9]+$/, "disk"],
  [/^usb[0-9]+$/, "usb"],
  [/^vcpus$/, "cpu"],
  [/^memory$/, "memory"],
];

export const isHot = ({ file, kind }: SimulatedGuest, key: string): boolean => {
  if (kind === "ct") return !CT_WAITS.test(key);
  if (AT_ONCE.test(key)) return true;
  const feature = FEATURE.find(([pattern]) => pattern.test(key))?.[1];
  return feature !== undefined && hotplugIn(file.settings).includes(feature);
};

export const configured = (guest: SimulatedGuest, edits: Edits, reverts: readonly string[] = []): ConfigFile => {
  const { file, run } = guest;
  const settings = new Map(file.settings);
  const pending = new Map([...file.pending].filter(([key]) => !reverts.includes(key)));
  const doomed = new Set(file.doomed.filter((key) => !reverts.includes(key)));
  for (const [key, value] of Object.entries(edits)) {
    pending.delete(key);
    doomed.delete(key);
    const isNow = run.kind === "stopped" || isHot(guest, key);
    if (isNow && value === undefined) settings.delete(key);
    else if (isNow && value !== undefined) settings.set(key, value);
    else if (value === undefined) {
      if (settings.has(key)) doomed.add(key);
    } else if (settings.get(key) !== value) pending.set(key, value);
  }
  const written = rewritten(file, { doomed: [...doomed], pending, settings });
  return run.kind === "stopped" ? settledFile(written) : written;
};
