// A step as --step and --vm name it; what is no number names none, and the service says which there are.

import type { StepNamed } from "../../service/read/recorded.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Arguments } from "../command.ts";

/** A step that no plan has. */
const NO_STEP = Number.MAX_SAFE_INTEGER;

/** The first one where none is named. */
export const stepNumbered = (word: string | undefined): StepNamed => ({
  number: /^[1-9][0-9]{0,14}$/.test(word ?? "1") ? Number(word ?? "1") : NO_STEP,
});

/** By its number or by its VM. */
export const stepNamed = ({ text }: Arguments): StepNamed | Refusal => {
  const [step, vm] = [text.get("step"), text.get("vm")];
  if (vm === undefined) return stepNumbered(step);
  return step === undefined
    ? { vmid: vm }
    : refuse("usage", { cause: "not-together", facts: { argument: "--vm", other: "--step" } });
};
