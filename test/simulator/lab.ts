// A small world for the simulator's tests, and short ways to call it.

import assert from "node:assert/strict";
import { advance } from "../../src/simulator/acts/advance.ts";
import type { Fault } from "../../src/simulator/world/faults.ts";
import { type GuestWords, makeGuest, makeNode } from "../../src/simulator/world/make-guest.ts";
import { performCall } from "../../src/simulator/world/take-call.ts";
import type { SimulatedTask } from "../../src/simulator/world/tasks.ts";
import { newWorld, type World, type WorldStart } from "../../src/simulator/world/world.ts";
import type { Answer, SimulatedCall, Work } from "../../src/simulator/world/world-calls.ts";
import { isVmid, type Vmid } from "../../src/spine/model.ts";

export const START_MS = 1_794_780_000_000;
export const MINUTE_MS = 60_000;

export const vmid = (value: number): Vmid => {
  assert.ok(isVmid(value));
  return value;
};

type Words = Omit<GuestWords, "node" | "vmid"> & { readonly vmid: number; readonly node?: string };

export const lab = (
  guests: readonly Words[],
  rest: Partial<Pick<WorldStart, "cluster" | "faults" | "nodes" | "weather">> & { readonly seed?: number } = {},
): World => {
  const seed = rest.seed ?? 1;
  return newWorld({
    cluster: "lab",
    nodes: ["pve1", "pve2", "pve3"].map((name) => makeNode({ bootedMs: START_MS - MINUTE_MS, name })),
    ...rest,
    guests: guests.map((words) => makeGuest({ node: "pve1", ...words, vmid: vmid(words.vmid) }, seed, START_MS)),
    seed,
    startMs: START_MS,
  });
};

export const callOf = (world: World, id: number, work: Work): SimulatedCall => {
  const guest = world.guests.get(id);
  return { kind: guest?.kind ?? "vm", node: guest?.node ?? "pve1", user: "root@pam!oracle", vmid: vmid(id), work };
};

/** The call is made and what is due at once happens. */
export const made = (world: World, id: number, work: Work): { readonly world: World; readonly answer: Answer } => {
  const { answer, world: after } = performCall(world, callOf(world, id, work));
  return { answer, world: advance(after, after.nowMs) };
};

export const taskOf = (world: World, answer: Answer): SimulatedTask => {
  assert.equal(answer.kind, "task", JSON.stringify(answer));
  const task = world.tasks.get(answer.upid);
  assert.ok(task !== undefined);
  return task;
};

/** The call, ten minutes later: the world, and what the task says. */
export const carried = (world: World, id: number, work: Work): { readonly world: World; readonly said: string } => {
  const { answer, world: after } = made(world, id, work);
  const later = advance(after, after.nowMs + 10 * MINUTE_MS);
  const { state } = taskOf(later, answer);
  assert.equal(state.kind, "ended");
  return { said: state.status, world: later };
};

export const fate = (call: SimulatedCall["work"]["verb"], given: Extract<Fault, { kind: "fate" }>["fate"]): Fault => ({
  fate: given,
  kind: "fate",
  on: { call, nth: 1, times: 1 },
});

export const statusOf = (world: World, id: number): string => {
  const run = world.guests.get(id)?.run;
  return run?.kind === "running" ? run.state : (run?.kind ?? "gone");
};

export const effectsOf = (world: World): readonly string[] =>
  world.journal.flatMap((entry) => (entry.kind === "deed" ? [entry.effect] : []));
