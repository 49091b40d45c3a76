// Parameter schemas: which parameters a method knows, their types, and the words in which a wrong one is refused.
//
// Every wrong parameter is named, not only the first. The texts are those of Proxmox VE.

import type { Errors } from "./api-reply.ts";

export type Params = ReadonlyMap<string, string>;
export type Rule = {
  readonly type: "boolean" | "integer" | "number" | "string";
  readonly isRequired?: true;
  readonly min?: number;
  readonly max?: number;
  readonly lengthMax?: number;
  readonly oneOf?: readonly string[];
  /** The text of what is wrong; undefined when nothing is. */
  readonly format?: (value: string) => string | undefined;
  /** Nobody but root itself, and no token of root. */
  readonly isForRoot?: true;
};
/** Names may be patterns, such as net[0-9]+. */
export type Schema = Readonly<Record<string, Rule>>;

export const INTEGER: Rule = { type: "integer" };
export const BOOLEAN: Rule = { type: "boolean" };
export const TEXT: Rule = { type: "string" };
export const required = (rule: Rule): Rule => ({ ...rule, isRequired: true });
export const VMID: Rule = { isRequired: true, max: 999_999_999, min: 100, type: "integer" };
export const NODE: Rule = {
  format: (value) =>
    /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/.test(value)
      ? undefined
      : "invalid format - value does not look like a valid node name\n",
  isRequired: true,
  type: "string",
};

const PATTERNS: Readonly<Record<Rule["type"], RegExp>> = {
  boolean: /^(?:1|0|on|off|yes|no|true|false)$/i,
  integer: /^[+-]?[0-9]+$/,
  number: /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/,
  string: /[\s\S]*/,
};

const wrongIn = (rule: Rule, value: string, isRoot: boolean): string | undefined => {
  if (rule.isForRoot === true && !isRoot) return "Only root may use this option.";
  if (!PATTERNS[rule.type].test(value)) return `type check ('${rule.type}') failed - got '${value}'`;
  if (rule.min !== undefined && Number(value) < rule.min) return `value must have a minimum value of ${rule.min}`;
  if (rule.max !== undefined && Number(value) > rule.max) return `value must have a maximum value of ${rule.max}`;
  const misfit = rule.format?.(value);
  if (misfit !== undefined) return misfit;
  if (rule.lengthMax !== undefined && value.length > rule.lengthMax) {
    return `value may only be ${rule.lengthMax} characters long`;
  }
  if (rule.oneOf !== undefined && !rule.oneOf.includes(value)) {
    return `value '${value}' does not have a value in the enumeration '${rule.oneOf.join(", ")}'`;
  }
  return undefined;
};

type Matcher = readonly [RegExp, Rule];

/** Schemas never change, so their patterns are made once. */
const matchers = new WeakMap<Schema, readonly Matcher[]>();

const matchersOf = (schema: Schema): readonly Matcher[] => {
  const made =
    matchers.get(schema) ?? Object.entries(schema).map(([name, rule]): Matcher => [new RegExp(`^(?:${name})$`), rule]);
  matchers.set(schema, made);
  return made;
};

/** Undefined when every parameter fits. */
export const wrongWith = (schema: Schema, params: Params, isRoot: boolean): Errors | undefined => {
  const errors: Record<string, string> = {};
  for (const [name, value] of params) {
    const rule = matchersOf(schema).find(([pattern]) => pattern.test(name))?.[1];
    const text =
      rule === undefined
        ? "property is not defined in schema and the schema does not allow additional properties"
        : wrongIn(rule, value, isRoot);
    if (text !== undefined) errors[name] = text;
  }
  for (const [name, rule] of Object.entries(schema)) {
    if (rule.isRequired === true && !params.has(name)) errors[name] = "property is missing and it is not optional";
  }
  return Object.keys(errors).length === 0 ? undefined : errors;
};

export const isTrue = (value: string | undefined): boolean => value !== undefined && /^(?:1|on|yes|true)$/i.test(value);
