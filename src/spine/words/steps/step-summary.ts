// One step in one line, and the question about it: what somebody reads of a plan, of drift, and who walks a plan step
// by step.
//
// The whole explanation stays what is agreed to, and is one key away; these words repeat it and are in no hash. Not
// here: the templates (frame-words.ts), signs, colour and columns (cli/views).

import type { Action, ActionKind, ExplainedStep, Fact, Facts, Tier, Vmid } from "../../model.ts";
import { filled } from "../template.ts";
import type { Catalogue } from "../words-catalogue.ts";
import { QUESTION_WORDS, SUMMARY_WORDS } from "./frame-words.ts";

/** What the summary is made from: the step of a plan, or of its explanation. */
export type Summarised = {
  readonly facts: Facts;
  readonly step: Pick<ExplainedStep, "action" | "applies" | "name" | "power" | "reason">;
  readonly vmid: Vmid;
};

type Summaries = Pick<Catalogue, "summaries">;
type Questions = Pick<Catalogue, "questions">;
type Words = Catalogue["summaries"];

/** Of the catalogue only these: whoever names an action needs no words of refusals. */
const PRESENT: Questions & Summaries = { questions: QUESTION_WORDS, summaries: SUMMARY_WORDS };

/** `resize web-02: memory 2 GiB → 4 GiB, pending until restart  [medium]` */
export const stepSummary = (of: Summarised, tier: Tier | undefined, catalogue: Summaries = PRESENT): string => {
  const { summaries: words } = catalogue;
  const title = actionTitle(of.step.action.kind, of.step.name, catalogue);
  const told = stepTold(of, catalogue);
  const summary = told.length === 0 ? title : filled(words.told, { title, told });
  return tier === undefined ? summary : filled(words.tier, { summary, tier });
};

/** `memory 2 GiB → 4 GiB`, `pending until restart`: what changes, and what else there is to know of it. */
export const stepTold = (of: Summarised, { summaries: words }: Summaries = PRESENT): readonly string[] => [
  ...changesTold(of, words),
  ...effectsTold(of.step, words.effects),
  ...laterTold(of.facts, words),
];

/** `resize web-02` */
export const actionTitle = (kind: ActionKind, name: string, { summaries }: Summaries = PRESENT): string =>
  filled(summaries.titles[kind], { name });

/** `Resize web-02 (VM 102)? [y/N/e/s/q]` */
export const stepQuestion = ({ step, vmid }: Summarised, { questions: words }: Questions = PRESENT): string =>
  filled(words.keys, { question: filled(words.steps[step.action.kind], { name: step.name, vmid }) });

/** Where nothing can be undone. */
export const nameQuestion = ({ questions }: Questions = PRESENT): string => questions["typed-name"];

/** What a VM is after an action that was asked for, whatever is registered of it. */
const STATUS_AFTER: { readonly [K in ActionKind]?: string } = {
  "vm.resume": "running",
  "vm.shutdown": "stopped",
  "vm.start": "running",
  "vm.stop": "stopped",
};

const changesTold = ({ facts, step }: Summarised, words: Words): readonly string[] => {
  const { action, reason } = step;
  if (action.kind === "vm.resize") return sizesTold(action, facts, words);
  if (action.kind === "vm.snapshot.rollback") return [filled(words.changes.rollback, { snapshot: action.snapshot })];
  if ("snapshot" in action) return [filled(words.changes.snapshot, { snapshot: action.snapshot })];
  return statusTold(facts, reason === "requested" ? STATUS_AFTER[action.kind] : facts["desiredStatus"], words);
};

const statusTold = ({ observedStatus: observed }: Facts, desired: Fact | undefined, words: Words): readonly string[] =>
  typeof observed === "string" && typeof desired === "string"
    ? [filled(words.changes.status, { observed, desired })]
    : [];

const sizesTold = (
  { cpus, memory }: Pick<Extract<Action, { readonly kind: "vm.resize" }>, "cpus" | "memory">,
  facts: Facts,
  words: Words,
): readonly string[] =>
  (
    [
      ["cpus", facts["observedCpus"], facts["pendingCpus"], cpus],
      ["memory", facts["observedMemory"], facts["pendingMemory"], memory],
    ] as const
  ).flatMap(([of, observed, pending, desired]) => {
    if (desired === undefined) return [];
    const text = (size: Fact): string => filled(words.sizes[of], { size });
    const now = observed === undefined ? words.sizes["not-seen"] : text(observed);
    const seen = pending === undefined ? now : filled(words.sizes.pending, { pending: text(pending), seen: now });
    return [filled(words.changes[of], { seen, desired: text(desired) })];
  });

/** That a start starts and a stop stops is said by the verb. */
const effectsTold = ({ action, applies, power }: Summarised["step"], words: Words["effects"]): readonly string[] => [
  ...(power === "interrupts" ? [words.interrupts] : []),
  ...(action.kind === "vm.snapshot.rollback" && power === "starts" ? [words.starts] : []),
  ...(action.kind === "vm.snapshot.rollback" && power === "stops" ? [words.stops] : []),
  ...(applies === "at-restart" ? [words["at-restart"]] : []),
];

/** One step for one VM: what else differs waits for the next plan. */
const laterTold = (facts: Facts, words: Words): readonly string[] => {
  const { later, desiredCpus, desiredMemory, desiredStatus } = facts;
  const sizes = {
    ...(typeof desiredCpus === "number" ? { cpus: desiredCpus } : {}),
    ...(typeof desiredMemory === "number" ? { memory: desiredMemory } : {}),
  };
  const differing =
    later === "size"
      ? sizesTold(sizes, facts, words)
      : later === "status"
        ? statusTold(facts, desiredStatus, words)
        : [];
  const [first, second] = differing;
  if (first === undefined) return [];
  return [filled(words.later, { told: second === undefined ? first : filled(words.both, { first, second }) })];
};
