// What the tidy checks speak of: a source with its three views, and a finding that says what to do instead.

import type { RuleId } from "../../src/spine/rules/invariants.ts";
import { type Masked, masked } from "./masked.ts";

export type Finding = {
  readonly rule: RuleId;
  readonly file: string;
  readonly line: number;
  readonly what: string;
  readonly instead: string;
};

export type Source = Masked & { readonly file: string; readonly text: string };

export const sourceOf = (file: string, text: string): Source =>
  file.endsWith(".ts") ? { ...masked(text), file, text } : { bare: text, code: text, file, notes: "", text };

export const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

export const findingAt = (
  rule: RuleId,
  { file, text }: Source,
  at: number,
  what: string,
  instead: string,
): Finding => ({ file, instead, line: lineAt(text, at), rule, what });
