// What waits for approval, and of each step what the kernel would answer the reader's yes and no: all of one head.
//
// Nothing is decided by it: a step is judged again on its own page, and when somebody presses there.

import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { type ReadAnswer, read } from "../ask/get.ts";
import { type MovedOn, readTogether } from "../ask/read-together.ts";

type Status = AnswerBodies["status"];
type Reviewed = AnswerBodies["review"];

export type WaitingRow = Status["waiting"][number] & {
  /** Absent where it was not asked for, or not answered. */
  readonly reviewed?: Pick<Reviewed, "againstApproval" | "againstDenial" | "uncounted">;
};
export type ApprovalsLoaded = { readonly at: string; readonly rows: readonly WaitingRow[] };

/** Each is a request of its own; of a longer queue the rest is told on the page of each step. */
const REVIEWED_MAX = 60;
const AT_ONCE = 6;

export const loadApprovals = async (signal: AbortSignal): Promise<MovedOn | ReadAnswer<ApprovalsLoaded>> => {
  const heard = await readTogether(async () => {
    const status = await read("status", {}, signal);
    const waiting = status.kind === "read" ? status.value.waiting.slice(0, REVIEWED_MAX) : [];
    return [status, ...(await reviewAll(waiting, signal))] as const;
  });
  if ("kind" in heard) return heard;
  const [status, ...reviews] = heard;
  if (status.kind !== "read") return status;
  const rows = status.value.waiting.map((one, at): WaitingRow => {
    const review = reviews[at];
    return review?.kind === "read" ? { ...one, reviewed: review.value } : one;
  });
  return { ...status, value: { at: status.value.at, rows } };
};

const reviewAll = async (waiting: Status["waiting"], signal: AbortSignal): Promise<readonly ReadAnswer<Reviewed>[]> => {
  const reviews: ReadAnswer<Reviewed>[] = [];
  for (let at = 0; at < waiting.length; at += AT_ONCE) {
    const some = waiting.slice(at, at + AT_ONCE);
    const asked = some.map(({ planId: plan, step: number }) => read("review", { plan, step: { number } }, signal));
    reviews.push(...(await Promise.all(asked)));
  }
  return reviews;
};
