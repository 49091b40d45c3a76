// What a door prints where there is no answer, or not the whole of one: `{ "error": … }`, the same at a command line
// and over HTTP. Codes and facts for programs; the sentences for people stand beside them.
//
// Pure, and the only place that has this shape; schemas/answer.schema.json describes it. Not here: exit codes and HTTP
// statuses, which each door makes of a domain; what a success looks like (the other files here).

import type { Problem, SourcePosition } from "../../formats/problem.ts";
import type { Refusal } from "../../spine/model.ts";
import type { Gap } from "../../spine/observed-codes.ts";
import type { NextStep } from "../../spine/rules/askable.ts";
import { leadingNowhere, nextStepsOf, type Where } from "../../spine/rules/next-steps.ts";
import { present } from "../../spine/values/present.ts";
import { gapText } from "../../spine/words/causes/observation-words.ts";
import { type Catalogued, inWords, type SpokenRefusal } from "../../spine/words/refusals/refusal-words.ts";
import type { Execution, RefusedAnswer } from "../answer.ts";
import type { Domain } from "../domains.ts";

export type RefusalJson = Omit<Refusal, "kind"> & {
  /** What the asker was about, where that is known beside the facts. */
  readonly about?: Where;
  /** What can be asked for next, for a door to spell. */
  readonly nextSteps?: readonly NextStep[];
  /** Where in a file, for what is wrong with one. */
  readonly position?: SourcePosition;
  readonly text: RefusalText;
};

/** For people: `detail` says what is special about this case, the others hold for every case of the code. */
export type RefusalText = Omit<SpokenRefusal, "because"> & { readonly detail: string };

export type ErrorJson = {
  readonly error: {
    readonly domain: Domain | "interrupted";
    /** Of a bug alone: what the exception said. */
    readonly message?: string;
    readonly outcome: Execution;
    readonly refusals: readonly RefusalJson[];
  };
};

export type UnansweredJson = Gap & { readonly detail: string };

export const textJson = ({ because: detail, next, summary, why }: SpokenRefusal): RefusalText => ({
  detail,
  next,
  summary,
  ...present({ why }),
});

/** `words` are an adapter's own, where it has some. */
export const refusalJson = (refusal: Refusal | Problem, words?: Catalogued, where?: Where): RefusalJson => {
  const { cause, code, facts, rule, stage, vmid } = refusal;
  const position = "at" in refusal ? refusal.at : undefined;
  const text = textJson(inWords(refusal, words));
  const steps = nextStepsOf(refusal, where);
  const nextSteps = steps.length === 0 ? undefined : steps;
  const about = where !== undefined && Object.keys(where).length > 0 ? where : undefined;
  return {
    ...present({ about }),
    ...present({ cause }),
    code,
    facts,
    ...present({ nextSteps, position }),
    rule,
    stage,
    text,
    ...present({ vmid }),
  };
};

/** All that stands against one thing: what leads nowhere beside the others is told without a next step. */
export const refusalsJson = (refusals: readonly (Refusal | Problem)[], where?: WhereOf): readonly RefusalJson[] => {
  const nowhere = leadingNowhere(refusals);
  return refusals.map((refusal) => {
    const told = refusalJson(refusal, undefined, typeof where === "function" ? where(refusal) : where);
    if (!nowhere.has(refusal)) return told;
    const { nextSteps: _, ...bare } = told;
    return bare;
  });
};

/** What the asker was about: the same for every refusal, or for each its own. */
export type WhereOf = Where | ((refusal: Refusal) => Where | undefined);

export const errorJson = ({
  domain,
  outcome,
  refusals,
  where,
}: Pick<RefusedAnswer, "domain" | "outcome" | "refusals"> & { readonly where?: WhereOf }): ErrorJson => ({
  error: { domain, outcome, refusals: refusalsJson(refusals, where) },
});

export const unansweredJson = (gap: Gap): UnansweredJson => ({ ...gap, detail: gapText(gap) });
