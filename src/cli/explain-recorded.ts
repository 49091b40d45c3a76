// dedalus explain ID: one step of a recorded plan, as whoever agrees to it must have read it, and who must still agree.

import { now } from "../clock.ts";
import { explanationOf } from "../kernel/decide-agreement.ts";
import type { Run } from "./command.ts";
import { termsOf } from "./config-file.ts";
import { badInput } from "./failure.ts";
import { reading } from "./plans.ts";
import { chosenStep, recordedPlan } from "./recorded.ts";
import { kernelRefused } from "./session.ts";
import { explanationLines } from "./view-plan.ts";
import { standingLines, standingsOf } from "./view-standing.ts";

/** What is not configured any more is shown as it would be judged most strictly. */
const FOUR_EYES = { approval: "four-eyes" } as const;

export const run: Run = (given, io) =>
  reading(given, io, async (state, { engine }, desk, actor) => {
    const found = await recordedPlan(engine, state, given.positionals[0] ?? "");
    if ("code" in found) return kernelRefused([found]);
    const of = chosenStep(found, given.text.get("step"));
    if ("code" in of) return badInput([of]);
    const explanation = explanationOf(found.planState, of.step);
    const environment = desk.config.environments.get(found.planState.environment) ?? FOUR_EYES;
    const terms = termsOf(desk, found.planState.environment, environment);
    const standings = standingsOf(state, found, now(), terms, actor).filter(({ step }) => step === of.index + 1);
    const tier = standings[0]?.tier;
    return {
      exit: "done",
      json: { ...explanation, standing: standings[0], ...(tier === undefined ? {} : { tier }) },
      text: (paint) => [
        ...explanationLines(explanation, tier, paint),
        ...standingLines(found.planState.id, standings, paint),
      ],
    };
  });
