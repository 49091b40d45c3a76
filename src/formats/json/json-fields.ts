// The single fields that the JSON formats share, as shapes: the same predicates that the YAML formats use.

import { type Instant, isVmid, type Sha256, VMID_MAX, type Vmid } from "../../spine/model.ts";
import { RULE_IDS } from "../../spine/rules/invariants.ts";
import { REFUSAL_CODES, refuse } from "../../spine/rules/refusals.ts";
import { plainly, wholeNumber } from "../expectation.ts";
import { isEnvironmentName, isName, isSha256Text, isText, parseInstant } from "../fields.ts";
import { leaf, oneOf, type Shape } from "./json-shape.ts";

export const flag = leaf("boolean", (value): value is boolean => typeof value === "boolean", plainly("flag"));
const VERSION = { known: 1 };
export const version = leaf(
  "number",
  (value): value is 1 => value === 1,
  { cause: "version", facts: VERSION },
  (found) => refuse("version-unknown", { cause: "version", facts: { ...VERSION, ...found } }),
);
export const environmentName = leaf(
  "string",
  (value): value is string => isEnvironmentName(value),
  plainly("environment-name"),
);
export const name = leaf("string", (value): value is string => isName(value), plainly("name"));
export const shortText = leaf("string", (value): value is string => isText(value), plainly("line"));
export const vmid: Shape<Vmid> = leaf("number", isVmid, wholeNumber(1, VMID_MAX));
export const digest: Shape<Sha256> = leaf("string", (value): value is Sha256 => isSha256Text(value), plainly("digest"));
export const refusalCode = oneOf(REFUSAL_CODES);
export const ruleId = oneOf(RULE_IDS);

/** Joined from many short texts, so it has no length of its own; still one line, and safe to print. */
const SENTENCE_PATTERN = "^[^\\p{C}\\p{Zl}\\p{Zp}]+$";
const SENTENCE = new RegExp(SENTENCE_PATTERN, "u");
export const sentence = leaf("string", (value): value is string => SENTENCE.test(value), plainly("visible-text"));

const instantText = leaf("string", (value): value is string => parseInstant(value) !== undefined, plainly("utc-time"));
export const instant: Shape<Instant> = (value, field, misfits) => {
  const text = instantText(value, field, misfits);
  return text === undefined ? undefined : parseInstant(text);
};
