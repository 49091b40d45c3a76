// A task: work that the provider does after it has answered, in stages, each after its own time.
//
// What the task says at the end and what it really did are two things; faults pull them apart. A second task on the
// same guest waits for the first one's file lock, for ten seconds. Not here: what a stage does (acts.ts), when
// (advance.ts).

import type { Vmid } from "../../spine/model.ts";
import { drawBetween } from "./chance.ts";
import type { Fate } from "./faults.ts";
import type { Cause } from "./journal.ts";
import type { GuestKind } from "./settings.ts";
import type { Act } from "./stage-act.ts";
import { askedOfHa, stagesOf } from "./stages.ts";
import { upidText } from "./upid.ts";
import { nextPid, type SimulatedGuest, type World } from "./world.ts";
import type { Verb, Work } from "./world-calls.ts";

export type Stage = { readonly afterMs: number; readonly act: Act };
/** What stands in the place of the verdict when the worker died without one. */
export const NO_VERDICT = "unexpected status";
/** The file lock is waited for that long. */
const LOCK_WAIT_MS = 10_000;

export type TaskState =
  | { readonly kind: "waiting"; readonly dueMs: number }
  | { readonly kind: "running"; readonly dueMs: number }
  | { readonly kind: "ended"; readonly atMs: number; readonly status: string };

export type SimulatedTask = {
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
  /** The daemon that began it is gone, so nobody hears of its end but the next who goes through the list. */
  readonly isOrphan?: true;
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

const typeOf = (work: Work, kind: GuestKind): string => {
  if (work.verb === "suspend" && work.isToDisk === true) return "qmsuspend";
  return TYPES[work.verb][kind === "vm" ? 0 : 1];
};

/** The stages with their times drawn, and what the task will say. */
const fated = (stages: readonly Stage[], fate: Fate | undefined): Pick<SimulatedTask, "says" | "stages"> => {
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
export const spawn = (world: World, guest: SimulatedGuest, order: Order): readonly [World, SimulatedTask] => {
  const { cause, fate, user, work } = order;
  const isAsked = guest.ha !== undefined && isHaVerb(work.verb);
  const planned = isAsked ? askedOfHa(work.verb) : stagesOf(work, guest);
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
  const task: SimulatedTask = {
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
