// Next steps as lines: each a command that can be pasted, on a line of its own. How it is spelled comes with the reader
// (../spell.ts), so that no view knows a command by name.

import type { Refusal } from "../../spine/model.ts";
import type { Asked, NextStep } from "../../spine/rules/askable.ts";
import { nextStepsOf, type Where } from "../../spine/rules/next-steps.ts";
import type { TextStyle } from "./text-style.ts";

/** `server` is where somebody else asks it, who has no configuration here. */
export type Spell = (step: NextStep, at?: { readonly config?: string; readonly server?: string }) => string;

/** Without an indent, which is the caller's. Nobody is sent to what they are reading (`but`). */
export const nextStepLines = (refusal: Refusal, style: TextStyle, where?: Where, but?: Asked): readonly string[] =>
  nextStepsOf(refusal, where)
    .filter(({ ask }) => ask !== but)
    .map((step) => style.dim(style.command(step)));
