// explain(): one answer of a plan as facts, effect, and the rules that were weighed with their evidence.
//
// One object for every view, with a hash to confirm against; it states facts and proposes nothing. keeps P7-D1
// Who must still agree depends on records, is shown beside it, and is not hashed.

import type { Answer, Explanation, Facts, Instant, Plan, PlanStep, Refusal, Verdict, Vmid } from "../model.ts";
import { rowOf } from "../rules/actions.ts";
import { sha256 } from "../values/hash.ts";
import { becauseOf, inWords } from "../words/refusal-words.ts";
import { bytesText } from "../words/template.ts";
import { STEP_FACTS } from "./facts.ts";
import { ROLLBACK_EFFECT } from "./rollback.ts";

type Weighed = Explanation["rules"][number];
/** What of a plan an explanation speaks of. */
export type PlanOutline = Pick<Plan, "environment" | "hash" | "look"> & {
  /** The last time that somebody said no to this action on this VM, in whichever plan. */
  readonly denied?: { readonly at: Instant; readonly by: string; readonly id: string; readonly reason: string };
};
type Account = Pick<Explanation, "effect" | "facts" | "rules" | "undo">;

/** Undefined when the plan has no answer for this VM. */
export const explain = (plan: Plan, verdict: Verdict, vmid: Vmid): Explanation | undefined => {
  const answer = plan.answers.find((candidate) => candidate.vmid === vmid);
  return answer === undefined ? undefined : explainAnswer(plan, verdict, answer, vmid);
};

export const explainAnswer = (plan: PlanOutline, verdict: Verdict, answer: Answer, vmid: Vmid): Explanation => {
  const { effect, facts, rules, undo } = accountOf(plan, verdict, answer);
  const of = plan.hash;
  // A member that is undefined is left out of the text.
  const step = answer.kind === "step" ? answer.hash : undefined;
  const hash = sha256(JSON.stringify({ answer: answer.kind, effect, facts, plan: of, rules, step, undo, vmid }));
  const explained = { answer: answer.kind, effect, facts, hash, plan: of, rules };
  return step === undefined ? { ...explained, undo, vmid } : { ...explained, step, undo, vmid };
};

const accountOf = (plan: PlanOutline, verdict: Verdict, answer: Answer): Account => {
  const shared = [`environment: ${plan.environment}`, `observation: ${plan.look.complete ? "complete" : "incomplete"}`];
  switch (answer.kind) {
    case "settled":
      return {
        effect: "Nothing: the VM is as it should be.",
        facts: shared,
        rules: [
          weighed("N1", true, "everything that the wish names was seen"),
          weighed("N8", true, "the name is as written"),
        ],
        undo: "There is nothing to undo.",
      };
    case "refusal":
      return {
        effect: "Nothing: this VM gets no step.",
        facts: [...shared, ...factTexts(answer.facts)],
        rules: [weighed(answer.rule, false, `${inWords(answer).because} (${answer.code}). ${inWords(answer).next}`)],
        undo: "There is nothing to undo.",
      };
    case "step":
      return {
        effect: effectOf(answer, verdict),
        facts: [
          ...shared,
          `VM: ${vmText(answer)}`,
          `action: ${answer.action.kind}`,
          `reason: ${answer.reason}`,
          `power: ${answer.power}`,
          ...factTexts(answer.facts),
          ...deniedTexts(plan),
        ],
        rules: rulesOf(plan, verdict, answer),
        undo: rowOf(answer.action.kind).undoText,
      };
  }
};

const deniedTexts = ({ denied }: PlanOutline): readonly string[] =>
  denied === undefined ? [] : [`last denied: by ${denied.by} at ${denied.at}: ${denied.reason} (record ${denied.id})`];

const vmText = ({ name, vmid }: PlanStep): string => `${vmid} ${name}`;

const effectOf = (step: PlanStep, verdict: Verdict): string => {
  if (verdict.kind === "refused") return "Nothing: the plan is refused.";
  const { effect } = rowOf(step.action.kind);
  if (step.action.kind === "vm.snapshot.rollback") return `${effect} ${ROLLBACK_EFFECT[step.power]}`;
  return step.applies === "now" ? effect : `${effect} They stay pending until restart, and nothing is restarted.`;
};

const weighed = (rule: Weighed["rule"], held: boolean, evidence: string): Weighed => ({ evidence, held, rule });

/** The rules a step is weighed under: held ones with what was seen, broken ones with the verdict's own words. */
const rulesOf = (plan: PlanOutline, verdict: Verdict, step: PlanStep): readonly Weighed[] => {
  if (verdict.kind !== "refused") return evidenceOf(plan, step);
  const broken = verdict.refusals.filter((refusal) => concerns(refusal, step));
  const held = evidenceOf(plan, step).filter(({ rule }) => !broken.some((refusal) => refusal.rule === rule));
  return [...held, ...broken.map((refusal) => weighed(refusal.rule, false, `${becauseOf(refusal)} (${refusal.code})`))];
};

const concerns = (refusal: Refusal, step: PlanStep): boolean =>
  refusal.vmid === undefined || refusal.vmid === step.vmid;

const evidenceOf = (plan: PlanOutline, step: PlanStep): readonly Weighed[] => [
  weighed("N1", true, `its state was seen: ${step.facts["observedStatus"]}`),
  weighed(
    "N2",
    true,
    step.protected
      ? `protected (${step.facts["protectedBecause"]}), and ${step.action.kind} neither interrupts nor changes it`
      : "no sign of production in its names, tags or entry",
  ),
  weighed("N8", true, "the observed name is the desired name"),
  weighed("P7-E1", true, `one action on one VM: ${step.action.kind}`),
  weighed("P7-F1", true, `its state fits ${step.action.kind}, and the place names no hindrance`),
  weighed("B3", true, `wish and observation are of environment ${plan.environment}`),
];

const factTexts = (facts: Facts): readonly string[] =>
  Object.entries(facts).map(([key, value]) => `${words(key)}: ${shown(key, value)}`);
const spelt = (key: string): string => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
/** The facts of steps are few, and explained for nearly every decision. */
const STEP_WORDS: Readonly<Record<string, string>> = Object.freeze(
  Object.fromEntries(STEP_FACTS.map((key) => [key, spelt(key)])),
);
const words = (key: string): string => STEP_WORDS[key] ?? spelt(key);
const shown = (key: string, value: Facts[string]): string =>
  typeof value === "number" && key.endsWith("Memory") ? bytesText(value) : String(value);
