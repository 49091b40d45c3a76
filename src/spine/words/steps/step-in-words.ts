// What a step comes from, in words.

import type { Facts, PlanStep } from "../../model.ts";
import { filled } from "../template.ts";
import { CATALOGUE, type Catalogue } from "../words-catalogue.ts";

type Worded = Pick<PlanStep, "action" | "reason"> & { readonly facts: Facts };

export const reasonInWords = ({ action, facts, reason }: Worded, { steps }: Catalogue = CATALOGUE): string => {
  const sizes = sizesInWords(facts, steps.sizes);
  const all = { ...facts, action: action.kind, sizes };
  const isSized = reason === "requested" && action.kind === "vm.resize";
  const said = filled(steps.reasons[isSized ? "requested-sizes" : reason], all);
  const { later } = facts;
  return later === "size" || later === "status" ? filled(steps.later[later], { ...all, reason: said }) : said;
};

const sizesInWords = (facts: Facts, words: Catalogue["steps"]["sizes"]): string =>
  [
    facts["desiredCpus"] === undefined
      ? undefined
      : words[`cpus${kindOf(facts["observedCpus"], facts["pendingCpus"])}`],
    facts["desiredMemory"] === undefined
      ? undefined
      : words[`memory${kindOf(facts["observedMemory"], facts["pendingMemory"])}`],
  ]
    .filter((template) => template !== undefined)
    .map((template) => filled(template, facts))
    .join("; ");

const kindOf = (observed: unknown, pending: unknown): "" | "-not-seen" | "-pending" | "-pending-not-seen" => {
  if (observed === undefined) return pending === undefined ? "-not-seen" : "-pending-not-seen";
  return pending === undefined ? "" : "-pending";
};

/** The sign by which a VM is production; what is no sign is shown as it is. */
export const protectionInWords = (sign: unknown, { steps }: Catalogue = CATALOGUE): string =>
  (steps.protections as Readonly<Record<string, string>>)[String(sign)] ?? String(sign);
