// A desired file, read: what it says of an environment, that it is not there, or why it cannot be taken for one.
//
// Whoever registers hands in the text, and a plan reads the file that the configuration names; both are read as one
// here.

import { resolve } from "node:path";
import { parseDesired } from "../formats/desired-yaml.ts";
import type { DesiredState } from "../spine/model.ts";
import { desiredStateOf } from "../spine/plan/desired-state.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { type RefusedAnswer, refusedInput } from "./answer.ts";
import { readText } from "./named-file.ts";

/** `file` is what problems name beside their place in the text; nothing is read there. */
export type DesiredText = { readonly file: string; readonly text: string };

type Readable =
  | { readonly desired: DesiredState; readonly kind: "read" }
  | { readonly answer: RefusedAnswer; readonly kind: "unreadable" };
export type DesiredRead = Readable | { readonly kind: "absent" };

/** The environment is named beside the file's own, and both must be the same. keeps B3 */
export const readDesired = ({ file, text }: DesiredText, environment: string): Readable => {
  const parsed = parseDesired(text, file);
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

/**
 * What is wrong with it is told by its full path: whoever reads that may be in another folder than the configuration.
 */
export const readDesiredFile = (home: string, named: string, environment: string): DesiredRead => {
  const file = resolve(home, named);
  const text = readText(home, file);
  if (text.kind === "ok") return readDesired({ file, text: text.value }, environment);
  if (text.problems[0]?.cause === "ENOENT") return { kind: "absent" };
  return { answer: refusedInput(text.problems), kind: "unreadable" };
};
