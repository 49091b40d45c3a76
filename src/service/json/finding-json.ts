// What an examination of an installation found, as a door prints it: codes and facts, and beside them the words, which
// for a provider are its adapter's.

import { present } from "../../spine/values/present.ts";
import type { Catalogued } from "../../spine/words/refusals/refusal-words.ts";
import type { InstallationFinding } from "../examine/finding.ts";
import { refusalJson } from "./error-json.ts";

/** In words: what was checked, what was found, and the words of its refusals where an adapter has its own. */
export type FindingWords = { readonly detail: string; readonly title: string; readonly words?: Catalogued };

export const findingJson = (finding: InstallationFinding, { detail, title, words }: FindingWords) => {
  const { check, code, commands, facts, refusals } = finding;
  const adapter = finding.kind === "provider" ? finding.adapter : undefined;
  const reAnchored = finding.kind === "own" ? finding.reAnchored : undefined;
  return {
    ...present({ adapter }),
    check,
    code,
    ...present({ commands }),
    detail,
    facts,
    ...present({ reAnchored }),
    refusals: refusals.map((refusal) => refusalJson(refusal, words)),
    title,
  };
};
