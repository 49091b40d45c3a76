// worldActuator(): the Actuator port straight over a world: one call for one intent, and the provider's own verdict.
//
// A call that the provider refused is failed; one that may have reached it is sent or unknown. Nothing is tried twice.

import type { Actuator, DurableIntent, ProviderVerdict, Sent } from "../../adapters/actuator.ts";
import { type Diagnostic, diagnostic } from "../../spine/diagnostic-codes.ts";
import type { Action, VmState } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import type { Edits } from "../world/guest-file.ts";
import { NO_VERDICT, type SimulatedTask } from "../world/tasks.ts";
import { isAnswering, type World } from "../world/world.ts";
import type { Work } from "../world/world-calls.ts";
import type { SimulatedProvider } from "./provider.ts";

const MIB = 2 ** 20;
const AT_ONCE = "at-once";

const sizesOf = ({ cpus, memory }: Extract<Action, { readonly kind: "vm.resize" }>, kind: VmState["kind"]): Edits => ({
  ...(cpus === undefined ? {} : { cores: `${cpus}`, ...(kind === "vm" ? { sockets: "1" } : {}) }),
  ...(memory === undefined ? {} : { memory: `${Math.floor(memory / MIB)}` }),
});

const workOf = (action: Action, seen: VmState): Work => {
  switch (action.kind) {
    case "vm.start":
      return { verb: "start" };
    case "vm.stop":
      return { verb: "stop" };
    case "vm.shutdown":
      return { verb: "shutdown" };
    case "vm.reboot":
      return { verb: "reboot" };
    case "vm.reset":
      return { verb: "reset" };
    case "vm.suspend":
      return { verb: "suspend" };
    case "vm.resume":
      return { verb: "resume" };
    case "vm.delete":
      return { verb: "destroy" };
    case "vm.snapshot.create":
      return { snapshot: action.snapshot, verb: "snapshot" };
    case "vm.snapshot.rollback":
      return { snapshot: action.snapshot, verb: "rollback" };
    case "vm.snapshot.delete":
      return { snapshot: action.snapshot, verb: "delete-snapshot" };
    case "vm.clone":
      return { name: action.name, newid: action.to, verb: "clone" };
    case "vm.migrate":
      return { isOnline: true, target: action.node, verb: "migrate" };
    case "vm.resize":
      return {
        ...present({ digest: seen.revision }),
        edits: sizesOf(action, seen.kind),
        inTask: seen.kind === "vm",
        verb: "configure",
      };
  }
};

const told = <K extends "done" | "failed" | "unknown">(kind: K, ...diagnostics: readonly Diagnostic[]) => ({
  diagnostics,
  kind,
});

const nodeFor = (world: World, vmid: number): string =>
  world.guests.get(vmid)?.node ?? Array.from(world.nodes.keys()).find((name) => isAnswering(world, name)) ?? "";

export type WorldActuatorOptions = {
  /** user@realm, or user@realm!token. */
  readonly user: string;
};

export const worldActuator = (provider: SimulatedProvider, { user }: WorldActuatorOptions): Actuator => ({
  send: async (intent, signal, mayLeave) => {
    if (!(await mayLeave())) return { kind: "withheld" };
    if (signal.aborted) return told("failed", diagnostic("not-sent"), diagnostic("request-aborted"));
    const { id, seen, step } = intent;
    const { answer, delayMs } = provider.call({
      kind: seen.kind,
      mark: { intent: id, step: step.hash },
      node: nodeFor(provider.world(), step.vmid),
      user,
      vmid: step.vmid,
      work: workOf(step.action, seen),
    });
    if (answer.kind === "lost") {
      if (answer.how === "silence") await provider.until(() => false, signal);
      return told("unknown", diagnostic("answer-lost"));
    }
    const dueMs = provider.world().nowMs + delayMs;
    if (!(await provider.untilMs(dueMs, signal))) {
      return told("unknown", diagnostic("answer-lost"), diagnostic("request-aborted"));
    }
    return sentOf(answer);
  },
  verdict: async (intent, reference, signal) => {
    if (reference === AT_ONCE) return told("done", diagnostic("call-answered-done"));
    const { node } = provider.world().tasks.get(reference) ?? { node: "" };
    await provider.until((world) => hasEnded(world, reference) || !isAnswering(world, node), signal);
    const verdict = verdictOf(provider.world(), reference);
    return verdict.kind === "done" ? haVerdict(provider, intent, reference, signal, verdict) : verdict;
  },
});

const sentOf = (answer: Exclude<ReturnType<SimulatedProvider["call"]>["answer"], { readonly kind: "lost" }>): Sent => {
  if (answer.kind === "task") return { kind: "sent", reference: answer.upid };
  if (answer.kind === "done") return { kind: "sent", reference: AT_ONCE };
  // A node that refuses the connection took nothing; one that timed out may have.
  const isProven = answer.kind === "refused" || answer.status === 595;
  const about = { facts: { httpStatus: answer.status }, said: answer.text };
  return isProven
    ? told("failed", diagnostic("call-refused", about))
    : told("unknown", diagnostic("answer-inconclusive", about));
};

const hasEnded = (world: World, upid: string): boolean => world.tasks.get(upid)?.state.kind === "ended";

const verdictOf = (world: World, upid: string): ProviderVerdict => {
  const task = world.tasks.get(upid);
  if (task === undefined) return told("unknown", diagnostic("task-not-known"));
  if (!isAnswering(world, task.node)) {
    return told("unknown", diagnostic("node-not-answering", { facts: { node: task.node } }));
  }
  if (task.state.kind !== "ended") return told("unknown", diagnostic("task-running"));
  const { status } = task.state;
  if (status === NO_VERDICT) return told("unknown", diagnostic("task-without-verdict"));
  if (status === "OK") return told("done", diagnostic("task-done"));
  return status.startsWith("WARNINGS: ")
    ? told("done", diagnostic("task-warned", { said: status }))
    : told("failed", diagnostic("task-failed", { said: status }));
};

const isHa = (task: SimulatedTask | undefined): boolean => task?.type === "hastart" || task?.type === "hastop";

/** High availability says OK to a request; whether it was carried out shows only in the guest. */
const haVerdict = async (
  provider: SimulatedProvider,
  { step }: DurableIntent,
  upid: string,
  signal: AbortSignal,
  verdict: ProviderVerdict,
): Promise<ProviderVerdict> => {
  if (!isHa(provider.world().tasks.get(upid))) return verdict;
  const expected = step.action.kind === "vm.start" ? "running" : "stopped";
  const isSo = (world: World): boolean => world.guests.get(step.vmid)?.run.kind === expected;
  return (await provider.until(isSo, signal))
    ? verdict
    : told("unknown", diagnostic("ha-accepted"), diagnostic("state-not-reached", { facts: { expected } }));
};
