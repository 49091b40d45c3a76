// dedalus plan: what would change, what is refused and why; written as plan.json only when asked.

import { planText } from "../../formats/plan-json.ts";
import { planFileJson } from "../../service/json/plan-answer-json.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { exitOf, judgeFiles } from "../asking/judge.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { isArtifact, writeWhole } from "../files/files.ts";
import { findOutInTheWay } from "../files/out-file.ts";
import { planLines } from "../views/view-plan.ts";

/** What comes from files, and what only a recorded plan has: the two do not mix. */
const FROM_FILES = ["desired", "replay", "complete"] as const;
const RECORDED = ["env", "action", "vm", "snapshot", "cpus", "memory", "registered", "config", "server"] as const;

export const run: CommandRun = async (given, io) => {
  const isGiven = (name: string): boolean => given.text.has(name) || given.flags.has(name);
  const [file, recorded] = [FROM_FILES.find(isGiven), RECORDED.find(isGiven)];
  if (file === undefined) return (await import("./plan-recorded.ts")).run(given, io);
  if (recorded !== undefined) {
    const facts = { argument: `--${recorded}`, other: `--${file}` };
    return badInput([refuse("usage", { cause: "not-together", facts })]);
  }
  const lacking = unsaid(given);
  if (lacking !== undefined) return badInput([lacking]);
  const out = given.text.get("out");
  const obstacle = out === undefined ? undefined : findOutInTheWay(given, io, out, isArtifact("plan"));
  if (obstacle !== undefined) return badInput([obstacle]);
  const judged = await judgeFiles(given, io);
  if ("exit" in judged) return judged;
  const unwritten =
    out === undefined ? undefined : writeWhole(io.folder, out, planText(judged.file), isArtifact("plan"));
  if (unwritten !== undefined) return badInput([unwritten]);
  return { exit: exitOf(judged.file), json: planFileJson(judged.file), text: (style) => planLines(judged.file, style) };
};

const unsaid = ({ text }: Arguments): Refusal | undefined => {
  const missing = ["desired", "replay"].filter((name) => !text.has(name)).map((name) => `--${name}`);
  return missing.length === 0
    ? undefined
    : refuse("usage", { cause: "plan-of-what", facts: { command: "plan", missing } });
};
