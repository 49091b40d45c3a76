// The outcome of a command that could not do what it was asked: refusals, and how far it had come.
//
// The words of every refusal are loaded when there is one to tell: a command that succeeds needs none of them.

import type { Problem } from "../formats/problem.ts";
import type { Execution } from "../service/answer.ts";
import type { Domain } from "../service/domains.ts";
import type { WhereOf } from "../service/json/error-json.ts";
import type { Refusal } from "../spine/model.ts";
import { present } from "../spine/values/present.ts";
import type { Exit } from "./exit-codes.ts";
import type { Outcome } from "./outcome.ts";

type Refusals = readonly (Refusal | Problem)[];

export const failed = async (
  exit: Exit,
  domain: Domain,
  refusals: Refusals,
  { outcome = "not_executed", where }: { readonly outcome?: Execution; readonly where?: WhereOf | undefined } = {},
): Promise<Outcome> => {
  const [{ errorJson }, { leadingNowhere }, { refusalLines, usageLines }, same] = await Promise.all([
    import("../service/json/error-json.ts"),
    import("../spine/rules/next-steps.ts"),
    import("./views/view-refusal.ts"),
    import("./views/same-problems.ts"),
  ]);
  const { alsoLines, toldOnce, toldTogether } = same;
  const isUsage = (refusal: Refusal | Problem): boolean => exit === "input" && !("at" in refusal);
  return {
    exit,
    json: errorJson({ domain, outcome, refusals, ...present({ where }) }),
    text: (style) => {
      const nowhere = leadingNowhere(refusals);
      const blocks = toldOnce(refusals.filter((refusal) => !nowhere.has(refusal))).map(({ also, refusal }) => {
        const at = typeof where === "function" ? where(refusal) : where;
        if (isUsage(refusal)) return usageLines(refusal, style, at);
        const [cause = "", ...rest] = refusalLines(refusal, style, { where: at });
        return [cause, ...alsoLines(also), ...rest];
      });
      return refusals.every(isUsage) ? toldTogether(blocks) : blocks.flat();
    },
  };
};

export const badInput = (refusals: Refusals): Promise<Outcome> => failed("input", "input", refusals);

/** Fields of a request that are no option of the same name here. */
const ARGUMENTS: Readonly<Record<string, string>> = { confirmation: "--confirm", vms: "VM" };

/** The service names the field that it did not understand; here that is an option or an argument. */
export const atOption = <R extends Refusal>(refusal: R): R => {
  const { argument: field } = refusal.facts;
  if (refusal.code !== "usage" || typeof field !== "string") return refusal;
  return { ...refusal, facts: { ...refusal.facts, argument: ARGUMENTS[field] ?? `--${field}` } };
};

/** Of a provider that was not observed, beside whatever else there is to tell. */
export const loadUnansweredLines = async () => (await import("./views/view-unanswered.ts")).unansweredLines;
