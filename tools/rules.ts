// Fails unless every kept rule has a negative test that ran and passed, and no test was left out.
//
// A scan of text can be fooled by a test that is commented out; this reads what the last run of the tests reported.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RULE_IDS, ruleOf } from "../src/spine/rules/invariants.ts";
import type { Ran } from "./passed-reporter.ts";
import { ROOT } from "./sources.ts";

const REPORT = join(ROOT, ".cache", "passed-tests.json");

/** What is wrong with a run, one sentence each; empty when every kept rule was attacked in vain. */
export const unproven = ({ failed, leftOut, passed }: Omit<Ran, "took">): readonly string[] => [
  ...failed.map((title) => `failed: ${title}`),
  ...leftOut.map((title) => `left out: ${title}`),
  ...kept()
    .filter((id) => !passed.some((title) => title.startsWith(`${id} cannot `)))
    .map((id) => `${id} is kept by ${ruleOf(id).kept}, and no test "${id} cannot …" ran and passed`),
];

const kept = () => RULE_IDS.filter((id) => ruleOf(id).kept !== "not yet");

if (import.meta.main) {
  const nothing: Omit<Ran, "took"> = {
    failed: ["there is no report of a run; run make test"],
    leftOut: [],
    passed: [],
  };
  const ran = existsSync(REPORT) ? (JSON.parse(readFileSync(REPORT, "utf8")) as typeof nothing) : nothing;
  const wrong = unproven(ran);
  const negative = ran.passed.filter((title) => / cannot /.test(title)).length;
  const line = `${kept().length} kept rules, ${negative} negative tests ran and passed, none left out`;
  process.stdout.write(wrong.length === 0 ? `${line}\n` : `${wrong.join("\n")}\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
