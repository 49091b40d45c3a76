// What is wrong with a record, a signed note or a proof, for whoever checks them elsewhere: the same closed causes with
// the same facts as our own verification has, and their words.

import { type FailureIn, failureText } from "../../spine/words/cause.ts";
import { PROOF_WORDS } from "../../spine/words/causes/engine-words.ts";

export type FlawSeen = FailureIn<typeof PROOF_WORDS>;

export const flawText = (flaw: FlawSeen): string => failureText(PROOF_WORDS, flaw);
