// dedalus plan: what would change, what is refused and why; written as plan.json only when asked.

import { planText } from "../formats/plan-json.ts";
import type { Run } from "./command.ts";
import { inTheWay, writeWhole } from "./files.ts";
import { exitOf, judge } from "./judge.ts";
import { badInput } from "./outcome.ts";
import { planLines } from "./view-plan.ts";

export const run: Run = async (given, io) => {
  const out = given.text.get("out");
  const obstacle = out === undefined ? undefined : inTheWay(io.folder, out, isPlanText);
  if (obstacle !== undefined) return badInput([obstacle]);
  const judged = await judge(given, io);
  if (judged.kind === "bad") return badInput(judged.refusals);
  const unwritten = out === undefined ? undefined : writeWhole(io.folder, out, planText(judged.file));
  if (unwritten !== undefined) return badInput([unwritten]);
  return { exit: exitOf(judged.file), json: judged.file, text: (paint) => planLines(judged.file, paint) };
};

/** An earlier plan may be replaced; anything else that stands at --out was not meant. */
const isPlanText = (text: string): boolean => /^\s*\{\s*"\$schema":\s*"[^"]*\/plan\.schema\.json"/.test(text);
