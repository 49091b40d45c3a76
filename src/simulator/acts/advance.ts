// Time passes: everything that is due happens, in order, and every node reports every ten seconds.
//
// A report is the guests as they were at that moment, kept by reference; what never changes costs nothing, and hours of
// silence cost no more than a second of it. Not here: what an act does (acts.ts).

import { changed } from "../world/changes.ts";
import type { Ended } from "../world/journal.ts";
import { missingFile } from "../world/refused-call.ts";
import { arrived } from "../world/take-call.ts";
import { type SimulatedTask, spawn } from "../world/tasks.ts";
import { type Node, type World, withGuest } from "../world/world.ts";
import type { Acted } from "./acted.ts";
import { act } from "./acts.ts";

const REPORT_EVERY_MS = 10_000;

/** The world at a later time, when nothing was due in between: reports are made, nothing else changes. */
const idle = (world: World, toMs: number): World => {
  if (toMs <= world.nowMs) return world;
  const tickMs = world.startMs + Math.floor((toMs - world.startMs) / REPORT_EVERY_MS) * REPORT_EVERY_MS;
  if (tickMs <= world.nowMs) return { ...world, nowMs: toMs };
  const report = { atMs: tickMs, guests: world.guests };
  const told = (node: Node): Node =>
    node.isUp && node.isReached && node.isReporting && node.isMember ? { ...node, report } : node;
  return { ...world, nodes: new Map(Array.from(world.nodes, ([name, node]) => [name, told(node)])), nowMs: toMs };
};

type Due = { readonly dueMs: number; readonly happen: (world: World) => World };

const earlier = (a: Due | undefined, b: Due): Due => (a !== undefined && a.dueMs <= b.dueMs ? a : b);

/** The first thing that will happen. Ties are broken by kind, then by age, so that a world has one future. */
const nextDue = (world: World): Due | undefined => {
  let first: Due | undefined;
  world.faults.forEach((fault, at) => {
    if (fault.kind !== "change" || !("atMs" in fault) || fault.isSpent === true) return;
    const spend = (now: World): World =>
      changed({ ...now, faults: now.faults.with(at, { ...fault, isSpent: true }) }, fault.change);
    first = earlier(first, { dueMs: fault.atMs, happen: spend });
  });
  for (const arrival of world.arrivals) {
    const happen = (now: World): World =>
      arrived({ ...now, arrivals: now.arrivals.filter((one) => one !== arrival) }, arrival.call, arrival.no, undefined)
        .world;
    first = earlier(first, { dueMs: arrival.dueMs, happen });
  }
  for (const request of world.requests) {
    const happen = (now: World): World => {
      const rest = { ...now, requests: now.requests.filter((one) => one !== request) };
      const guest = rest.guests.get(request.vmid);
      if (guest?.ha === undefined) return rest;
      const settled = { ...guest, ha: { ...guest.ha, state: guest.ha.wanted } };
      const order = { cause: request.cause, user: "root@pam", work: { verb: request.verb } };
      const { ha: _, ...plain } = settled;
      return spawn(withGuest(rest, settled), plain, order)[0];
    };
    first = earlier(first, { dueMs: request.dueMs, happen });
  }
  for (const upid of world.open) {
    const task = world.tasks.get(upid);
    if (task !== undefined && task.state.kind !== "ended") {
      first = earlier(first, { dueMs: task.state.dueMs, happen: (now) => worked(now, task) });
    }
  }
  return first;
};

const put = (world: World, task: SimulatedTask): World => ({
  ...world,
  tasks: new Map(world.tasks).set(task.upid, task),
});

/** One stage of a task, or its end. */
const worked = (world: World, task: SimulatedTask): World => {
  if (task.state.kind === "waiting") return ended(world, task, lockTimeout(task));
  const [stage, ...rest] = task.stages;
  if (stage === undefined) return ended(world, task, task.says);
  const guest = world.guests.get(task.vmid);
  const acted: Acted =
    guest === undefined || guest.kind !== task.kind
      ? { kind: "error", text: missingFile(task) }
      : act({ guest, task, world }, stage.act);
  if (acted.kind === "error") return ended(world, task, acted.text);
  const [next] = rest;
  const later: SimulatedTask = {
    ...task,
    log: acted.log === undefined ? task.log : [...task.log, ...acted.log],
    stages: rest,
    state: { dueMs: world.nowMs + (next?.afterMs ?? 0), kind: "running" },
  };
  return put(acted.world, later);
};

const lockTimeout = ({ kind, vmid }: SimulatedTask): string =>
  kind === "vm"
    ? `can't lock file '/var/lock/qemu-server/lock-${vmid}.conf' - got timeout`
    : `can't lock file '/run/lock/lxc/pve-config-${vmid}.lock' - got timeout`;

const ended = (world: World, task: SimulatedTask, status: string): World => {
  const { cause, upid, verb, vmid } = task;
  const entry: Ended = { atMs: world.nowMs, cause, kind: "end", said: status, upid, verb, vmid };
  const over: SimulatedTask = { ...task, state: { atMs: world.nowMs, kind: "ended", status } };
  const after = {
    ...put(world, over),
    journal: [...world.journal, entry],
    open: world.open.filter((one) => one !== upid),
  };
  const heir = after.open
    .map((one) => after.tasks.get(one))
    .find((one) => one !== undefined && one.vmid === vmid && one.state.kind === "waiting");
  const isFree = !after.open.some((one) => {
    const other = after.tasks.get(one);
    return other?.vmid === vmid && other.state.kind === "running";
  });
  return heir === undefined || !isFree
    ? after
    : put(after, { ...heir, state: { dueMs: after.nowMs, kind: "running" } });
};

/** The world at `toMs`, with everything done that was due until then. Time never goes back. */
export const advance = (world: World, toMs: number): World => {
  let current = world;
  for (;;) {
    const due = nextDue(current);
    if (due === undefined || due.dueMs > toMs) return idle(current, toMs);
    current = due.happen(idle(current, due.dueMs));
  }
};

/** When something will happen next; undefined when nothing will, however long one waits. */
export const nextDueMs = (world: World): number | undefined => nextDue(world)?.dueMs;
