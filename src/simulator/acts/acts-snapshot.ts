// Acts of snapshots. Each is done in two steps with a lock in between, so that a task that dies leaves the lock behind.

import { drawUuid } from "../world/chance.ts";
import { type Edits, edited, rewritten, withSettings } from "../world/guest-file.ts";
import { disksIn } from "../world/settings.ts";
import type { Act } from "../world/stage-act.ts";
import { type Acted, error, type On, write } from "./acted.ts";

export const snapshotBegun = (on: On, act: Extract<Act, { readonly do: "snapshot-begin" }>): Acted => {
  const { guest, world } = on;
  const { file } = guest;
  const settings = edited(file.settings, {
    description: act.description,
    lock: undefined,
    snapstate: "prepare",
    snaptime: `${Math.floor(world.nowMs / 1000)}`,
    // Memory is kept of a guest that runs: pve-guest-common src/PVE/AbstractConfig.pm, __snapshot_prepare.
    ...(act.withMemory && guest.kind === "vm" && guest.run.kind === "running"
      ? {
          runningcpu: "kvm64",
          runningmachine: "pc-i440fx-10.0+pve0",
          vmstate: `local:${guest.vmid}/vm-${guest.vmid}-state-${act.snapshot}.raw`,
        }
      : {}),
  });
  const snapshots = [...file.snapshots, { name: act.snapshot, settings }];
  return write(on, rewritten(withSettings(file, { lock: "snapshot" }), { snapshots }), {
    effect: "snapshot-begun",
    power: "none",
  });
};

export const snapshotMade = (on: On, name: string): Acted => {
  const { file } = on.guest;
  const snapshots = file.snapshots.map((one) =>
    one.name === name ? { name, settings: edited(one.settings, { snapstate: undefined }) } : one,
  );
  const log = disksIn(file.settings).map(([key, disk]) => `snapshotting 'drive-${key}' (${disk.split(",")[0]})`);
  const acted = write(on, rewritten(withSettings(file, { lock: undefined, parent: name }), { snapshots }), {
    effect: "snapshot-made",
    power: "none",
  });
  return acted.kind === "done" ? { ...acted, log } : acted;
};

export const snapshotGone = (on: On, name: string): Acted => {
  const { file } = on.guest;
  const gone = file.snapshots.find((one) => one.name === name);
  const heir = gone?.settings.get("parent");
  const orphan = (edits: Edits) => ({ ...edits, parent: heir });
  const snapshots = file.snapshots
    .filter((one) => one.name !== name)
    .map((one) => (one.settings.get("parent") === name ? { ...one, settings: edited(one.settings, orphan({})) } : one));
  const edits = file.settings.get("parent") === name ? orphan({ lock: undefined }) : { lock: undefined };
  return write(on, rewritten(withSettings(file, edits), { snapshots }), { effect: "snapshot-removed", power: "none" });
};

export const rollbackBegun = (on: On): Acted =>
  write(
    on,
    withSettings(on.guest.file, { lock: "rollback" }),
    { effect: "rollback-begun", power: on.guest.run.kind === "running" ? "stops" : "none" },
    { run: { kind: "stopped" } },
  );

export const rolledBack = (on: On, name: string): Acted => {
  const snapshot = on.guest.file.snapshots.find((one) => one.name === name);
  if (snapshot === undefined) return error(`snapshot '${name}' does not exist`);
  const [uuid, chance] = drawUuid(on.world.chance);
  const settings = edited(snapshot.settings, {
    description: on.guest.file.settings.get("description"),
    lock: undefined,
    parent: name,
    runningcpu: undefined,
    runningmachine: undefined,
    snapstate: undefined,
    snaptime: undefined,
    vmstate: undefined,
    ...(on.guest.file.settings.has("vmgenid") ? { vmgenid: uuid } : {}),
  });
  const file = rewritten(on.guest.file, { doomed: [], pending: new Map(), settings });
  return write({ ...on, world: { ...on.world, chance } }, file, { effect: "rolled-back", power: "none" });
};
