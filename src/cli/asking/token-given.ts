// A token that is set and can be nobody's stops every command before it runs. keeps B2
//
// Apart from who asks (at-service.ts), because a command without a ledger loads nothing of the kernel.

import { readToken } from "../../config.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";

/** Undefined when no token is given, or one that somebody could have. */
export const checkToken = (): Refusal | undefined => {
  const given = readToken();
  return given.kind === "unusable" ? refuse("actor-unknown", { cause: given.cause }) : undefined;
};
