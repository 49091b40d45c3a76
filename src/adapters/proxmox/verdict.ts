// PVE's own verdict on a task, waited for where the task runs. It only reads.
//
// "WARNINGS: n" is done. An error is failed only where it proves that nothing happened; a shutdown that timed out is
// unknown, because the guest was asked and may still obey. A task of the HA manager is only a request: its OK is
// followed by waiting for the state itself. A verdict that is lost stays lost.

import { isObject } from "../../formats/json-shape.ts";
import type { Action, Vmid } from "../../spine/model.ts";
import type { ProviderVerdict } from "../actuator.ts";
import { REQUESTS } from "./calls.ts";
import type { Task } from "./names.ts";
import { errorProvesNothing } from "./proofs.ts";
import type { Reader } from "./reader.ts";
import { type Reply, whyNot } from "./reply.ts";
import { statusOf } from "./run-state.ts";
import { shownText } from "./shown.ts";
import { textOf } from "./values.ts";
import { whereaboutsOf } from "./whereabouts.ts";

/** Resolves when the time is over or the signal aborts, and never rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export type Waiting = {
  readonly looking: Reader; // sees every guest
  readonly own: Reader; // sees the tasks of the token that sent
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
};

const POLL_MS = 1000;

const unknown = (because: string): ProviderVerdict => ({ because, kind: "unknown" });

/** Asks until there is something to say; undefined means not yet. */
const polled = async (
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

export const taskVerdict = async (task: Task, action: Action, waiting: Waiting): Promise<ProviderVerdict> => {
  const verdict = await polled(
    waiting,
    (last) => `no verdict came in time; the last that was heard: ${last}`,
    async () => verdictIn(await waiting.own.task(task, waiting.signal), task),
  );
  if (verdict.kind !== "done" || !REQUESTS.includes(task.type) || task.vmid === undefined) return verdict;
  return stateVerdict(task.vmid, action.kind === "vm.start" ? "running" : "stopped", waiting);
};

const verdictIn = (reply: Reply, task: Task): ReturnType<typeof notYet> | ProviderVerdict => {
  if (reply.kind === "none" || reply.kind === "unreadable") return notYet(reply.because);
  if (reply.kind === "refused") {
    return reply.status >= 590 ? notYet(whyNot(reply)) : unknown(`PVE does not tell of the task: ${whyNot(reply)}`);
  }
  const { data } = reply;
  if (!isObject(data)) return unknown("PVE's answer about the task is not readable");
  if (data["status"] === "running") return notYet("the task runs");
  const exit = textOf(data["exitstatus"]);
  if (data["status"] !== "stopped" || exit === undefined) return unknown("the task ended without a verdict");
  return judged(exit, task);
};

const LOST = /^(?:unexpected status|unable to get last line|unable to read)/;

const judged = (exit: string, { type }: Task): ProviderVerdict => {
  const text = shownText(exit);
  if (exit === "OK") return { because: "the task ended OK", kind: "done" };
  if (/^WARNINGS: \d+$/.test(exit)) return { because: `the task ended with ${text}`, kind: "done" };
  if (LOST.test(exit)) return unknown(`the task's verdict is lost (${text})`);
  return errorProvesNothing(type, exit)
    ? { because: `PVE did nothing: ${text}`, kind: "failed" }
    : unknown(`the task ended with an error, and how far it came is not proven: ${text}`);
};

const stateVerdict = (vmid: Vmid, wanted: "running" | "stopped", waiting: Waiting): Promise<ProviderVerdict> =>
  polled(
    waiting,
    (last) => `the HA manager took the request and has not carried it out; ${last}`,
    async () => {
      const { looking, signal } = waiting;
      const list = await looking.resources(signal);
      const where = list.kind === "data" ? whereaboutsOf(list.data) : undefined;
      const row = where?.kind === "list" ? where.rows.get(vmid) : undefined;
      if (row?.kind !== "at") return notYet("where the VM is was not seen");
      const reply = await looking.status(row.guest, signal);
      const status = reply.kind === "data" ? statusOf(reply.data, row.guest) : undefined;
      if (status?.kind !== "seen") return notYet("its state was not seen");
      const isSo = (status.run.kind === "stopped") === (wanted === "stopped");
      return isSo
        ? { because: `the HA manager took the request, and the VM is ${wanted}`, kind: "done" }
        : notYet(`the VM is not ${wanted}`);
    },
  );
