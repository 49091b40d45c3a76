// The single fields that the JSON formats share, as shapes: the same predicates that the YAML formats use.

import { type Instant, isVmid, type Sha256, VMID_MAX, type Vmid } from "../../spine/model.ts";
import { RULE_IDS } from "../../spine/rules/invariants.ts";
import { REFUSAL_CODES } from "../../spine/rules/refusals.ts";
import { isEnvironmentName, isName, isSha256Text, isText, parseInstant } from "../fields.ts";
import { leaf, oneOf, type Shape } from "./json-shape.ts";

export const flag = leaf("boolean", (value): value is boolean => typeof value === "boolean", "true or false");
export const version = leaf("number", (value): value is 1 => value === 1, "version 1", "version-unknown");
export const environmentName = leaf(
  "string",
  (value): value is string => isEnvironmentName(value),
  "an environment's name: small letters, digits and hyphens, a letter first",
);
export const name = leaf(
  "string",
  (value): value is string => isName(value),
  "a name: 1 to 255 visible characters, no blank at either end",
);
export const shortText = leaf(
  "string",
  (value): value is string => isText(value),
  "a text of 1 to 1000 visible characters",
);
export const vmid: Shape<Vmid> = leaf("number", isVmid, `a whole number from 1 to ${VMID_MAX}`);
export const digest: Shape<Sha256> = leaf(
  "string",
  (value): value is Sha256 => isSha256Text(value),
  "a SHA-256 in 64 small hexadecimal digits",
);
export const refusalCode = oneOf(REFUSAL_CODES);
export const ruleId = oneOf(RULE_IDS);

/** Joined from many short texts, so it has no length of its own; still one line, and safe to print. */
const SENTENCE_PATTERN = "^[^\\p{C}\\p{Zl}\\p{Zp}]+$";
const SENTENCE = new RegExp(SENTENCE_PATTERN, "u");
export const sentence = leaf(
  "string",
  (value): value is string => SENTENCE.test(value),
  "a text of visible characters",
);

const instantText = leaf(
  "string",
  (value): value is string => parseInstant(value) !== undefined,
  "a time in UTC such as 2026-11-15T10:00:00Z",
);
export const instant: Shape<Instant> = (value, field, misfits) => {
  const text = instantText(value, field, misfits);
  return text === undefined ? undefined : parseInstant(text);
};
