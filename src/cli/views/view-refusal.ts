// How a refusal reads: where, the constant summary with what is special, why, what would have to be true.
//
// What is special may quote a file, a record or a server, so that whatever is invisible in it is written as its code.

import { resolve } from "node:path";
import type { Problem } from "../../formats/problem.ts";
import type { Refusal } from "../../spine/model.ts";
import type { Where } from "../../spine/rules/next-steps.ts";
import type { RefusalCode } from "../../spine/rules/refusals.ts";
import { visible } from "../../spine/values/invisible.ts";
import { type Catalogued, inWords, type SpokenRefusal } from "../../spine/words/refusals/refusal-words.ts";
import { timedFacts } from "./age.ts";
import { nextStepLines } from "./next-step.ts";
import type { TextStyle } from "./text-style.ts";
import { ruleText } from "./view-vm.ts";

const isProblem = (refusal: Refusal | Problem): refusal is Problem => "at" in refusal;

const whereOf = (refusal: Refusal | Problem, { folder }: TextStyle): string => {
  if (!isProblem(refusal)) return refusal.vmid === undefined ? "" : `VM ${refusal.vmid}: `;
  const { column, field, file, line } = refusal.at;
  const place = OF_WHOLE_FILES.has(refusal.code) ? "" : `:${line}:${column}`;
  return `${resolve(folder, file)}${place}: ${field === "" ? "" : `${field}: `}`;
};

/** What is wrong with the whole of it has no line. */
const OF_WHOLE_FILES: ReadonlySet<RefusalCode> = new Set([
  "file-empty",
  "file-exists",
  "file-too-large",
  "file-unreadable",
  "file-unwritable",
]);

/** Where, what, and what is special about it on one line: whoever reads no further has read the cause. */
const causeText = (refusal: Refusal | Problem, style: TextStyle, { because, summary }: SpokenRefusal): string =>
  `${whereOf(refusal, style)}${style.bold(summary)}: ${visible(because)}`;

/** What would have to be true, and the commands that lead there. */
const nextLines = (
  refusal: Refusal | Problem,
  style: TextStyle,
  { next }: SpokenRefusal,
  where: Where | undefined,
): readonly string[] => [
  style.dim(`  next: ${visible(next)}`),
  ...nextStepLines(refusal, style, where).map((line) => `          ${line}`),
];

export const refusalLines = (
  refusal: Refusal | Problem,
  style: TextStyle,
  { where, words }: { readonly where?: Where | undefined; readonly words?: Catalogued | undefined } = {},
): readonly string[] => {
  const said = inWords({ ...refusal, facts: timedFacts(refusal.facts, style) }, words);
  return [
    `${causeText(refusal, style, said)} ${ruleText(refusal)}`,
    ...(said.why === undefined ? [] : [style.dim(`  why:  ${said.why}`)]),
    ...nextLines(refusal, style, said, where),
  ];
};

/** Of arguments: whoever mistyped one has nothing to learn from a rule. */
export const usageLines = (
  refusal: Refusal | Problem,
  style: TextStyle,
  where: Where | undefined,
): readonly string[] => {
  const said = inWords({ ...refusal, facts: timedFacts(refusal.facts, style) });
  const cause = causeText(refusal, style, said);
  return [
    refusal.code === "usage" ? cause : `${cause} ${ruleText(refusal)}`,
    ...nextLines(refusal, style, said, where),
  ];
};
