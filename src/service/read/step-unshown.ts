// A step that nobody was shown, as far as the caller sees: one of another environment is none.

import { refuse } from "../../spine/rules/refusals.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";

export const refuseUnshown = (plan: string): RefusedAnswer =>
  refusedInput([refuse("usage", { cause: "step-not-shown", facts: { plan } })]);
