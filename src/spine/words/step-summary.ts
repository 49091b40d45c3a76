// One step in one line, and the question about it: what somebody reads who walks a plan step by step.
//
// The whole explanation stays what is agreed to, and is one key away; these words repeat it and are in no hash. Not here: the
// templates (frame-words.ts), colour and columns (cli/views).

import type { Action, ExplainedStep, Facts, Tier, Vmid } from "../model.ts";
import { CATALOGUE, type Catalogue } from "./catalogue.ts";
import { filled } from "./template.ts";

/** What the summary is made from: the explanation of the step. */
export type Summarised = { readonly facts: Facts; readonly step: ExplainedStep; readonly vmid: Vmid };

type Words = Catalogue["summaries"];

/** `~ resize web-02: memory 2 GiB → 4 GiB, pending until restart  [medium]` */
export const stepSummary = (
  of: Summarised,
  tier: Tier | undefined,
  { summaries: words }: Pick<Catalogue, "summaries"> = CATALOGUE,
): string => {
  const title = filled(words.titles[of.step.action.kind], { name: of.step.name });
  const told = [...changesTold(of, words.changes), ...effectsTold(of.step, words.effects)];
  const summary = told.length === 0 ? title : filled(words.told, { title, told });
  return tier === undefined ? summary : filled(words.tier, { summary, tier });
};

/** `Resize web-02 (VM 102)? [y/N/e/s/q]` */
export const stepQuestion = (
  { step, vmid }: Summarised,
  { questions: words }: Pick<Catalogue, "questions"> = CATALOGUE,
): string => filled(words.keys, { question: filled(words.steps[step.action.kind], { name: step.name, vmid }) });

/** Where nothing can be undone. */
export const nameQuestion = ({ questions }: Pick<Catalogue, "questions"> = CATALOGUE): string =>
  questions["typed-name"];

const changesTold = ({ facts, step }: Summarised, words: Words["changes"]): readonly string[] => {
  const { action } = step;
  if (action.kind === "vm.resize") return sizesTold(action, facts, words);
  if ("snapshot" in action) return [filled(words.snapshot, { snapshot: action.snapshot })];
  const { observedStatus: observed, wantedStatus: wanted } = facts;
  return typeof observed === "string" && typeof wanted === "string" ? [filled(words.status, { observed, wanted })] : [];
};

const sizesTold = (
  { cpus, memory }: Extract<Action, { readonly kind: "vm.resize" }>,
  { observedCpus, observedMemory }: Facts,
  words: Words["changes"],
): readonly string[] =>
  (
    [
      ["cpus", observedCpus, cpus],
      ["memory", observedMemory, memory],
    ] as const
  ).flatMap(([size, observed, wanted]) => {
    if (wanted === undefined) return [];
    return [
      observed === undefined
        ? filled(words[`${size}-not-seen`], { wanted })
        : filled(words[size], { observed, wanted }),
    ];
  });

/** That a start starts and a stop stops is said by the verb. */
const effectsTold = ({ action, applies, power }: ExplainedStep, words: Words["effects"]): readonly string[] => [
  ...(power === "interrupts" ? [words.interrupts] : []),
  ...(action.kind === "vm.snapshot.rollback" && power === "starts" ? [words.starts] : []),
  ...(action.kind === "vm.snapshot.rollback" && power === "stops" ? [words.stops] : []),
  ...(applies === "at-restart" ? [words["at-restart"]] : []),
];
