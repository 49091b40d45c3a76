// What is refused, as a problem document (RFC 9457): what `--json` says of it, with a status, and what binds its
// records together.
//
// Programs read `code`, `cause` and `facts` of each refusal; `title` and `detail` are the first one's words. Not
// here: which status a code has (statuses.ts).

import type { RefusedAnswer } from "../../service/answer.ts";
import {
  type ErrorJson,
  errorJson,
  type RefusalJson,
  type UnansweredJson,
  unansweredJson,
} from "../../service/json/error-json.ts";
import { present } from "../../spine/values/present.ts";
import { STATUS_OF_BUG, statusOfAnswer } from "./statuses.ts";

export const PROBLEM_TYPE = "application/problem+json";

export type ProblemJson = Omit<ErrorJson["error"], "message"> & {
  /** What else went wrong, and changes nothing of the rest. */
  readonly beside?: readonly ErrorJson[];
  readonly correlationId: string;
  readonly detail: string;
  readonly status: number;
  readonly title: string;
  /** The code of the first refusal, as a name that is nobody's address. */
  readonly type: string;
  /** Why the provider was not seen at all: everything there is unknown. */
  readonly unanswered?: UnansweredJson;
};

const typeOf = (first: RefusalJson | undefined): string => `urn:dedalus:problem:${first?.code ?? "internal"}`;

export const problemJson = (answer: RefusedAnswer, correlationId: string): ProblemJson => {
  const { error } = errorJson(answer);
  const [first] = error.refusals;
  const { beside, unanswered } = answer;
  return {
    ...error,
    ...present({ beside: beside?.map(errorJson) }),
    correlationId,
    detail: first?.text.detail ?? "",
    status: statusOfAnswer(answer),
    title: first?.text.summary ?? "",
    type: typeOf(first),
    ...present({ unanswered: unanswered === undefined ? undefined : unansweredJson(unanswered) }),
  };
};

/** Nothing of the exception is in it: whoever runs the service finds that in the log, under the correlation id. */
export const bugProblem = (correlationId: string): ProblemJson => ({
  correlationId,
  detail: "Something went wrong inside Dedalus. The log of the service has it under this correlation id.",
  domain: "internal",
  outcome: "unknown",
  refusals: [],
  status: STATUS_OF_BUG,
  title: "Internal error",
  type: typeOf(undefined),
});
