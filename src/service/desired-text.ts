// The desired file of an environment, read: what it says, that it is not there, or why it cannot be taken for one.

import { resolve } from "node:path";
import { parseDesired } from "../formats/desired-yaml.ts";
import type { DesiredState } from "../spine/model.ts";
import { desiredStateOf } from "../spine/plan/desired-state.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { type RefusedAnswer, refusedInput } from "./answer.ts";
import { readText } from "./named-file.ts";

export type DesiredRead =
  | { readonly kind: "absent" }
  | { readonly desired: DesiredState; readonly kind: "read" }
  | { readonly answer: RefusedAnswer; readonly kind: "unreadable" };

/** What is wrong with it is told by its full path: whoever reads that may be in another folder than the configuration. */
export const readDesiredFile = (home: string, named: string, environment: string): DesiredRead => {
  const file = resolve(home, named);
  const text = readText(home, file);
  if (text.kind === "bad" && text.problems[0]?.cause === "ENOENT") return { kind: "absent" };
  const parsed = text.kind === "ok" ? parseDesired(text.value, file) : text;
  if (parsed.kind === "bad") return { answer: refusedInput(parsed.problems), kind: "unreadable" };
  const { environment: of, vms } = parsed.value;
  const desired = desiredStateOf(of, vms);
  if ("kind" in desired) return { answer: refusedInput([desired]), kind: "unreadable" };
  if (of === environment) return { desired, kind: "read" };
  return {
    answer: refusedInput([refuse("desired-foreign", { facts: { environment, file, of } })]),
    kind: "unreadable",
  };
};
