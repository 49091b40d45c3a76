// What a task finds out only after it was answered for: a lock, a template, a snapshot that is not there.
//
// Proxmox VE says these in the task's verdict and not in the answer to the call; containers that are (not) running are
// the exception and are refused at once (refused-call.ts).

import { isTemplate, lockIn } from "./settings.ts";
import type { SimulatedGuest } from "./world.ts";
import type { Work } from "./world-calls.ts";

const lockText = ({ file, kind }: SimulatedGuest): string | undefined => {
  const lock = lockIn(file.settings);
  return lock === undefined ? undefined : `${kind === "vm" ? "VM" : "CT"} is locked (${lock})`;
};

const startText = (guest: SimulatedGuest): string | undefined => {
  const { file, kind, run, vmid } = guest;
  if (isTemplate(file.settings)) return `you can't start a ${kind === "vm" ? "vm" : "CT"} if it's a template`;
  // A hibernated VM is woken by a start.
  if (lockIn(file.settings) !== "suspended") {
    const text = lockText(guest);
    if (text !== undefined) return text;
  }
  return run.kind === "running" ? `${kind === "vm" ? "VM" : "CT"} ${vmid} already running` : undefined;
};

const hasSnapshot = ({ file }: SimulatedGuest, name: string): boolean =>
  file.snapshots.some((one) => one.name === name);

/** The text of the task's error; undefined when the work can begin. */
export const checked = (guest: SimulatedGuest, work: Work): string | undefined => {
  switch (work.verb) {
    case "start":
      return startText(guest);
    case "stop":
    case "shutdown":
      return guest.run.kind === "stopped" ? undefined : lockText(guest);
    case "resume":
      return lockIn(guest.file.settings) === "suspended" ? undefined : lockText(guest);
    case "snapshot":
      if (lockText(guest) !== undefined) return lockText(guest);
      return hasSnapshot(guest, work.snapshot) ? `snapshot name '${work.snapshot}' already used` : undefined;
    case "rollback":
    case "delete-snapshot":
      if (!hasSnapshot(guest, work.snapshot)) return `snapshot '${work.snapshot}' does not exist`;
      return lockText(guest);
    case "clone":
      return undefined;
    default:
      return lockText(guest);
  }
};
