// Facts, and a refusal with them, as JSON holds them: in a plan, and in the result of a step.

import type { Fact, Facts, Refusal } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { plainly } from "./expectation.ts";
import { fieldOf } from "./field-path.ts";
import { refusalCode, ruleId, sentence, vmid } from "./json/json-fields.ts";
import { asObject, leaf, list, misfit, oneOf, record, type Shape } from "./json/json-shape.ts";

const FACT_KEY = /^[a-z][A-Za-z0-9]{0,63}$/;
const whole = leaf("number", (value): value is number => Number.isSafeInteger(value), plainly("whole-number"));

const single: Shape<string | number> = (value, field, misfits) =>
  typeof value === "number" ? whole(value, field, misfits) : sentence(value, field, misfits);
const several = list(single);

export const fact: Shape<Fact> = (value, field, misfits) => {
  if (typeof value === "boolean") return value;
  return Array.isArray(value) ? several(value, field, misfits) : single(value, field, misfits);
};

export const facts: Shape<Facts> = (value, field, misfits) => {
  const object = asObject(value, field, misfits);
  if (object === undefined) return undefined;
  const before = misfits.length;
  const built: Record<string, Fact> = {};
  for (const key of Object.keys(object).sort()) {
    const member = fieldOf(field, key);
    const read = fact(object[key], member, misfits);
    if (!FACT_KEY.test(key))
      misfits.push({ ...misfit(member, refuse("key-unknown", { cause: "not-a-fact" })), on: "key" });
    else if (read !== undefined) built[key] = read;
  }
  return misfits.length === before ? built : undefined;
};

export const refusal = record<Refusal>({
  cause: { optional: sentence },
  code: refusalCode,
  facts,
  kind: oneOf(["refusal"]),
  rule: ruleId,
  stage: oneOf(["input", "plan", "safety", "kernel", "ledger"]),
  vmid: { optional: vmid },
});
