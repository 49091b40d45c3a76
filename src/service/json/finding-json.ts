// What an examination of an installation found, as a door prints it: codes and facts, and beside them the words, which
// for a provider are its adapter's.

import { present } from "../../spine/values/present.ts";
import type { Catalogued } from "../../spine/words/refusals/refusal-words.ts";
import type { InstallationFinding } from "../examine/finding.ts";
import { refusalJson } from "./error-json.ts";

/** In words: what was checked, what was found, and the words of its refusals where an adapter has its own. */
export type FindingWords = { readonly detail: string; readonly title: string; readonly words?: Catalogued };

export const findingJson = (
  { check, code, commands, facts, refusals }: InstallationFinding,
  { detail, title, words }: FindingWords,
) => ({
  check,
  code,
  ...present({ commands }),
  detail,
  facts,
  refusals: refusals.map((refusal) => refusalJson(refusal, words)),
  title,
});
