// The members of what is told of two plans side by side. The same table as fields.ts, which has them too.

import { count, described, documentIn, type JsonSchema, list, oneOf, part, TEXT, text } from "./json-schema.ts";

const VALUE: JsonSchema = {
  anyOf: [{ type: ["boolean", "integer", "string"] }, { items: { type: ["integer", "string"] }, type: "array" }],
};

export const COMPARED_FIELDS: Readonly<Record<string, JsonSchema>> = {
  answerAfter: described("What this plan answers; absent where it does not.", documentIn("plan", "$defs/answer")),
  answerBefore: described("What the other plan answers; absent where it does not.", documentIn("plan", "$defs/answer")),
  attributesText: text("What is otherwise in the entry, in words."),
  fact: text("A fact, by its name."),
  factNow: described("Absent where the answer has no such fact.", VALUE),
  factsMoved: list("Facts of the answers that differ.", part("factMoved")),
  factWas: described("Absent where the answer has no such fact.", VALUE),
  groundsMoved: list(
    "What the plans stand on, and is another.",
    oneOf("desired", "environment", "observation", "policy", "rules", "scope"),
  ),
  membersMoved: list("In what the answers differ, besides their facts.", TEXT),
  movedVms: list("VMs for which the plans answer otherwise, by vmid.", part("vmMoved")),
  planAfter: described("The plan that was asked for.", part("planSide")),
  planBefore: described("The one that it is compared with.", part("planSide")),
  sameCount: count("VMs for which both answer the same."),
  stateChanged: described("What is otherwise in what was observed of it.", documentIn("result", "properties/changed")),
  stateText: text("The same, in words."),
  textAfter: text("What this plan answers, in words."),
  textBefore: text("What the other plan answers, in words."),
};
