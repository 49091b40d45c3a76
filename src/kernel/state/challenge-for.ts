// Which recorded challenge a hash answers: the caller's own, of this step and this text. For doors; whether it still
// holds is judged when it is used (decide/apply-step.ts).

import type { Ulid } from "../../ledger/record/record.ts";
import type { Sha256 } from "../../spine/model.ts";
import type { StepRef } from "../command/request.ts";
import { recentEntries } from "./recent.ts";
import type { State } from "./state.ts";

/** The youngest that was not used; undefined when there is none. */
export const challengeFor = ({ challenges }: State, by: string, of: StepRef, explanation: Sha256): Ulid | undefined =>
  Array.from(recentEntries(challenges), ([, one]) => one)
    .filter(
      (one) =>
        one.by === by &&
        one.instance === undefined &&
        one.plan === of.plan &&
        one.index === of.index &&
        one.step === of.step.hash &&
        one.explanation === explanation,
    )
    .map(({ id }) => id)
    .sort()
    .at(-1);
