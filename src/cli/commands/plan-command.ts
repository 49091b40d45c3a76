// dedalus plan: what would change, what is refused and why; written as plan.json only when asked.

import { planText } from "../../formats/plan-json.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput } from "../failure.ts";
import { inTheWay, isArtifact, writeWhole } from "../files.ts";
import { exitOf, judgeFiles } from "../judge.ts";
import { planLines } from "../views/view-plan.ts";

export const run: CommandRun = async (given, io) => {
  if (given.text.has("env")) return (await import("./plan-recorded.ts")).run(given, io);
  const lacking = unsaid(given);
  if (lacking !== undefined) return badInput([lacking]);
  const out = given.text.get("out");
  const obstacle = out === undefined ? undefined : inTheWay(io.folder, out, isArtifact("plan"));
  if (obstacle !== undefined) return badInput([obstacle]);
  const judged = await judgeFiles(given, io);
  if ("exit" in judged) return judged;
  const unwritten = out === undefined ? undefined : writeWhole(io.folder, out, planText(judged.file));
  if (unwritten !== undefined) return badInput([unwritten]);
  return { exit: exitOf(judged.file), json: judged.file, text: (paint) => planLines(judged.file, paint) };
};

/** Without an environment everything comes from files. */
const unsaid = ({ flags, text }: Arguments): Refusal | undefined => {
  const missing = ["desired", "replay"].filter((name) => !text.has(name)).map((name) => `--${name}`);
  const [stray] = ["action", "vm", "snapshot", "cpus", "memory", "config"].filter((name) => text.has(name));
  if (flags.has("registered")) {
    return refuse("usage", { cause: "goes-with", facts: { argument: "--registered", with: "--env NAME" } });
  }
  if (stray !== undefined) {
    return refuse("usage", { cause: "goes-with", facts: { argument: `--${stray}`, with: "--env NAME" } });
  }
  if (missing.length === 0) return undefined;
  return refuse("usage", { cause: "plan-of-what", facts: { missing } });
};
