// A call that left and whose answer was lost: what the node's own list of tasks says of it.
//
// What is found is of the same kind, on the same guest, by our own token, begun since the call, and the only one; its
// verdict is then waited for like any other. The search has a time of its own: the one in which the call might leave is
// over when an answer fails to come. PVE may take up a call after its proxy has given it up (596), so the list is read
// more than once. Nothing is sent again; there is no way to.

import { type Diagnostic, diagnostic } from "../../../spine/diagnostic-codes.ts";
import type { Instant } from "../../../spine/model.ts";
import type { Sent } from "../../actuator.ts";
import type { GuestRef, Upid } from "../api/names.ts";
import { secondsOfDate, secondsOfInstant } from "../api/provider-clock.ts";
import { callOf, type SentKind } from "../api/pve-calls.ts";
import type { PveReader } from "../api/pve-reader.ts";
import { whyNot } from "../api/pve-reply.ts";
import { tasksOf } from "../observe/task-list.ts";
import type { Sleep } from "./verdict.ts";

export type Lost = {
  readonly diagnostics: readonly Diagnostic[];
  readonly guest: GuestRef;
  /**
   * Answered: with an error after which there is no worker, which the list is asked to bear out. Late: time ran out,
   * here or inside PVE, so that the task may come later than the answer should have. Cut: anything else.
   */
  readonly how: "answered" | "cut" | "late";
  readonly kind: SentKind;
  readonly now: () => Instant;
  readonly reader: PveReader; // with the token that sent, because it sees its own tasks
  readonly sentAt: Instant;
  readonly sleep: Sleep;
  readonly tokenName: string;
};

/** Clocks of nodes may differ from ours by this much without our own task being overlooked. */
const CLOCKS_APART_MAX_S = 3600;
/** Both clocks tell whole seconds. */
const ROUNDING_S = 2;

/** On a real node a call was taken up 15 s after its proxy had given it up. */
export const SEARCHES = { answered: 1, cut: 2, late: 10 } as const satisfies Record<Lost["how"], number>;
const SEARCH_EVERY_MS = 3000;
export const SEARCH_MAX_MS = 60_000;

export const searchTasks = async (lost: Lost): Promise<Sent> => {
  const types = callOf(lost.kind).tasks[lost.guest.kind];
  const isAnswered = lost.how === "answered";
  if (types.length === 0 && isAnswered) return { diagnostics: lost.diagnostics, kind: "refused" };
  const unknown = (found: readonly Diagnostic[]): Sent => ({
    diagnostics: [...lost.diagnostics, ...found],
    kind: "unknown",
  });
  if (types.length === 0) return unknown([diagnostic("call-without-task")]);
  const signal = AbortSignal.timeout(SEARCH_MAX_MS);
  let last = await searchOnce(lost, types, signal);
  for (let asked = 1; asked < SEARCHES[lost.how] && !isOver(last); asked += 1) {
    await lost.sleep(SEARCH_EVERY_MS, signal);
    if (signal.aborted) break;
    last = await searchOnce(lost, types, signal);
  }
  if (last.kind === "one") {
    const diagnostics = [...lost.diagnostics, diagnostic("task-listed")];
    return { diagnostics, kind: "found", reference: last.upid };
  }
  return last.kind === "none" && isAnswered
    ? { diagnostics: lost.diagnostics, kind: "refused" }
    : unknown(last.diagnostics);
};

type Search =
  | { readonly kind: "one"; readonly upid: Upid }
  /** Perhaps not yet. */
  | { readonly kind: "none" | "unread"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "several"; readonly diagnostics: readonly Diagnostic[] };

const isOver = ({ kind }: Search): boolean => kind === "one" || kind === "several";

const unread = (...diagnostics: readonly Diagnostic[]): Search => ({ diagnostics, kind: "unread" });

const searchOnce = async (lost: Lost, types: readonly string[], signal: AbortSignal): Promise<Search> => {
  const { guest, now, reader, sentAt, tokenName } = lost;
  const sent = secondsOfInstant(sentAt);
  const reply = await reader.tasks(guest.node, guest.vmid, sent - CLOCKS_APART_MAX_S, signal);
  if (reply.kind !== "data") return unread(diagnostic("task-list-not-read"), whyNot(reply));
  const tasks = tasksOf(reply.data);
  if (tasks === undefined) return unread(diagnostic("task-list-unreadable"));
  const ago = secondsOfInstant(now()) - sent;
  const since = (secondsOfDate(reply.date) ?? sent + ago) - ago - ROUNDING_S;
  const ours = tasks.filter(
    ({ task }) =>
      types.includes(task.type) && task.vmid === guest.vmid && task.user === tokenName && task.startedAt >= since,
  );
  const [first] = ours;
  if (first === undefined) return { diagnostics: [diagnostic("task-not-listed")], kind: "none" };
  return ours.length === 1
    ? { kind: "one", upid: first.task.upid }
    : { diagnostics: [diagnostic("tasks-listed", { facts: { tasks: ours.length } })], kind: "several" };
};
