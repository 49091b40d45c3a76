// What an examination found, in words: of Dedalus itself, and of a provider in the words of its adapter.

import type { ExaminationWords } from "../../adapters/examination.ts";
import type { Problem } from "../../formats/problem.ts";
import type { InstallationFinding, OwnFinding, ProviderFinding } from "../../service/examine/finding.ts";
import type { Facts, Refusal } from "../../spine/model.ts";
import { visible } from "../../spine/values/invisible.ts";
import { present } from "../../spine/values/present.ts";
import { filledWithDiagnostic } from "../../spine/words/causes/diagnostic-words.ts";
import { type Catalogued, REFUSAL_WORDS } from "../../spine/words/refusals/refusal-words.ts";
import { CHECK_WORDS, FOUND_WORDS } from "../../spine/words/remarks/installation-words.ts";
import { filled } from "../../spine/words/template.ts";
import { timedFacts } from "./age.ts";
import { command as marked } from "./marks.ts";
import type { TextStyle } from "./text-style.ts";
import { reAnchoredText } from "./view-re-anchored.ts";
import { refusalLines } from "./view-refusal.ts";

/** `words` are of the refusals, where an adapter has its own. */
export type ToldFinding = {
  readonly check: string;
  readonly commands?: readonly string[];
  readonly found: string;
  /** Neither well nor wrong: nobody looked. */
  readonly isUnasked?: true;
  readonly refusals: readonly (Refusal | Problem)[];
  readonly words?: Catalogued;
};

/** Times are told from now for whoever reads a text; a program gets them as they are. */
export const toldFinding = (
  finding: InstallationFinding,
  wordsOf: (adapter: string) => ExaminationWords,
  style?: TextStyle,
): ToldFinding => {
  const facts = style === undefined ? finding.facts : timedFacts(finding.facts, style);
  return finding.kind === "own"
    ? ownFinding({ ...finding, facts }, style)
    : providerFinding({ ...finding, facts }, wordsOf(finding.adapter));
};

const ownFinding = (
  { check, code, commands, facts, reAnchored, refusals }: OwnFinding,
  style: TextStyle | undefined,
): ToldFinding => {
  const all = reAnchored === undefined ? facts : { ...facts, reAnchored: reAnchoredText(reAnchored, style) };
  return {
    check: filled(CHECK_WORDS[check], facts),
    ...present({ commands: unaskedCommands(code, facts, style) ?? commands }),
    found: filled(FOUND_WORDS[code], all),
    ...(code === "provider-unasked" ? { isUnasked: true } : {}),
    refusals,
  };
};

/** Only a reader of a text has a command line. */
const unaskedCommands = (
  code: OwnFinding["code"],
  { environment = "" }: Facts,
  style: TextStyle | undefined,
): readonly string[] | undefined =>
  code === "provider-unasked" && style !== undefined
    ? [style.command({ ask: "examine", with: { environment } })]
    : undefined;

/** In the adapter's own words, which speak of its provider. */
const providerFinding = (
  { check, code, commands, facts, refusals }: ProviderFinding,
  words: ExaminationWords,
): ToldFinding => {
  const because = words.found[code] ?? code;
  const shown = { check: words.checks[check] ?? check, found: filledWithDiagnostic(because, facts) };
  const [refusal] = refusals;
  if (refusal === undefined) return { ...shown, refusals };
  const row = REFUSAL_WORDS[refusal.code];
  return {
    ...shown,
    ...present({ commands }),
    refusals,
    words: { ...REFUSAL_WORDS, [refusal.code]: { ...row, because, next: words.next[code] ?? row.next } },
  };
};

export const findingLines = (
  { check, commands = [], found, isUnasked, refusals, words }: ToldFinding,
  style: TextStyle,
): readonly string[] => [
  `${refusals.length > 0 ? style.bold(style.red("WRONG")) : isUnasked === true ? "-    " : "ok   "} ${check}: ${visible(found)}`,
  ...refusals.flatMap((refusal) => refusalLines(refusal, style, { words }).map((line) => `      ${line}`)),
  ...commands.map((command) => `        ${marked(command)}`),
];
