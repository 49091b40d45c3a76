// Whether people who were asked to approve a step must be asked again. Their answer may be gone by a record (it was
// withdrawn, or went with its token) or by what it is judged on: its end, the token's, a role, another explanation.
//
// Only a step that still waits is asked for again: of every other the answer stands for good. keeps P7-A2, B6
// Not here: whether an approval counts (agreement.ts), under which key is asked (boundary/mcp/derived-keys.ts).

import type { Instant, Sha256 } from "../../spine/model.ts";
import type { Approval, PlanState } from "../state/state.ts";
import type { StepProgress } from "./plan-status.ts";

/** A request for approval that was granted, by its record, and when that was. */
export type ApprovalAsked = { readonly at: Instant; readonly seq: number; readonly step: Sha256 };

export const isAskedInVain = (
  { approvals, waiting }: Pick<PlanState, "approvals" | "waiting">,
  asked: ApprovalAsked,
  { approvedBy, status }: Pick<StepProgress, "approvedBy" | "status">,
  now: Instant,
): boolean => {
  const { seq, step } = asked;
  if (!waiting.some((one) => one.step === step && one.since <= seq)) return true;
  if (status !== "awaiting-approval") return false;
  return approvals.some((one) => one.step === step && !approvedBy.includes(one.by) && isLostSince(one, asked, now));
};

/** One that counts no more: it was given since, or stood then and has ended. */
const isLostSince = ({ expiresAt, seq }: Approval, asked: ApprovalAsked, now: Instant): boolean =>
  seq > asked.seq || (asked.at < expiresAt && expiresAt <= now);
