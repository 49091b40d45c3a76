// dedalus explain ID: one step of a recorded plan, as whoever agrees to it must have read it, and who must still agree.
//
// With --challenge what is shown is recorded as shown to the caller, and the hash of it confirms the step once, within
// five minutes: the confirmation of scripts.

import { now } from "../../clock.ts";
import type { StepRef } from "../../kernel/command/request.ts";
import type { ResultOf } from "../../kernel/command/result.ts";
import { explanationOf } from "../../kernel/decide/agree.ts";
import { stepsOf } from "../../kernel/decide/step-ref.ts";
import type { State } from "../../kernel/state/state.ts";
import type { Engine } from "../../ledger/engine.ts";
import type { Actor, Ulid } from "../../ledger/record/record.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { explanationInWords } from "../../spine/words/explanation-in-words.ts";
import type { Arguments, Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { type Configured, termsOf } from "../find-config.ts";
import type { Outcome } from "../outcome.ts";
import { chosenStep, entryHashes, type RecordedPlan, recordedPlan, registeredNow } from "../recorded.ts";
import { inSession, kernelRefused } from "../session.ts";
import { explanationLines } from "../views/view-plan.ts";
import { standingLines, standingsOf } from "../views/view-standing.ts";
import { reading } from "./plans.ts";

/** What is not configured any more is shown as it would be judged most strictly. */
const FOUR_EYES = { approval: "four-eyes" } as const;

export const run: Run = (given, io) =>
  given.flags.has("challenge")
    ? inSession(given, io, async ({ ask, desk, kernel, ledger, writer }) => {
        const chosen = await stepIn(ledger.engine, writer.state(), given);
        if ("exit" in chosen) return chosen;
        const { found, of } = chosen;
        const { environment } = found.planState;
        const registered = await registeredNow({ ledger, writer }, environment, of.step.vmid);
        const asked = await ask({ kind: "challenge", of, ...registered }, { environment });
        if (asked.kind === "refused") return asked.outcome;
        if (asked.result.kind !== "challenged") throw new Error("a challenge that is granted has an explanation");
        const challenge = { ...asked.result, id: asked.record.auditId };
        return explained(ledger.engine, writer.state(), chosen, desk, kernel.actor, challenge);
      })
    : reading(given, io, async (state, { engine }, desk, actor) => {
        const chosen = await stepIn(engine, state, given);
        return "exit" in chosen ? chosen : explained(engine, state, chosen, desk, actor);
      });

type Chosen = { readonly found: RecordedPlan; readonly of: StepRef };

const stepIn = async (engine: Engine, state: State, given: Arguments): Promise<Chosen | Outcome> => {
  const found = await recordedPlan(engine, state, given.positionals[0] ?? "");
  if ("code" in found) return kernelRefused([found]);
  const of = stepNamed(found, given);
  return "code" in of ? badInput([of]) : { found, of };
};

/** By its number or by its VM; a VM without a step is not answered with another one's. */
const stepNamed = (found: RecordedPlan, given: Arguments): StepRef | Refusal => {
  const [step, vm] = [given.text.get("step"), given.text.get("vm")];
  if (vm === undefined) return chosenStep(found, step);
  if (step !== undefined)
    return refuse("usage", { because: "--vm and --step both name a step; one of them is enough" });
  const at = stepsOf(found.plan).findIndex(({ vmid }) => String(vmid) === vm);
  return at < 0
    ? refuse("usage", {
        because: `VM ${vm} has no step in this plan`,
        next: `See what it answers for each VM: dedalus plan show ${found.planState.id}`,
      })
    : chosenStep(found, String(at + 1));
};

type Challenge = ResultOf<"challenged"> & { readonly id: Ulid };

const explained = async (
  engine: Engine,
  state: State,
  { found, of }: Chosen,
  desk: Configured,
  actor: Actor,
  challenge?: Challenge,
): Promise<Outcome> => {
  const { planState } = found;
  const explanation = explanationOf(state, planState, of.step);
  const { environment: name } = planState;
  const environment = desk.config.environments.get(name) ?? FOUR_EYES;
  const terms = { ...termsOf(desk, name, environment), entryOf: await entryHashes(engine, state, name) };
  const standings = standingsOf(state, found, now(), terms, actor).filter(({ step }) => step === of.index + 1);
  const tier = standings[0]?.tier;
  return {
    exit: "done",
    json: {
      ...explanation,
      text: explanationInWords(explanation),
      standing: standings[0],
      ...(tier === undefined ? {} : { tier }),
      ...(challenge === undefined ? {} : { challenge: challengeJson(challenge) }),
    },
    text: (paint) => [
      ...explanationLines(explanation, standings[0]?.agreements, paint),
      ...standingLines(planState.id, standings, paint),
      ...(challenge === undefined ? [] : challengeLines(challenge, of)),
    ],
  };
};

const challengeJson = ({ expiresAt, explanation, id, typedName }: Challenge) => ({
  expiresAt,
  hash: explanation,
  id,
  typedName,
});

const challengeLines = (
  { expiresAt, explanation, typedName }: Challenge,
  { index, plan }: StepRef,
): readonly string[] => [
  `challenge recorded; confirm once, until ${expiresAt}:`,
  `  dedalus apply ${plan} --step ${index + 1} --confirm ${explanation}${typedName ? " --name NAME" : ""}`,
];
