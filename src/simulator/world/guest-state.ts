// What an honest adapter would say of a guest: its VmState, with everything that the provider forbids as blockers.
//
// It asks the owner of the guest; an owner that does not answer leaves the guest unknown.

import type { Blocker, VmState } from "../../spine/model.ts";
import { blocking, type Doubt, doubt } from "../../spine/observed-codes.ts";
import { isHot } from "./configure.ts";
import { type ConfigFile, fileDigest, settledFile } from "./guest-file.ts";
import { cpusIn, holdsRam, isProtected, isTemplate, lockIn, memoryIn, nameIn, tagsIn } from "./settings.ts";
import { isAnswering, isQuorate, type SimulatedGuest, type World } from "./world.ts";

const SOURCE = "simulated";

export const simulatedUnknown = (guest: SimulatedGuest, because: Doubt): VmState => ({
  because,
  kind: guest.kind,
  name: nameIn(guest.file.settings, guest.kind, guest.vmid),
  node: guest.node,
  source: SOURCE,
  status: "unknown",
  vmid: guest.vmid,
});

/** Keys that survive everything that is done to the guest on purpose. */
const identityOf = ({ file: { settings }, kind }: SimulatedGuest): string | undefined => {
  if (kind === "ct") {
    const rootfs = settings.get("rootfs")?.split(",")[0];
    return rootfs === undefined ? undefined : `${rootfs} ${settings.get("hostname") ?? ""}`.trim();
  }
  const uuid = /uuid=([0-9a-f-]+)/.exec(settings.get("smbios1") ?? "")?.[1];
  const ctime = /ctime=([0-9]+)/.exec(settings.get("meta") ?? "")?.[1];
  return uuid === undefined || ctime === undefined ? undefined : `${uuid} ${ctime}`;
};

const blockersOf = (world: World, guest: SimulatedGuest): readonly Blocker[] => {
  const { settings } = guest.file;
  const found: Blocker[] = [];
  const lock = lockIn(settings);
  if (lock !== undefined) found.push({ actions: "all", ...blocking("locked", { facts: { lock } }) });
  if (!isQuorate(world)) found.push({ actions: "all", ...blocking("quorum-lost") });
  if (isTemplate(settings)) found.push({ actions: ["vm.start"], ...blocking("template") });
  if (isProtected(settings)) {
    found.push({ actions: ["vm.delete", "vm.snapshot.rollback"], ...blocking("protected-at-provider") });
  }
  if (guest.run.kind === "running" && guest.run.monitor === "silent") {
    found.push({ actions: "all", ...blocking("monitor-silent") });
  }
  const task = world.open.map((upid) => world.tasks.get(upid)).find((one) => one?.vmid === guest.vmid);
  if (task !== undefined) found.push({ actions: "all", ...blocking("task-at-work", { facts: { task: task.type } }) });
  return found;
};

const sizesWaiting = ({ file, kind }: SimulatedGuest): VmState["pending"] => {
  const settled: ConfigFile = settledFile(file);
  if (settled === file) return undefined;
  const [cpus, maxmem] = [cpusIn(settled.settings, kind), memoryIn(settled.settings)];
  const isOther = { cpus: cpus !== cpusIn(file.settings, kind), maxmem: maxmem !== memoryIn(file.settings) };
  if (!isOther.cpus && !isOther.maxmem) return undefined;
  return { ...(isOther.cpus ? { cpus } : {}), ...(isOther.maxmem ? { maxmem } : {}) };
};

export const simulatedState = (world: World, guest: SimulatedGuest, withSnapshots: boolean): VmState => {
  if (!isAnswering(world, guest.node))
    return simulatedUnknown(guest, doubt("node-silent", { facts: { lastReport: guest.run.kind, node: guest.node } }));
  const { file, kind, run, vmid } = guest;
  const { settings } = file;
  const blockers = blockersOf(world, guest);
  const identity = identityOf(guest);
  const pending = sizesWaiting(guest);
  const tags = tagsIn(settings);
  const isAllHot = isHot(guest, "cores") && isHot(guest, "memory");
  const parent = settings.get("parent");
  return {
    ...(run.kind === "running" ? { boot: `${run.pid} ${run.sinceMs}` } : {}),
    cpus: cpusIn(settings, kind),
    ...(blockers.length === 0 ? {} : { blockers }),
    ...(identity === undefined ? {} : { identity }),
    kind,
    maxmem: memoryIn(settings),
    name: nameIn(settings, kind, vmid),
    node: guest.node,
    ...(run.kind === "running" && run.state !== "running" ? { paused: true } : {}),
    ...(pending === undefined ? {} : { pending }),
    ...(run.kind === "stopped" || isAllHot ? { resize: "hot" } : {}),
    revision: fileDigest(file),
    ...(withSnapshots
      ? {
          snapshots: {
            names: file.snapshots.map(({ name }) => name).toSorted(),
            ...(parent === undefined ? {} : { parent }),
            withRam: file.snapshots
              .filter((snapshot) => holdsRam(kind, snapshot))
              .map(({ name }) => name)
              .toSorted(),
          },
        }
      : {}),
    source: SOURCE,
    status: run.kind,
    ...(tags.length === 0 ? {} : { tags }),
    vmid,
  };
};
