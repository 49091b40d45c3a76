// perform(): one call on the world, and what is answered. Pure: the same world and call give the same answer.
//
// The fate of a call is settled when it leaves; the journal says whether it was heard. Keeps the world truthful: a lost
// answer is an answer that exists and does not come. Not here: time (advance.ts).

import { configured } from "./configure.ts";
import { fateOf, meet } from "./fate.ts";
import type { Fate, Loss } from "./faults.ts";
import type { Arrived, Cause } from "./journal.ts";
import { guestAt, objection } from "./refused-call.ts";
import { spawn } from "./tasks.ts";
import { type World, withGuest } from "./world.ts";
import type { Answer, CallAnswered, SimulatedCall } from "./world-calls.ts";
import { deed } from "./write-deed.ts";

export type Performed = CallAnswered & { readonly world: World };

const causeOf = (call: SimulatedCall, no: number): Cause => ({
  kind: "call",
  ...(call.mark === undefined ? {} : { mark: call.mark }),
  no,
});

const noted = (world: World, call: SimulatedCall, no: number, fate: Fate | undefined): World => {
  const entry: Arrived = {
    atMs: world.nowMs,
    ...(fate === undefined ? {} : { fate: fate.kind }),
    isHeard: fate?.kind !== "unheard",
    kind: "call",
    ...(call.mark === undefined ? {} : { mark: call.mark }),
    no,
    verb: call.work.verb,
    vmid: call.vmid,
  };
  return { ...world, counters: { ...world.counters, calls: no }, journal: [...world.journal, entry] };
};

/** The write that is done when its answer comes. */
const writtenAtOnce = (
  world: World,
  call: SimulatedCall,
  no: number,
  fate: Fate | undefined,
): { world: World; answer: Answer } => {
  const guest = guestAt(world, call);
  if (guest === undefined || call.work.verb !== "configure") throw new Error("an objection comes before a write");
  if (fate?.kind === "lies") return { answer: { kind: "done" }, world };
  if (fate?.kind === "fails") return { answer: { kind: "refused", status: 500, text: fate.text }, world };
  const isHalf = fate?.kind === "half-done";
  const edits = isHalf ? Object.fromEntries(Object.entries(call.work.edits).slice(0, 1)) : call.work.edits;
  const written = withGuest(world, { ...guest, file: configured(guest, edits, call.work.reverts) });
  return {
    answer: isHalf || fate?.kind === "verdict-lost" ? { how: "reset", kind: "lost" } : { kind: "done" },
    world: deed(written, guest, { effect: "configured", power: "none" }, causeOf(call, no)),
  };
};

/** A call that has reached the provider. */
export const arrived = (
  world: World,
  call: SimulatedCall,
  no: number,
  fate: Fate | undefined,
): { readonly world: World; readonly answer: Answer } => {
  const refused = objection(world, call);
  if (refused !== undefined) return { answer: refused, world };
  const { work } = call;
  if (work.verb === "configure" && !work.inTask) return writtenAtOnce(world, call, no, fate);
  const guest = guestAt(world, call);
  if (guest === undefined) throw new Error("an objection comes before a task");
  const [spawned, { upid }] = spawn(world, guest, { cause: causeOf(call, no), fate, user: call.user, work });
  return { answer: { kind: "task", upid }, world: spawned };
};

const PROXY_TIMEOUT_MS = 30_000;
/** Whether a VM is paused is asked before it is shut down, and a monitor that hangs is waited for. */
const PAUSED_MS = 5000;

const askedMs = (world: World, call: SimulatedCall): number => {
  const run = guestAt(world, call)?.run;
  const isAsked = call.kind === "vm" && (call.work.verb === "shutdown" || call.work.verb === "reboot");
  return isAsked && run?.kind === "running" && run.monitor === "silent" ? PAUSED_MS : 0;
};

const fated = (world: World, call: SimulatedCall, no: number, fate: Fate | undefined): Performed => {
  switch (fate?.kind) {
    case "unheard":
      return { answer: { how: fate.how, kind: "lost" }, delayMs: 0, world };
    case "late": {
      const arrivals = [...world.arrivals, { call, dueMs: world.nowMs + fate.ms, no }];
      return { answer: { how: "silence", kind: "lost" }, delayMs: 0, world: { ...world, arrivals } };
    }
    case "lost-reply":
      return {
        answer: { how: fate.how, kind: "lost" },
        delayMs: 0,
        world: arrived(world, call, no, fate).world,
      };
    default: {
      const { answer, world: after } = arrived(world, call, no, fate);
      const slowMs = fate?.kind === "slow" ? fate.ms : 0;
      const proxyMs = answer.kind === "unreached" && answer.status === 596 ? PROXY_TIMEOUT_MS : 0;
      return { answer, delayMs: slowMs + proxyMs + askedMs(world, call), world: after };
    }
  }
};

export const performCall = (world: World, call: SimulatedCall): Performed => {
  const { verb } = call.work;
  const [fate, counted] = fateOf(meet(world, "before", verb, call.vmid), verb, call.vmid);
  const no = counted.counters.calls + 1;
  const result = fated(noted(counted, call, no, fate), call, no, fate);
  return { ...result, world: meet(result.world, "after", verb, call.vmid) };
};

/** A read. It changes nothing of the guests, but a fault may be waiting for it. */
export type ReadFate = { readonly world: World; readonly delayMs: number; readonly lost?: Loss };

export const beforeRead = (world: World, vmid: number | undefined): ReadFate => {
  if (world.faults.length === 0) return { delayMs: 0, world };
  const [fate, counted] = fateOf(meet(world, "before", "observe", vmid), "observe", vmid);
  if (fate?.kind === "slow") return { delayMs: fate.ms, world: counted };
  if (fate?.kind === "lost-reply" || fate?.kind === "unheard") return { delayMs: 0, lost: fate.how, world: counted };
  return { delayMs: 0, world: counted };
};

/** To be called when the read has been answered. */
export const afterRead = (world: World, vmid: number | undefined): World =>
  world.faults.length === 0 ? world : meet(world, "after", "observe", vmid);
