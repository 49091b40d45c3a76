// A task: work that the place does after it has answered, in stages, each after its own time.
//
// What the task says at the end and what it really did are two things; faults pull them apart. A second task on the
// same guest waits for the first one's file lock, for ten seconds. Not here: what a stage does (acts.ts), when
// (advance.ts).

import type { Vmid } from "../spine/model.ts";
import type { Act } from "./acts.ts";
import type { Verb, Work } from "./calls.ts";
import { drawBetween } from "./chance.ts";
import type { Fate } from "./faults.ts";
import type { Cause } from "./journal.ts";
import type { GuestKind } from "./settings.ts";
import { upidText } from "./upid.ts";
import { type Guest, nextPid, type World } from "./world.ts";

export type Stage = { readonly afterMs: number; readonly act: Act };
/** What stands in the place of the verdict when the worker died without one. */
export const NO_VERDICT = "unexpected status";
/** The file lock is waited for that long. */
export const LOCK_WAIT_MS = 10_000;

export type TaskState =
  | { readonly kind: "waiting"; readonly dueMs: number }
  | { readonly kind: "running"; readonly dueMs: number }
  | { readonly kind: "ended"; readonly atMs: number; readonly status: string };

export type Task = {
  readonly upid: string;
  readonly node: string;
  readonly pid: number;
  readonly pstart: number;
  readonly startMs: number;
  readonly type: string;
  readonly vmid: Vmid;
  readonly kind: GuestKind;
  readonly user: string;
  readonly verb: Verb;
  readonly cause: Cause;
  readonly stages: readonly Stage[];
  /** What it will say when every stage is done. */
  readonly says: string;
  readonly state: TaskState;
  readonly log: readonly string[];
};

const TYPES = {
  start: ["qmstart", "vzstart"],
  stop: ["qmstop", "vzstop"],
  shutdown: ["qmshutdown", "vzshutdown"],
  reboot: ["qmreboot", "vzreboot"],
  reset: ["qmreset", "vzreset"],
  suspend: ["qmpause", "vzsuspend"],
  resume: ["qmresume", "vzresume"],
  snapshot: ["qmsnapshot", "vzsnapshot"],
  rollback: ["qmrollback", "vzrollback"],
  "delete-snapshot": ["qmdelsnapshot", "vzdelsnapshot"],
  configure: ["qmconfig", "vzconfig"],
  destroy: ["qmdestroy", "vzdestroy"],
  migrate: ["qmigrate", "vzmigrate"],
  clone: ["qmclone", "vzclone"],
} as const satisfies Record<Verb, readonly [string, string]>;

export const typeOf = (work: Work, kind: GuestKind): string => {
  if (work.verb === "suspend" && work.isToDisk === true) return "qmsuspend";
  return TYPES[work.verb][kind === "vm" ? 0 : 1];
};

/** How long a guest may take to obey, when nobody says otherwise. */
const SHUTDOWN_MS = 60_000;
/** A process that does not answer is killed after that long. */
const KILLED_AFTER_MS = 60_000;

type Planned = { readonly between: readonly [number, number]; readonly act: Act };
const at = (least: number, most: number, act: Act): Planned => ({ act, between: [least, most] });
const exactly = (ms: number, act: Act): Planned => at(ms, ms, act);

const isSilent = ({ run }: Guest): boolean => run.kind === "running" && run.monitor === "silent";

const asked = (guest: Guest, timeoutMs: number, isForced: boolean): readonly Planned[] => {
  if (guest.run.kind === "stopped") return [at(20, 80, { do: "power-off" })];
  if (!guest.isDeaf && !isSilent(guest))
    return [at(1500, Math.min(12_000, Math.max(1500, timeoutMs)), { do: "power-off" })];
  return [exactly(timeoutMs, isForced ? { do: "power-off" } : { do: "fail", text: notObeyed(guest) })];
};

const notObeyed = ({ kind, vmid }: Guest): string =>
  kind === "vm" ? "VM quit/powerdown failed - got timeout" : `command 'lxc-stop -n ${vmid}' failed: exit code 1`;

