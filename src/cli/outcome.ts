// What a command hands back: one value, and a text that is a view of it. Commands print nothing themselves.
//
// What does not fit in memory, or has no end, is handed back as a stream of pieces to print; it too is one JSON value,
// or one value a line where it never ends.

import type { Exit } from "./exit-codes.ts";
import type { TextStyle } from "./views/text-style.ts";

export type Outcome = {
  readonly exit: Exit;
  /** Printed whole under --json; nothing else goes to stdout then. */
  readonly json: unknown;
  readonly text: (style: TextStyle) => readonly string[];
  /** Text that is a file to somebody else (YAML, a script): its lines are not broken at the width of a terminal. */
  readonly isVerbatim?: true;
  /** What else went wrong and changes nothing of the above: told after it, on stderr, and as `beside` under --json. */
  readonly beside?: readonly Outcome[];
  /** Printed instead of the two above. */
  readonly stream?: Stream;
};

export type View = { readonly kind: "json" } | { readonly kind: "text"; readonly style: TextStyle };
export type Stream = (view: View) => AsyncGenerator<string, Exit>;

/** Errors go to stderr, so that a pipe never mistakes one for an answer. */
export const isError = ({ json }: Outcome): boolean => typeof json === "object" && json !== null && "error" in json;

/** The same outcome, and what else went wrong. */
export const withBeside = (outcome: Outcome, ...more: readonly (Outcome | undefined)[]): Outcome => {
  const beside = [...(outcome.beside ?? []), ...more.filter((one) => one !== undefined)];
  return beside.length === 0 ? outcome : { ...outcome, beside };
};

/** What is printed under --json. */
export const jsonOf = ({ beside, json }: Outcome): unknown =>
  beside === undefined ? json : { ...Object(json), beside: beside.map(jsonOf) };
