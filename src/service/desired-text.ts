// The desired file of an environment, read: what it says, that it is not there, or why it cannot be taken for one.

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

export const readDesiredFile = (home: string, file: string, environment: string): DesiredRead => {
  const text = readText(home, file);
  if (text.kind === "bad" && text.problems[0]?.cause === "ENOENT") return { kind: "absent" };
  const parsed = text.kind === "ok" ? parseDesired(text.value, file) : text;
  if (parsed.kind === "bad") return { answer: refusedInput(parsed.problems), kind: "unreadable" };
  const { environment: of, vms } = parsed.value;
  const desired = desiredStateOf(of, vms);
  if ("kind" in desired) return { answer: refusedInput([desired]), kind: "unreadable" };
  if (of === environment) return { desired, kind: "read" };
  return { answer: refusedInput([refuse("plan-foreign", { cause: "file", facts: { of } })]), kind: "unreadable" };
};
