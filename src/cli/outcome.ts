// What a command hands back: one value, and a text that is a view of it. Commands print nothing themselves.

import type { Problem } from "../formats/problem.ts";
import type { Refusal } from "../spine/model.ts";
import type { Exit } from "./exit-codes.ts";
import type { Paint } from "./paint.ts";
import { refusalLines } from "./view-refusal.ts";

export type Outcome = {
  readonly exit: Exit;
  /** Printed whole under --json; nothing else goes to stdout then. */
  readonly json: unknown;
  readonly text: (paint: Paint) => readonly string[];
};

/** Errors have one of four domains; whatever failed here, nothing was executed. */
type Domain = "input" | "validation";

export const failed = (exit: Exit, domain: Domain, refusals: readonly (Refusal | Problem)[]): Outcome => ({
  exit,
  json: { error: { domain, outcome: "not_executed", refusals } },
  text: (paint) => refusals.flatMap((refusal) => refusalLines(refusal, paint)),
});

export const badInput = (refusals: readonly (Refusal | Problem)[]): Outcome => failed("input", "input", refusals);
