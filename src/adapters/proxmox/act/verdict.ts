// PVE's own verdict on a task, waited for where the task runs. It only reads.
//
// "WARNINGS: n" is done. An error is failed only where it proves that nothing happened, or would with a VM that is seen
// untouched, which the kernel sees to; a shutdown that timed out is unknown, because the guest was asked and may still
// obey. Where a task's OK is not the end (pve-calls.ts), the state itself is waited for. A verdict that is lost stays
// lost.

import { isObject } from "../../../formats/json/json-shape.ts";
import { type Diagnostic, diagnostic } from "../../../spine/diagnostic-codes.ts";
import { shownText } from "../../../spine/values/shown-text.ts";
import type { DurableIntent, ProviderVerdict } from "../../actuator.ts";
import type { PveTask } from "../api/names.ts";
import { UNFINISHED } from "../api/pve-calls.ts";
import type { PveReader } from "../api/pve-reader.ts";
import { isProxyError, type PveReply, whyNot } from "../api/pve-reply.ts";
import { textOf } from "../api/values.ts";
import { type GuestRun, statusOf } from "../observe/run-state.ts";
import { bootOf } from "../observe/vm-state.ts";
import { whereaboutsOf } from "../observe/whereabouts.ts";
import { errorLeavesNothing, errorProvesNothing } from "./proofs.ts";

/** Resolves when the time is over or the signal aborts, and never rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export type Waiting = {
  readonly observing: PveReader; // sees every guest
  readonly own: PveReader; // sees the tasks of the token that sent
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
};

const POLL_MS = 1000;

const unknown = (...diagnostics: readonly Diagnostic[]): ProviderVerdict => ({ diagnostics, kind: "unknown" });

/** Asks until there is something to say; undefined means not yet. */
const poll = async (
  { signal, sleep }: Waiting,
  late: Diagnostic,
  ask: () => Promise<ProviderVerdict | { readonly kind: "not-yet"; readonly last: Diagnostic }>,
): Promise<ProviderVerdict> => {
  let last: readonly Diagnostic[] = [];
  while (!signal.aborted) {
    const answer = await ask();
    if (answer.kind !== "not-yet") return answer;
    last = [answer.last];
    await sleep(POLL_MS, signal);
  }
  return unknown(late, ...last);
};

const notYet = (last: Diagnostic) => ({ kind: "not-yet", last }) as const;

export const awaitVerdict = async (
  task: PveTask,
  intent: DurableIntent,
  waiting: Waiting,
): Promise<ProviderVerdict> => {
  const verdict = await poll(waiting, diagnostic("verdict-timed-out"), async () =>
    verdictIn(await waiting.own.task(task, waiting.signal), task),
  );
  // What a task is called comes from outside, and may be the name of something that every object inherits.
  const half = Object.hasOwn(UNFINISHED, task.type) ? UNFINISHED[task.type] : undefined;
  return verdict.kind === "done" && half !== undefined ? awaitState(intent, diagnostic(half), waiting) : verdict;
};

const verdictIn = (reply: PveReply, task: PveTask): ReturnType<typeof notYet> | ProviderVerdict => {
  if (reply.kind === "none" || reply.kind === "unreadable") return notYet(reply.why);
  if (reply.kind === "refused") {
    return isProxyError(reply.status) ? notYet(whyNot(reply)) : unknown(diagnostic("task-not-shown"), whyNot(reply));
  }
  const { data } = reply;
  if (!isObject(data)) return unknown(diagnostic("task-answer-unreadable"));
  if (data["status"] === "running") return notYet(diagnostic("task-running"));
  const exit = textOf(data["exitstatus"]);
  if (data["status"] !== "stopped" || exit === undefined) return unknown(diagnostic("task-without-verdict"));
  return judged(exit, task);
};

/** What PVE makes of a log whose end it cannot read: pve-common 9.2.1 src/PVE/UPID.pm, read_status. */
const LOST = /^(?:unexpected status|unable to get last line|unable to read)/;

const judged = (exit: string, { type }: PveTask): ProviderVerdict => {
  const said = shownText(exit);
  if (exit === "OK") return { diagnostics: [diagnostic("task-done")], kind: "done" };
  // pve-common 9.2.1 src/PVE/UPID.pm, read_status: what the last line says after TASK.
  if (/^WARNINGS: \d+$/.test(exit)) return { diagnostics: [diagnostic("task-warned", { said })], kind: "done" };
  if (LOST.test(exit)) return unknown(diagnostic("task-verdict-lost", { said }));
  if (errorProvesNothing(type, exit))
    return { diagnostics: [diagnostic("task-did-nothing", { said })], kind: "failed" };
  return errorLeavesNothing(type, exit)
    ? { diagnostics: [diagnostic("task-failed", { said })], kind: "failed" }
    : unknown(diagnostic("task-failed-halfway", { said }));
};

/** What the state must be, as it is seen, and what is told of it. */
type ExpectedState = {
  readonly isSo: (run: GuestRun, boot: string | undefined) => boolean;
  readonly reached: Diagnostic;
  readonly unreached: Diagnostic;
};

const stateExpected = (expected: "executing" | "stopped"): ExpectedState => {
  const facts = { expected: expected === "executing" ? "running" : "stopped" };
  return {
    isSo: (run) => run.kind === expected,
    reached: diagnostic("state-reached", { facts }),
    unreached: diagnostic("state-not-reached", { facts }),
  };
};

/** A process that was not seen is not another one. */
const isAnew = (boot: string | undefined, before: string | undefined): boolean =>
  boot !== undefined && before !== undefined && boot !== before;

const expectedAfter = ({ seen, step }: DurableIntent): ExpectedState => {
  switch (step.action.kind) {
    case "vm.reboot":
      return {
        isSo: (run, boot) => run.kind === "executing" && isAnew(boot, seen.boot),
        reached: diagnostic("restart-seen"),
        unreached: diagnostic("restart-not-seen"),
      };
    case "vm.start":
      return stateExpected("executing");
    default:
      return stateExpected("stopped");
  }
};

const awaitState = (intent: DurableIntent, half: Diagnostic, waiting: Waiting): Promise<ProviderVerdict> => {
  const { isSo, reached, unreached } = expectedAfter(intent);
  return poll(waiting, half, async () => {
    const { observing, signal } = waiting;
    const list = await observing.resources(signal);
    const where = list.kind === "data" ? whereaboutsOf(list.data) : undefined;
    const row = where?.kind === "list" ? where.rows.get(intent.step.vmid) : undefined;
    if (row?.kind !== "at") return notYet(diagnostic("location-not-seen"));
    const reply = await observing.status(row.guest, signal);
    const status = reply.kind === "data" ? statusOf(reply.data, row.guest) : undefined;
    if (status?.kind !== "seen") return notYet(diagnostic("state-not-seen"));
    return isSo(status.run, bootOf(row.guest.node, status.pid))
      ? { diagnostics: [half, reached], kind: "done" }
      : notYet(unreached);
  });
};
