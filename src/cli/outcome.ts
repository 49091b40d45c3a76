// What a command hands back: one value, and a text that is a view of it. Commands print nothing themselves.
//
// What does not fit in memory, or has no end, is handed back as a stream of pieces to print; it too is one JSON value,
// or one value a line where it never ends.

import type { Exit } from "./exit-codes.ts";
import type { Paint } from "./paint.ts";

export type Outcome = {
  readonly exit: Exit;
  /** Printed whole under --json; nothing else goes to stdout then. */
  readonly json: unknown;
  readonly text: (paint: Paint) => readonly string[];
  /** Printed instead of the two above. */
  readonly stream?: Stream;
};

export type View = { readonly kind: "json" } | { readonly kind: "text"; readonly paint: Paint };
export type Stream = (view: View) => AsyncGenerator<string, Exit>;

/** Errors go to stderr, so that a pipe never mistakes one for an answer. */
export const isError = ({ json }: Outcome): boolean => typeof json === "object" && json !== null && "error" in json;
