// Acts that end a guest or make another one: removing its disks, destroying it, cloning it.

import type { Vmid } from "../../spine/model.ts";
import { drawUuid } from "../world/chance.ts";
import { edited, rewritten, withSettings } from "../world/guest-file.ts";
import { disksIn } from "../world/settings.ts";
import type { Act } from "../world/stage-act.ts";
import { unwritableText } from "../world/unwritable.ts";
import { isQuorate, type SimulatedGuest, withGuest, withoutGuest } from "../world/world.ts";
import { deed } from "../world/write-deed.ts";
import { type Acted, done, error, type On, write } from "./acted.ts";

export const disksRemoved = (on: On): Acted => {
  const edits = Object.fromEntries(disksIn(on.guest.file.settings).map(([key]) => [key, undefined]));
  return write(on, withSettings(on.guest.file, edits), { effect: "disks-removed", power: "none" });
};

export const destroyed = ({ guest, task, world }: On): Acted => {
  if (!isQuorate(world)) return error(unwritableText(guest, task.pid));
  const gone = { effect: "destroyed", power: guest.run.kind === "running" ? "stops" : "none" } as const;
  return done(deed(withoutGuest(world, guest.vmid), guest, gone, task.cause));
};

export const cloneBegun = (on: On, act: Extract<Act, { readonly do: "clone-begin" }>): Acted => {
  const { guest, task, world } = on;
  if (!isQuorate(world)) return error(unwritableText(guest, task.pid));
  const [uuid, chance] = drawUuid(world.chance);
  const [genid, later] = drawUuid(chance);
  const settings = edited(guest.file.settings, {
    lock: "clone",
    [guest.kind === "vm" ? "name" : "hostname"]: act.name ?? `Copy-of-${guest.vmid}`,
    parent: undefined,
    template: undefined,
    ...(guest.kind === "vm" ? { smbios1: `uuid=${uuid}`, vmgenid: genid } : {}),
  });
  const { serial } = world.counters;
  const copy: SimulatedGuest = {
    file: rewritten(guest.file, { doomed: [], pending: new Map(), settings, snapshots: [] }),
    isDeaf: guest.isDeaf,
    kind: guest.kind,
    node: guest.node,
    run: { kind: "stopped" },
    serial,
    vmid: act.newid,
  };
  const counted = { ...world, chance: later, counters: { ...world.counters, serial: serial + 1 } };
  return done(deed(withGuest(counted, copy), copy, { effect: "cloned", power: "none" }, task.cause));
};

export const cloneMade = ({ task, world }: On, newid: Vmid): Acted => {
  const copy = world.guests.get(newid);
  if (copy === undefined) return error(`unable to find configuration file for VM ${newid}`);
  const unlocked = { ...copy, file: withSettings(copy.file, { lock: undefined }) };
  return done(deed(withGuest(world, unlocked), copy, { effect: "unlocked", power: "none" }, task.cause));
};
