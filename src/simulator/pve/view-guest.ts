// One guest as the API shows it: a row of a node's list, its current status, and a row of the cluster's resources.
//
// The list knows the process only, so a paused guest is running there; the monitor's word comes with `full`. A monitor
// that does not answer leaves `qmpstatus` a copy of `status`, and only the missing running-qemu betrays it. The
// cluster's rows come from the nodes' reports and are as old as those.

import { present } from "../../spine/values/present.ts";
import { cpusIn, diskIn, isTemplate, lockIn, memoryIn, nameIn, swapIn } from "../world/settings.ts";
import type { Node, SimulatedGuest, World } from "../world/world.ts";
import type { Dialect } from "./privileges.ts";

type Row = Readonly<Record<string, unknown>>;

const QEMU = { "8": "9.2.0", "9": "10.0.13" } as const satisfies Record<Dialect, string>;
const MACHINE = { "8": "pc-i440fx-9.2+pve1", "9": "pc-i440fx-10.0" } as const satisfies Record<Dialect, string>;
const CPU_SHARE = 0.0125;
const MEMORY_SHARE = 0.5;

const PRESSURE: Row = {
  pressurecpufull: 0,
  pressurecpusome: 0,
  pressureiofull: 0,
  pressureiosome: 0,
  pressurememoryfull: 0,
  pressurememorysome: 0,
};

const marks = ({ file: { settings } }: SimulatedGuest): Row => ({
  ...(lockIn(settings) === undefined ? {} : { lock: lockIn(settings) }),
  ...(settings.has("tags") ? { tags: settings.get("tags") } : {}),
});

const sizes = ({ file: { settings }, kind, run, vmid }: SimulatedGuest, nowMs: number) => {
  const isUp = run.kind === "running";
  return {
    cpu: isUp ? CPU_SHARE : 0,
    disk: 0,
    maxdisk: diskIn(settings, kind),
    maxmem: memoryIn(settings),
    mem: isUp ? Math.floor(memoryIn(settings) * MEMORY_SHARE) : 0,
    name: nameIn(settings, kind, vmid),
    netin: 0,
    netout: 0,
    uptime: isUp ? Math.floor((nowMs - run.sinceMs) / 1000) : 0,
    vmid,
  };
};

const DISK_USE: Row = { diskread: 0, diskwrite: 0 };

export const monitorAnswers = ({ run }: SimulatedGuest): boolean => run.kind === "running" && run.monitor === "answers";

/** What only the monitor can say. */
const monitorRow = (guest: SimulatedGuest, dialect: Dialect): Row => {
  const { run } = guest;
  if (run.kind === "stopped") return { qmpstatus: "stopped" };
  if (!monitorAnswers(guest)) return { qmpstatus: "running" };
  return { ...DISK_USE, qmpstatus: run.state, "running-machine": MACHINE[dialect], "running-qemu": QEMU[dialect] };
};

export const listRow = (guest: SimulatedGuest, nowMs: number, dialect: Dialect, isFull: boolean): Row => {
  const { file, kind, run } = guest;
  const common = {
    ...sizes(guest, nowMs),
    ...marks(guest),
    cpus: cpusIn(file.settings, kind),
    status: run.kind,
    ...(isTemplate(file.settings) ? { template: 1 } : {}),
    ...(run.kind === "running" ? { pid: run.pid, ...(dialect === "9" ? PRESSURE : {}) } : {}),
  };
  if (kind === "ct") return { ...common, ...DISK_USE, maxswap: swapIn(file.settings), swap: 0, type: "lxc" };
  return {
    ...common,
    ...(dialect === "9" ? { memhost: common.mem } : DISK_USE),
    ...(isFull ? monitorRow(guest, dialect) : {}),
  };
};

const haRow = ({ ha, kind, vmid }: SimulatedGuest): Row =>
  ha === undefined ? { managed: 0 } : { managed: 1, sid: `${kind}:${vmid}`, state: ha.state };

const hasAgent = ({ file: { settings } }: SimulatedGuest): boolean =>
  /^(?:1|enabled=1)/.test(settings.get("agent") ?? "");

export const currentRow = (guest: SimulatedGuest, nowMs: number, dialect: Dialect): Row => ({
  ...listRow(guest, nowMs, dialect, guest.kind === "vm"),
  ...(hasAgent(guest) ? { agent: 1 } : {}),
  ha: haRow(guest),
});

/** A node's word is kept for that long after its last report. */
const REPORT_KEPT_MS = 300_000;

export const freshReport = (node: Node | undefined, nowMs: number): Node["report"] =>
  node?.report !== undefined && nowMs - node.report.atMs < REPORT_KEPT_MS ? node.report : undefined;

/** The last that any node said of a guest while it had it: a guest that has moved keeps its former owner's word. */
const lastWord = (world: World, vmid: number): { readonly atMs: number; readonly told: SimulatedGuest } | undefined => {
  let last: { readonly atMs: number; readonly told: SimulatedGuest } | undefined;
  for (const node of world.nodes.values()) {
    const report = freshReport(node, world.nowMs);
    const told = report?.guests.get(vmid);
    if (report === undefined || told?.node !== node.name) continue;
    if (last === undefined || report.atMs > last.atMs) last = { atMs: report.atMs, told };
  }
  return last;
};

/** Placement, lock and tags are the cluster's own; everything else is what the node last said. */
export const resourceRow = (world: World, guest: SimulatedGuest, dialect: Dialect): Row => {
  const type = guest.kind === "vm" ? "qemu" : "lxc";
  const known = {
    ...marks(guest),
    ...(guest.ha === undefined ? {} : { hastate: guest.ha.state }),
    id: `${type}/${guest.vmid}`,
    node: guest.node,
    ...present({ pool: guest.pool }),
    type,
    vmid: guest.vmid,
  };
  const word = lastWord(world, guest.vmid);
  if (word === undefined) return { ...known, status: "unknown" };
  const { atMs, told } = word;
  const { settings } = told.file;
  const { mem, ...rest } = sizes(told, atMs);
  return {
    ...rest,
    ...DISK_USE,
    maxcpu: cpusIn(settings, told.kind),
    mem,
    ...(dialect === "9" ? { memhost: mem } : {}),
    status: told.run.kind === "running" && monitorAnswers(told) && told.kind === "vm" ? told.run.state : told.run.kind,
    template: isTemplate(settings) ? 1 : 0,
    ...known,
  };
};
