// An explanation as a document: one answer of a plan with its facts, its effect and the rules that were weighed. Hashes
// cover it, so that its names are those of the model (src/spine/model.ts), whatever answers call the same.

import { RULE_IDS } from "../../src/spine/rules/invariants.ts";
import { BOOLEAN, described, documentIn, type JsonSchema, listOf, objectOf, oneOf, part, TEXT } from "./json-schema.ts";

const DIGEST = documentIn("plan", "$defs/digest");
const STEP_MEMBERS = ["action", "applies", "hash", "name", "power", "reason", "undo"] as const;

const STEP = Object.fromEntries(
  STEP_MEMBERS.map((name) => [name, documentIn("plan", `$defs/step/properties/${name}`)]),
);

const MEMBERS: Readonly<Record<string, JsonSchema>> = {
  answer: described("What the plan answers.", oneOf("in-sync", "refusal", "step")),
  at: described("When.", { pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$", type: "string" }),
  by: described("Who.", TEXT),
  complete: described("Whether the observation was.", BOOLEAN),
  denied: described("The last no to the same action on the same VM.", part("denied")),
  effect: described("What comes of it.", oneOf("in-sync", "no-step", "performed", "plan-refused")),
  environment: described("The environment.", TEXT),
  evidence: described(
    "What was seen of the rule.",
    oneOf(
      ..."all-seen name-as-desired no-sign-of-production one-action policy-rate policy-tier policy-window protected-untouched same-environment state-fits state-seen".split(
        " ",
      ),
    ),
  ),
  facts: described("What was weighed, by name.", documentIn("plan", "$defs/facts")),
  hash: described("Of this explanation without this field.", DIGEST),
  held: described("Whether the rule held.", BOOLEAN),
  id: described("The record.", TEXT),
  plan: described("The hash of the plan.", DIGEST),
  reason: described("As it was given.", TEXT),
  refusal: described("Why the rule would be broken.", documentIn("plan", "$defs/refusal")),
  rule: { description: "The rule.", enum: RULE_IDS },
  rules: described("The rules that were weighed.", listOf(part("weighed"))),
  step: described("The step; absent when there is none to perform.", part("step")),
  vmid: described("The VM.", documentIn("plan", "$defs/vmid")),
};

export const EXPLANATION: JsonSchema = {
  title: "An explanation",
  description:
    "One answer of a plan: facts, effect, and the rules that were weighed, in codes. Its hash is what a confirmation names.",
  ...objectOf(MEMBERS, ..."answer complete denied? effect environment facts hash plan rules step? vmid".split(" ")),
  $defs: {
    denied: described("A denial.", objectOf(MEMBERS, "at", "by", "id", "reason")),
    step: described("One action on one VM.", objectOf(STEP, ...STEP_MEMBERS)),
    weighed: described("A rule that held, or that would be broken.", {
      oneOf: [objectOf(MEMBERS, "evidence", "facts", "held", "rule"), objectOf(MEMBERS, "held", "refusal", "rule")],
    }),
  },
};
