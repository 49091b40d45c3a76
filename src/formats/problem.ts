// What is wrong with a text, and where: a refusal of the input stage with a place in a file.
//
// Parsers list every problem they can find, in the order of the text, and return no half-read value.

import type { Refusal } from "../spine/model.ts";
import { type About, type RefusalCode, refuse } from "../spine/rules/refusals.ts";

/** Line and column count from 1; field is a path such as `vms[2].name`, empty for the file as a whole. */
export type SourcePosition = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly field: string;
};
/** For what is wrong with a file as a whole. */
export const wholeFile = (file: string): SourcePosition => ({ column: 1, field: "", file, line: 1 });

export type Problem = Refusal & { readonly at: SourcePosition };
export type Parsed<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "bad"; readonly problems: readonly [Problem, ...Problem[]] };

export const problem = <C extends RefusalCode>(code: C, at: SourcePosition, about: About<C>): Problem =>
  problemOf(refuse(code, about), at);

export const problemOf = (refusal: Refusal, at: SourcePosition): Problem => ({ ...refusal, at });
