// PVE's own verdict on a task, waited for where the task runs. It only reads.
//
// "WARNINGS: n" is done. An error is failed only where it proves that nothing happened, or would with a VM that is seen
// untouched, which the kernel sees to; a shutdown that timed out is unknown, because the guest was asked and may still obey. Where a task's OK is not the end (pve-calls.ts), the state itself
// is waited for. A verdict that is lost stays lost.

import { isObject } from "../../../formats/json/json-shape.ts";
import type { DurableIntent, ProviderVerdict } from "../../actuator.ts";
import type { Task } from "../api/names.ts";
import { UNFINISHED } from "../api/pve-calls.ts";
import type { Reader } from "../api/pve-reader.ts";
import { isProxyError, type Reply, whyNot } from "../api/pve-reply.ts";
import { shownText } from "../api/shown.ts";
import { textOf } from "../api/values.ts";
import { type Run, statusOf } from "../observe/run-state.ts";
import { bootOf } from "../observe/vm-state.ts";
import { whereaboutsOf } from "../observe/whereabouts.ts";
import { errorLeavesNothing, errorProvesNothing } from "./proofs.ts";

/** Resolves when the time is over or the signal aborts, and never rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export type Waiting = {
  readonly observing: Reader; // sees every guest
  readonly own: Reader; // sees the tasks of the token that sent
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
};

const POLL_MS = 1000;

const unknown = (because: string): ProviderVerdict => ({ because, kind: "unknown" });

/** Asks until there is something to say; undefined means not yet. */
const poll = async (
  { signal, sleep }: Waiting,
  late: (last: string) => string,
  ask: () => Promise<ProviderVerdict | { readonly kind: "not-yet"; readonly last: string }>,
): Promise<ProviderVerdict> => {
  let last = "it was not asked";
  while (!signal.aborted) {
    const answer = await ask();
    if (answer.kind !== "not-yet") return answer;
    last = answer.last;
    await sleep(POLL_MS, signal);
  }
  return unknown(late(last));
};

const notYet = (last: string) => ({ kind: "not-yet", last }) as const;

export const awaitVerdict = async (task: Task, intent: DurableIntent, waiting: Waiting): Promise<ProviderVerdict> => {
  const verdict = await poll(
    waiting,
    (last) => `no verdict came in time; the last that was heard: ${last}`,
    async () => verdictIn(await waiting.own.task(task, waiting.signal), task),
  );
  // What a task is called comes from outside, and may be the name of something that every object inherits.
  const half = Object.hasOwn(UNFINISHED, task.type) ? UNFINISHED[task.type] : undefined;
  return verdict.kind === "done" && half !== undefined ? awaitState(intent, half, waiting) : verdict;
};

const verdictIn = (reply: Reply, task: Task): ReturnType<typeof notYet> | ProviderVerdict => {
  if (reply.kind === "none" || reply.kind === "unreadable") return notYet(reply.because);
  if (reply.kind === "refused") {
    return isProxyError(reply.status)
      ? notYet(whyNot(reply))
      : unknown(`PVE does not tell of the task: ${whyNot(reply)}`);
  }
  const { data } = reply;
  if (!isObject(data)) return unknown("PVE's answer about the task is not readable");
  if (data["status"] === "running") return notYet("the task runs");
  const exit = textOf(data["exitstatus"]);
  if (data["status"] !== "stopped" || exit === undefined) return unknown("the task ended without a verdict");
  return judged(exit, task);
};

/** What PVE makes of a log whose end it cannot read: pve-common 9.2.1 src/PVE/UPID.pm, read_status. */
const LOST = /^(?:unexpected status|unable to get last line|unable to read)/;

const judged = (exit: string, { type }: Task): ProviderVerdict => {
  const text = shownText(exit);
  if (exit === "OK") return { because: "the task ended OK", kind: "done" };
  // pve-common 9.2.1 src/PVE/UPID.pm, read_status: what the last line says after TASK.
  if (/^WARNINGS: \d+$/.test(exit)) return { because: `the task ended with ${text}`, kind: "done" };
  if (LOST.test(exit)) return unknown(`the task's verdict is lost (${text})`);
  if (errorProvesNothing(type, exit)) return { because: `PVE did nothing: ${text}`, kind: "failed" };
  return errorLeavesNothing(type, exit)
    ? { because: `the task ended with an error: ${text}`, kind: "failed" }
    : unknown(`the task ended with an error, and how far it came is not proven: ${text}`);
};

/** What the state must be, in words and as it is seen. */
type Wanted = { readonly words: string; readonly isSo: (run: Run, boot: string | undefined) => boolean };

/** A process that was not seen is not another one. */
const isAnew = (boot: string | undefined, before: string | undefined): boolean =>
  boot !== undefined && before !== undefined && boot !== before;

const wantedAfter = ({ seen, step }: DurableIntent): Wanted => {
  switch (step.action.kind) {
    case "vm.reboot":
      return {
        isSo: (run, boot) => run.kind === "executing" && isAnew(boot, seen.boot),
        words: "running, started anew",
      };
    case "vm.start":
      return { isSo: (run) => run.kind === "executing", words: "running" };
    default:
      return { isSo: (run) => run.kind === "stopped", words: "stopped" };
  }
};

const awaitState = (intent: DurableIntent, half: string, waiting: Waiting): Promise<ProviderVerdict> => {
  const { isSo, words } = wantedAfter(intent);
  return poll(
    waiting,
    (last) => `${half}, and the rest was not seen: ${last}`,
    async () => {
      const { observing, signal } = waiting;
      const list = await observing.resources(signal);
      const where = list.kind === "data" ? whereaboutsOf(list.data) : undefined;
      const row = where?.kind === "list" ? where.rows.get(intent.step.vmid) : undefined;
      if (row?.kind !== "at") return notYet("where the VM is was not seen");
      const reply = await observing.status(row.guest, signal);
      const status = reply.kind === "data" ? statusOf(reply.data, row.guest) : undefined;
      if (status?.kind !== "seen") return notYet("its state was not seen");
      return isSo(status.run, bootOf(row.guest.node, status.pid))
        ? { because: `${half}, and the VM is ${words}`, kind: "done" }
        : notYet(`the VM is not ${words}`);
    },
  );
};
