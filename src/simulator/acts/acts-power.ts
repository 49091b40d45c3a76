// Acts that change whether a guest executes: launch, off, pause, resume, reset, hibernate, and asking the HA manager.

import { settledFile, withSettings } from "../world/guest-file.ts";
import { isQuorate, nextPid, withGuest } from "../world/world.ts";
import { type DeedEffect, deed } from "../world/write-deed.ts";
import { type Acted, done, error, type On, write } from "./acted.ts";

export const launched = ({ guest, task, world }: On): Acted => {
  if (!isQuorate(world)) return error("cluster not ready - no quorum?");
  const [pid, counted] = nextPid(world);
  const settled = settledFile(guest.file);
  const file =
    settled.settings.get("lock") === "suspended"
      ? withSettings(settled, { lock: undefined, vmstate: undefined, runningmachine: undefined })
      : settled;
  const run = { kind: "running", monitor: "answers", pid, sinceMs: world.nowMs, state: "prelaunch" } as const;
  return done(
    deed(withGuest(counted, { ...guest, file, run }), guest, { effect: "launched", power: "starts" }, task.cause),
  );
};

export const running = ({ guest, task, world }: On, state: "paused" | "running", deeds: DeedEffect): Acted => {
  if (guest.run.kind !== "running") return error(`${guest.kind === "vm" ? "VM" : "CT"} ${guest.vmid} not running`);
  if (guest.run.monitor === "silent") return error(`VM ${guest.vmid} qmp command failed - got timeout`);
  return done(deed(withGuest(world, { ...guest, run: { ...guest.run, state } }), guest, deeds, task.cause));
};

export const off = ({ guest, task, world }: On): Acted => {
  if (guest.run.kind === "stopped") return done(world);
  const stopped = { ...guest, file: guest.file, run: { kind: "stopped" } as const };
  return done(deed(withGuest(world, stopped), guest, { effect: "powered-off", power: "stops" }, task.cause));
};

export const wasReset = ({ guest, task, world }: On): Acted =>
  guest.run.kind === "running" && guest.run.monitor === "answers"
    ? done(deed(world, guest, { effect: "reset", power: "interrupts" }, task.cause))
    : error(`VM ${guest.vmid} qmp command 'system_reset' failed`);

export const hibernated = (on: On): Acted =>
  write(
    on,
    withSettings(on.guest.file, {
      lock: "suspended",
      vmstate: `local:${on.guest.vmid}/vm-${on.guest.vmid}-state-suspend.raw`,
    }),
    { effect: "hibernated", power: "stops" },
    { run: { kind: "stopped" } },
  );

export const haAsked = ({ guest, task, world }: On, verb: "start" | "stop" | "shutdown"): Acted => {
  const wanted = verb === "start" ? "started" : "stopped";
  const state = verb === "start" ? "request_start" : "request_stop";
  const requests = [...world.requests, { cause: task.cause, dueMs: world.nowMs + HA_ROUND_MS, verb, vmid: guest.vmid }];
  return done(withGuest({ ...world, requests }, { ...guest, ha: { state, wanted } }));
};

/** The manager of high availability looks at its requests that often. */
const HA_ROUND_MS = 10_000;
