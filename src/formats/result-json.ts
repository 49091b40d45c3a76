// result.json: how one intent ended, read strictly and written for people and programs alike.
//
// Keeps B7: the action is one of the catalogue. Not here: what proves an outcome (the kernel).

import type { ActionKind, ResultFile } from "../spine/model.ts";
import { CHANGEABLE } from "../spine/plan/changed.ts";
import { ACTIONS } from "../spine/rules/actions.ts";
import { OUTCOME_CAUSES, type OutcomeCause } from "../spine/rules/outcome-causes.ts";
import { digest, environmentName, sentence, shortText, version, vmid } from "./json/json-fields.ts";
import { list, oneOf, record, shaped } from "./json/json-shape.ts";
import type { Parsed } from "./problem.ts";

export const RESULT_SCHEMA = "https://schemas.dedalus.example/v1/result.schema.json";

const resultFile = record<ResultFile>(
  {
    action: oneOf(Object.keys(ACTIONS) as readonly ActionKind[], "action-unknown"),
    because: sentence,
    cause: oneOf(Object.keys(OUTCOME_CAUSES) as readonly OutcomeCause[]),
    changed: { optional: list(oneOf(CHANGEABLE)) },
    environment: environmentName,
    outcome: oneOf(["succeeded", "failed", "unknown"]),
    plan: digest,
    reference: { optional: shortText },
    said: { optional: shortText },
    step: digest,
    version,
    vmid,
  },
  { $schema: sentence },
);

export const parseResult = (text: string, file: string): Parsed<ResultFile> => shaped(text, file, resultFile);

export const resultText = (result: ResultFile): string => {
  const { action, because, cause, changed, environment, outcome, plan, reference, said, step, version, vmid } = result;
  const inOrder = { action, because, cause, changed, environment, outcome, plan, reference, said, step, version, vmid };
  return `${JSON.stringify({ $schema: RESULT_SCHEMA, ...inOrder }, null, 2)}\n`;
};
