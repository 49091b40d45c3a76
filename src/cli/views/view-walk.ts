// A walk over the steps of a plan, as text for people: where a step stands, what came of it, and how the walk goes on.

import type { ApplyStage, StepApplied } from "../../service/act/perform-step.ts";
import { actionText } from "../../spine/rules/action-text.ts";
import { outcomeText } from "../../spine/words/steps/outcome-words.ts";
import { counted } from "./counted.ts";
import { outcomeSign } from "./signs.ts";
import type { TextStyle } from "./text-style.ts";

type Lines = readonly string[];
type AtStep = { readonly number: number; readonly steps: number; readonly vmid: number | undefined };

const STAGE_WORDS: Readonly<Record<ApplyStage, string>> = {
  anchor: "recording the intent",
  check: "checking",
  conclude: "recording the outcome",
  dispatched: "recording the call",
  done: "done",
  observe: "observing the VM again",
  "observe-after": "observing what came of it",
  send: "calling the provider",
  verdict: "waiting for the provider",
};
export const stageText = ({ number, steps, vmid }: AtStep, stage: ApplyStage): string =>
  `${number}/${steps}  VM ${vmid}: ${STAGE_WORDS[stage]}`;

/** `reconcile` is the command that ends what nobody waited for. */
export const underwayText = ({ number, vmid }: AtStep, reconcile: string): string =>
  `step ${number} (VM ${vmid}) is under way; waiting for its outcome. Ctrl-C again leaves it to: ${reconcile}`;
export const leftUnderwayText = ({ number, vmid }: AtStep, reconcile: string): string =>
  `left step ${number} (VM ${vmid}) under way: it counts as unknown until: ${reconcile}`;

export const ALL_TRIED = "every step of this plan has been tried";
export const INTERRUPTED_LINE = "interrupted: no further step was tried";

export const appliedLines = (applied: readonly StepApplied[], style: TextStyle): Lines =>
  applied.flatMap(({ file, intent, recorded, step }) => [
    `${outcomeSign(file.outcome, file.action, style)} step ${step}: VM ${file.vmid} ${actionText(file.action)} ${file.outcome}: ${outcomeText(file)}`,
    `  intent ${intent}${file.reference === undefined ? "" : `, ${file.reference}`}`,
    ...(recorded ? [] : ["  the outcome could not be recorded; it counts as unknown"]),
    ...(file.outcome === "unknown"
      ? [
          "  the VM is blocked until it is reconciled:",
          `    ${style.command({ ask: "reconcile", with: { environment: file.environment, vmid: file.vmid } })}`,
        ]
      : []),
  ]);

/** How far a walk came. */
export type WalkLength = { readonly skipped: readonly number[]; readonly steps: number; readonly tried: number };

const skippedText = (skipped: readonly number[]): string =>
  skipped.length === 0 ? "" : `; skipped: ${skipped.join(", ")}`;

export const triedLines = ({ skipped, steps, tried }: WalkLength): Lines =>
  steps === 1 ? [] : [`${tried} of ${steps} steps tried by this command${skippedText(skipped)}`];

const again = (plan: string, { command }: TextStyle): string => `  ${command({ ask: "apply", with: { plan } })}`;

/** `skipped` are some of the steps, or all that there were to ask about. */
export const allSkippedLines = (plan: string, skipped: readonly number[] | "every", style: TextStyle): Lines => [
  `${skipped === "every" ? "every step was skipped" : `skipped: ${skipped.join(", ")}`}; nothing was executed. To be asked again:`,
  again(plan, style),
];

export const leftLines = (
  plan: string,
  how: "interrupted" | "stopped",
  { skipped, steps, tried }: WalkLength,
  style: TextStyle,
): Lines => [
  `${how} after ${tried} of ${counted(steps, "step")}${skippedText(skipped)}; to continue:`,
  again(plan, style),
];
