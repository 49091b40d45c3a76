// The refusal of a word that is not the name of an environment variable. What was written instead may be the secret
// itself, so it is not shown. keeps B5

import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";

export const notAVariable = (argument: string): Refusal =>
  refuse("usage", { cause: "not-a-variable", facts: { argument } });
