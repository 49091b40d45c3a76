// What each verb is made of: its acts in order, and how long each takes to come.
//
// A verb that is done in two acts can be left half-done between them. Not here: what an act does (acts.ts), the task
// around it (tasks.ts).

import { present } from "../../spine/values/present.ts";
import { holdsRam } from "./settings.ts";
import type { Act } from "./stage-act.ts";
import type { SimulatedGuest } from "./world.ts";
import type { Work } from "./world-calls.ts";

/** How long a guest may take to obey, when nobody says otherwise. */
const SHUTDOWN_MS = 60_000;
/**
 * A process that does not answer: `quit` is waited for 60 s, any other command 5 s (qemu-server src/PVE/QMPClient.pm,
 * cmd); then come SIGTERM, ten seconds, and SIGKILL (src/PVE/QemuServer.pm, _do_vm_stop). On a real node a stop took 76
 * s.
 */
const KILLED_AFTER_MS = 76_000;
const COMMAND_MS = 5000;
const TERM_THEN_KILL_MS = 11_000;

/** An act, and between how many milliseconds it takes to come. */
export type Planned = { readonly between: readonly [number, number]; readonly act: Act };
const at = (least: number, most: number, act: Act): Planned => ({ act, between: [least, most] });
const exactly = (ms: number, act: Act): Planned => at(ms, ms, act);

const isSilent = ({ run }: SimulatedGuest): boolean => run.kind === "running" && run.monitor === "silent";

const asked = (guest: SimulatedGuest, timeoutMs: number, isForced: boolean): readonly Planned[] => {
  if (guest.run.kind === "stopped") return [at(20, 80, { do: "power-off" })];
  if (guest.kind === "vm" && isSilent(guest)) {
    // The guest is never asked: the command itself fails, long before the guest's own time is over.
    return isForced
      ? [exactly(COMMAND_MS + TERM_THEN_KILL_MS, { do: "power-off" })]
      : [exactly(COMMAND_MS, { do: "fail", text: "VM quit/powerdown failed" })];
  }
  if (!guest.isDeaf) return [at(1500, Math.min(12_000, Math.max(1500, timeoutMs)), { do: "power-off" })];
  return [exactly(timeoutMs, isForced ? { do: "power-off" } : { do: "fail", text: notObeyed(guest) })];
};

const notObeyed = ({ kind, vmid }: SimulatedGuest): string =>
  kind === "vm" ? "VM quit/powerdown failed - got timeout" : `command 'lxc-stop -n ${vmid}' failed: exit code 1`;

const worked = (work: Work, guest: SimulatedGuest): readonly Planned[] => {
  switch (work.verb) {
    case "start":
      return [at(200, 600, { do: "launch" }), at(200, 2000, { do: "execute" })];
    case "stop":
      return isSilent(guest)
        ? [exactly(KILLED_AFTER_MS, { do: "power-off" })]
        : [at(50, 200, { do: "nothing" }), at(100, 900, { do: "power-off" })];
    case "shutdown":
      return [at(20, 100, { do: "nothing" }), ...asked(guest, work.timeoutMs ?? SHUTDOWN_MS, work.isForced === true)];
    case "reboot":
      return [
        ...asked(guest, work.timeoutMs ?? SHUTDOWN_MS, false),
        at(200, 600, { do: "launch" }),
        at(200, 2000, { do: "execute" }),
      ];
    case "reset":
      return [at(20, 80, { do: "nothing" }), at(20, 80, { do: "reset" })];
    case "suspend":
      return work.isToDisk === true
        ? [at(20, 80, { do: "lock", lock: "suspending" }), at(1000, 5000, { do: "hibernate" })]
        : [at(20, 80, { do: "pause" })];
    case "resume":
      return [at(20, 80, { do: "nothing" }), at(20, 80, { do: "resume" })];
    case "snapshot":
      return [
        at(20, 80, { do: "snapshot-begin", ...snapshotOf(work) }),
        at(200, 2000, { do: "snapshot-commit", snapshot: work.snapshot }),
      ];
    case "rollback":
      return [
        at(20, 80, { do: "rollback-begin", snapshot: work.snapshot }),
        at(300, 3000, { do: "rollback-commit", snapshot: work.snapshot }),
        ...(work.thenStart === true || bringsRam(guest, work.snapshot)
          ? [at(200, 600, { do: "launch" }), at(200, 2000, { do: "execute" } as const)]
          : []),
      ];
    case "delete-snapshot":
      return [
        at(20, 80, { do: "lock", lock: "snapshot-delete" }),
        at(200, 2000, { do: "snapshot-remove", snapshot: work.snapshot }),
      ];
    case "configure":
      return [at(10, 60, { do: "configure", edits: work.edits, ...given(work.reverts) })];
    case "destroy":
      return [at(20, 80, { do: "remove-disks" }), at(50, 300, { do: "destroy" })];
    case "migrate":
      return [at(50, 200, { do: "lock", lock: "migrate" }), at(2000, 20_000, { do: "migrate", target: work.target })];
    case "clone":
      return [
        at(50, 200, { do: "clone-begin", newid: work.newid, ...named(work.name) }),
        at(2000, 20_000, { do: "clone-commit", newid: work.newid }),
      ];
  }
};

/** Proxmox VE starts the guest then, asked or not: pve-guest-common src/PVE/AbstractConfig.pm, snapshot_rollback. */
const bringsRam = ({ file, kind }: SimulatedGuest, name: string): boolean =>
  file.snapshots.some((snapshot) => snapshot.name === name && holdsRam(kind, snapshot));

const given = (reverts: readonly string[] | undefined): { readonly reverts?: readonly string[] } =>
  reverts === undefined ? {} : { reverts };

const named = (name: string | undefined): { readonly name?: string } => (name === undefined ? {} : { name });

const snapshotOf = ({ description, snapshot, withMemory }: Extract<Work, { readonly verb: "snapshot" }>) => ({
  ...present({ description }),
  snapshot,
  withMemory: withMemory === true,
});

/** What the work is made of: what it finds out first, and then its acts. */
export const stagesOf = (work: Work, guest: SimulatedGuest): readonly Planned[] => [
  exactly(0, { do: "check", work }),
  ...worked(work, guest),
];

/** High availability is asked, and acts by itself later. */
export const askedOfHa = (verb: "shutdown" | "start" | "stop"): readonly Planned[] => [
  at(50, 200, { do: "ask-ha", verb }),
];
