// A token that is set and can be nobody's stops every command before it runs. keeps B2
//
// Apart from callers.ts, because a command without a ledger loads nothing of the kernel.

import { tokenGiven } from "../config.ts";
import type { Refusal } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { TOKEN_GIVEN_WORDS } from "../spine/words/system-words.ts";

const NEXT = "Set DEDALUS_TOKEN to a whole token, or act as the operator of dedalus.yaml: unset DEDALUS_TOKEN";

export const nobodyBecause = (because: string): Refusal => refuse("actor-unknown", { because, next: NEXT });

/** Undefined when no token is given, or one that somebody could have. */
export const tokenRefusal = (): Refusal | undefined => {
  const given = tokenGiven();
  return given.kind === "unusable" ? nobodyBecause(TOKEN_GIVEN_WORDS[given.cause]) : undefined;
};