const worked = (work: Work, guest: Guest): readonly Planned[] => {
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
        ...(work.thenStart === true ? [at(200, 600, { do: "launch" }), at(200, 2000, { do: "execute" } as const)] : []),
      ];
    case "delete-snapshot":
      return [
        at(20, 80, { do: "lock", lock: "snapshot-delete" }),
        at(200, 2000, { do: "snapshot-remove", snapshot: work.snapshot }),
      ];
    case "configure":
      return [at(10, 60, { do: "configure", edits: work.edits })];
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

const named = (name: string | undefined): { readonly name?: string } => (name === undefined ? {} : { name });

const snapshotOf = ({ description, snapshot, withMemory }: Extract<Work, { readonly verb: "snapshot" }>) => ({
  ...(description === undefined ? {} : { description }),
  snapshot,
  withMemory: withMemory === true,
});

/** The stages with their times drawn, and what the task will say. */
const fated = (stages: readonly Stage[], fate: Fate | undefined): Pick<Task, "says" | "stages"> => {
  const [first, ...rest] = stages;
  const total = stages.reduce((sum, { afterMs }) => sum + afterMs, 0);
  const kept = first === undefined ? [] : [first];
  switch (fate?.kind) {
    case "slow":
      return { says: "OK", stages: [...kept, { act: { do: "nothing" }, afterMs: fate.ms }, ...rest] };
    case "half-done":
      return { says: NO_VERDICT, stages: [...kept, ...rest.slice(0, Math.floor(rest.length / 2))] };
    case "lies":
      return { says: "OK", stages: [{ act: { do: "nothing" }, afterMs: total }] };
    case "warns":
      return { says: "WARNINGS: 1", stages };
    case "fails":
      return { says: fate.text, stages: [...kept, { act: { do: "fail", text: fate.text }, afterMs: total }] };
    case "verdict-lost":
      return { says: NO_VERDICT, stages };
    default:
      return { says: "OK", stages };
  }
};

export type Order = {
  readonly work: Work;
  readonly user: string;
  readonly cause: Cause;
  readonly fate?: Fate | undefined;
};

/** The task is there and its first stage is due; whoever calls lets the world go on. */
export const spawn = (world: World, guest: Guest, order: Order): readonly [World, Task] => {
  const { cause, fate, user, work } = order;
  const isAsked = guest.ha !== undefined && isHaVerb(work.verb);
  const planned: readonly Planned[] = isAsked
    ? [at(50, 200, { do: "ask-ha", verb: work.verb })]
    : [exactly(0, { do: "check", work }), ...worked(work, guest)];
  const [pid, counted] = nextPid(world);
  let { chance } = counted;
  const stages = planned.map(({ act, between }): Stage => {
    const [afterMs, next] = drawBetween(chance, between[0], between[1]);
    chance = next;
    return { act, afterMs };
  });
  const type = isAsked ? (work.verb === "start" ? "hastart" : "hastop") : typeOf(work, guest.kind);
  const node = counted.nodes.get(guest.node);
  const pstart = Math.max(1, Math.floor((counted.nowMs - (node?.bootedMs ?? counted.startMs)) / 10));
  const upid = upidText({ id: `${guest.vmid}`, node: guest.node, pid, pstart, startMs: counted.nowMs, type, user });
  const isBusy = counted.open.some((other) => counted.tasks.get(other)?.vmid === guest.vmid && !isAsked);
  const task: Task = {
    ...fated(stages, fate),
    cause,
    kind: guest.kind,
    log: [],
    node: guest.node,
    pid,
    pstart,
    startMs: counted.nowMs,
    state: { dueMs: counted.nowMs + (isBusy ? LOCK_WAIT_MS : 0), kind: isBusy ? "waiting" : "running" },
    type,
    upid,
    user,
    verb: work.verb,
    vmid: guest.vmid,
  };
  const tasks = new Map(counted.tasks).set(upid, task);
  return [{ ...counted, chance, open: [...counted.open, upid], tasks }, task];
};

const isHaVerb = (verb: Verb): verb is "shutdown" | "start" | "stop" =>
  verb === "start" || verb === "stop" || verb === "shutdown";
