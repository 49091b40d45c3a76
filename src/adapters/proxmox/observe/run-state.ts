// status/current as a statement: the process, and whether the guest in it executes.
//
// `status` is the process, `qmpstatus` the guest. When the monitor does not answer, PVE copies the first into the
// second (qemu-server 9.2.6 src/PVE/QemuServer.pm, vmstatus); only the missing version of the running QEMU betrays it.
// A container that is frozen looks like one that runs.

import { isObject } from "../../../formats/json/json-shape.ts";
import { type Doubt, doubt } from "../../../spine/observed-codes.ts";
import { shownText } from "../../../spine/values/shown-text.ts";
import type { GuestRef } from "../api/names.ts";
import { isSet, textOf, vmidOf, wholeOf } from "../api/values.ts";

/** executing: confirmed. silent: the process is there, its monitor is not heard. halted: the guest stands still. */
export type GuestRun =
  | { readonly kind: "executing" | "paused" | "silent" | "stopped" }
  | { readonly kind: "halted" | "moving"; readonly word: string };

export type GuestHa =
  | { readonly kind: "none" }
  | { readonly kind: "managed"; readonly state: string; readonly isSettled: boolean };

export type Status =
  | {
      readonly kind: "seen";
      readonly ha: GuestHa;
      readonly isTemplate: boolean;
      readonly lock: string | undefined;
      readonly name: string | undefined;
      readonly pid: number | undefined;
      readonly run: GuestRun;
    }
  | { readonly kind: "doubtful"; readonly because: Doubt };

/**
 * QEMU's run states besides running and paused (qapi/run-state.json, RunState). In the second list an operation owns
 * the guest.
 */
const HALTED = [
  "prelaunch",
  "suspended",
  "shutdown",
  "io-error",
  "internal-error",
  "guest-panicked",
  "watchdog",
  "debug",
];
const MOVING = ["inmigrate", "postmigrate", "finish-migrate", "save-vm", "restore-vm", "colo"];

const doubtful = (because: Doubt): Status => ({ because, kind: "doubtful" });

export const statusOf = (data: unknown, guest: GuestRef): Status => {
  if (!isObject(data)) return doubtful(doubt("status-unreadable"));
  if (data["vmid"] !== undefined && vmidOf(data["vmid"]) !== guest.vmid) return doubtful(doubt("status-of-another"));
  const run = guest.kind === "vm" ? runOf(data) : containerRunOf(data);
  if (run === undefined) return doubtful(doubt("status-undefined", wordsSaid(data)));
  return {
    ha: haOf(data["ha"]),
    isTemplate: isSet(data["template"]),
    kind: "seen",
    lock: textOf(data["lock"]),
    name: textOf(data["name"]),
    pid: wholeOf(data["pid"]) || undefined,
    run,
  };
};

const runOf = (data: Readonly<Record<string, unknown>>): GuestRun | undefined => {
  const { qmpstatus, status } = data;
  if (status === "stopped") return qmpstatus === undefined || qmpstatus === "stopped" ? { kind: "stopped" } : undefined;
  if (status !== "running" || typeof qmpstatus !== "string") return undefined;
  if (textOf(data["running-qemu"]) === undefined) return { kind: "silent" };
  if (qmpstatus === "running") return { kind: "executing" };
  if (qmpstatus === "paused") return { kind: "paused" };
  if (HALTED.includes(qmpstatus)) return { kind: "halted", word: qmpstatus };
  return MOVING.includes(qmpstatus) ? { kind: "moving", word: qmpstatus } : undefined;
};

const containerRunOf = ({ status }: Readonly<Record<string, unknown>>): GuestRun | undefined => {
  if (status === "stopped") return { kind: "stopped" };
  return status === "running" ? { kind: "executing" } : undefined;
};

/** What was said of it, and nothing in the place of what was not. */
const wordsSaid = ({ qmpstatus, status }: Readonly<Record<string, unknown>>): { readonly said?: string } => {
  const words = [status, qmpstatus].flatMap((word) => (typeof word === "string" ? [shownText(word).slice(0, 40)] : []));
  return words.length === 0 ? {} : { said: words.join(", ") };
};

/** In these states the HA manager has nothing under way: pve-ha-manager 5.2.0 src/PVE/HA/Manager.pm. */
const SETTLED = ["started", "stopped", "ignored"];

const haOf = (value: unknown): GuestHa => {
  if (!isObject(value) || !isSet(value["managed"])) return { kind: "none" };
  const state = textOf(value["state"]);
  return {
    isSettled: state !== undefined && SETTLED.includes(state),
    kind: "managed",
    state: state === undefined ? "unknown" : shownText(state).slice(0, 40),
  };
};
