// A call that left and whose answer was lost: what the node's own list of tasks says of it.
//
// What is found is probably ours: the same kind of task, on the same guest, by our own token, begun since the call. It
// is named and believed no further. Nothing is sent again; there is no way to.

import type { Instant } from "../../spine/model.ts";
import type { Sent } from "../actuator.ts";
import { callOf, type SentKind } from "./calls.ts";
import type { Guest } from "./names.ts";
import { secondsOfDate, secondsOfInstant } from "./place-clock.ts";
import type { Reader } from "./reader.ts";
import { whyNot } from "./reply.ts";
import { tasksOf } from "./task-list.ts";

export type Lost = {
  readonly because: string;
  readonly guest: Guest;
  readonly kind: SentKind;
  readonly now: () => Instant;
  readonly reader: Reader; // with the token that sent, because it sees its own tasks
  readonly sentAt: Instant;
  readonly tokenName: string;
};

/** Clocks of nodes may differ from ours by this much without our own task being overlooked. */
const CLOCKS_APART_MAX_S = 3600;
/** Both clocks tell whole seconds. */
const ROUNDING_S = 2;

export const searched = async (lost: Lost, signal: AbortSignal): Promise<Sent> => {
  const { guest, kind, now, reader, sentAt, tokenName } = lost;
  const types = callOf(kind).tasks[guest.kind];
  const unknown = (found: string): Sent => ({ because: `${lost.because}; ${found}`, kind: "unknown" });
  if (types.length === 0) return unknown("PVE keeps no task of such a call");
  const sent = secondsOfInstant(sentAt);
  const reply = await reader.tasks(guest.node, guest.vmid, sent - CLOCKS_APART_MAX_S, signal);
  if (reply.kind !== "data") return unknown(`the node's list of tasks was not read: ${whyNot(reply)}`);
  const tasks = tasksOf(reply.data);
  if (tasks === undefined) return unknown("the node's list of tasks cannot be read");
  const ago = secondsOfInstant(now()) - sent;
  const since = (secondsOfDate(reply.date) ?? sent + ago) - ago - ROUNDING_S;
  const ours = tasks.filter(
    ({ task }) =>
      types.includes(task.type) && task.vmid === guest.vmid && task.user === tokenName && task.startedAt >= since,
  );
  const [first] = ours;
  if (first === undefined) return unknown("the node lists no such task of ours");
  if (ours.length > 1) return unknown(`the node lists ${ours.length} such tasks of ours`);
  return {
    because: `${lost.because}; the node lists a task that is probably ours`,
    kind: "unknown",
    reference: first.task.upid,
  };
};
