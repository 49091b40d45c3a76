// An explanation in words: the one function by which every view shows one, and by which what somebody was shown is
// shown again from the catalogue of then.

import type { Explanation, Facts, InvitedParty, Weighed } from "../../model.ts";
import { present } from "../../values/present.ts";
import { inWords } from "../refusals/refusal-words.ts";
import { filled } from "../template.ts";
import { CATALOGUE, type Catalogue } from "../words-catalogue.ts";
import { agreementTexts } from "./agreement-in-words.ts";
import { protectionInWords, reasonInWords } from "./step-in-words.ts";
import { actionTitle } from "./step-summary.ts";

export type SpokenExplanation = {
  readonly effect: string;
  readonly facts: readonly string[]; // a line each
  readonly rules: readonly { readonly evidence: string; readonly held: boolean; readonly rule: string }[];
  readonly undo: string;
};

export const explanationInWords = (explanation: Explanation, catalogue: Catalogue = CATALOGUE): SpokenExplanation => ({
  effect: effectOf(explanation, catalogue),
  facts: linesOf(explanation, catalogue),
  rules: explanation.rules.map((weighed) => ({
    evidence: evidenceOf(weighed, catalogue),
    held: weighed.held,
    rule: weighed.rule,
  })),
  undo: explanation.step === undefined ? catalogue.explanations.nothingToUndo : undoOf(explanation.step, catalogue),
});

/**
 * The whole text that somebody reads and agrees to, a line each; views add signs and colour, and may give a shorter
 * hash.
 */
export type FramedExplanation = {
  readonly heading: string;
  readonly lines: readonly string[];
  readonly end: string;
};

/** What stands in the text and depends on records: it is in no hash. */
export type BesideExplanation = {
  readonly agreements: Parameters<typeof agreementTexts>[0];
  readonly invited: readonly InvitedParty[];
};

/** Rules stand in one column. */
const RULE_WIDTH = 5;

export const framedExplanation = (
  explanation: Explanation,
  { agreements, invited }: BesideExplanation,
  catalogue: Catalogue = CATALOGUE,
  hash: string = explanation.hash,
): FramedExplanation => {
  const { frame } = catalogue;
  const { effect, facts, rules, undo } = explanationInWords(explanation, catalogue);
  const { step } = explanation;
  const title = step === undefined ? undefined : actionTitle(step.action.kind, step.name, catalogue);
  return {
    heading: filled(frame.headings[explanation.answer], { vmid: explanation.vmid, ...present({ title }) }),
    lines: [
      ...facts.map((fact) => filled(frame.fact, { fact })),
      filled(frame.effect, { effect }),
      filled(frame.undo, { undo }),
      ...rules.map(({ evidence, held, rule }) =>
        filled(held ? frame.holds : frame.broken, { evidence, rule: rule.padEnd(RULE_WIDTH) }),
      ),
      ...agreementTexts(agreements, catalogue).map((agreement) => filled(frame.agreement, { agreement })),
      ...invited.map(({ invitedBy, name, party }) => filled(frame.invited[party], { invitedBy, name })),
    ],
    end: filled(frame.hash, { hash }),
  };
};

type Step = NonNullable<Explanation["step"]>;

const undoOf = ({ action }: Step, { actions }: Catalogue): string => actions[action.kind].undo;

const effectOf = ({ effect: code, step }: Explanation, { actions, explanations, rollbacks }: Catalogue): string => {
  if (code !== "performed" || step === undefined) return explanations.effects[code === "performed" ? "no-step" : code];
  const { effect } = actions[step.action.kind];
  if (step.action.kind === "vm.snapshot.rollback") {
    return filled(explanations.rollback, { effect, end: rollbacks[step.power] });
  }
  return step.applies === "now" ? effect : filled(explanations.waits, { effect });
};

const linesOf = (explanation: Explanation, catalogue: Catalogue): readonly string[] => {
  const { complete, denied, environment, facts, step, vmid } = explanation;
  const { lines } = catalogue.explanations;
  return [
    filled(lines.environment, { environment }),
    complete ? lines.complete : lines.incomplete,
    ...(step === undefined
      ? []
      : [
          filled(lines.vm, { name: step.name, vmid }),
          filled(lines.action, { action: step.action.kind }),
          filled(lines.reason, { reason: reasonInWords({ ...step, facts }, catalogue) }),
          filled(lines.power, { power: step.power }),
        ]),
    ...factLines(facts, catalogue),
    ...(denied === undefined ? [] : [filled(lines.denied, denied)]),
  ];
};

const factLines = (facts: Facts, catalogue: Catalogue): readonly string[] => {
  const words: Readonly<Record<string, string>> = catalogue.explanations.facts;
  const all = withProtection(facts, catalogue);
  return Object.keys(facts).map((key) =>
    filled(Object.hasOwn(words, key) ? (words[key] ?? "") : `${spelt(key)}: {${key}}`, all),
  );
};

const withProtection = (facts: Facts, catalogue: Catalogue): Facts =>
  facts["protectedBecause"] === undefined
    ? facts
    : { ...facts, protection: protectionInWords(facts["protectedBecause"], catalogue) };

const spelt = (key: string): string => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const evidenceOf = (weighed: Weighed, catalogue: Catalogue): string => {
  const { broken, evidence } = catalogue.explanations;
  if (weighed.held) return filled(evidence[weighed.evidence], withProtection(weighed.facts, catalogue));
  const { refusal } = weighed;
  const { because, next } = inWords(refusal, catalogue.refusals, catalogue.diagnostics);
  return filled(broken, { because, code: refusal.code, next });
};
