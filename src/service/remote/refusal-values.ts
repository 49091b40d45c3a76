// Refusals as they were before they were printed (service/json/error-json.ts), for the views of whoever asked.
//
// Codes, causes and facts are enough: this program renders its own words. A code that it does not know comes from a
// newer service; then the service's own sentence is shown, and what was executed stays as it was told.

import type { ProblemJson } from "../../boundary/contract/problem-json.ts";
import type { Problem } from "../../formats/problem.ts";
import type { Refusal } from "../../spine/model.ts";
import type { Gap } from "../../spine/observed-codes.ts";
import type { Where } from "../../spine/rules/next-steps.ts";
import { isRefusalCode, refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { shownText } from "../../spine/values/shown-text.ts";
import type { RefusedAnswer } from "../answer.ts";
import type { ErrorJson, RefusalJson, UnansweredJson } from "../json/error-json.ts";

export const refusalFrom = (told: RefusalJson, server: string): Refusal | Problem => {
  const { cause, code, facts, position: at, rule, stage, text, vmid } = told;
  if (!isRefusalCode(code)) {
    const said = shownText(text.detail);
    return refuse("server-answer", { cause: "code-unknown", facts: { code: shownText(code), said, server } });
  }
  return { ...present({ cause }), code, facts, kind: "refusal", rule, stage, ...present({ at, vmid }) };
};

/** What the asker was about is the same for all of one answer. */
export const whereFrom = (refusals: readonly RefusalJson[]): Where | undefined => refusals[0]?.about;

export const gapFrom = (unanswered: UnansweredJson | undefined): Gap | undefined => {
  if (unanswered === undefined) return undefined;
  const { detail: _, ...gap } = unanswered;
  return gap;
};

type Told = Pick<ProblemJson, "beside" | "domain" | "outcome" | "refusals" | "unanswered">;

export const refusedFrom = (problem: Told, server: string, isReplayed = false): RefusedAnswer => {
  const { beside, domain, outcome, refusals, unanswered } = problem;
  return {
    ...present({ beside: beside?.map((one) => besideFrom(one, server)), unanswered: gapFrom(unanswered) }),
    // A person at this side interrupts; no service does.
    domain: domain === "interrupted" ? "internal" : domain,
    kind: "refused",
    outcome,
    refusals: refusals.map((one) => refusalFrom(one, server)),
    ...(isReplayed ? { replayed: true } : {}),
    ...present({ where: whereFrom(refusals) }),
  };
};

export const besideFrom = ({ error }: ErrorJson, server: string): RefusedAnswer => refusedFrom(error, server);
