// result.json: how one intent ended, read strictly and written for people and programs alike.
//
// Keeps B7: the action is one of the catalogue. Not here: what proves an outcome (the kernel).

import type { ActionKind, ResultFile, VmChange } from "../spine/model.ts";
import { CHANGEABLE } from "../spine/plan/changed.ts";
import { ACTIONS } from "../spine/rules/actions.ts";
import { OUTCOME_CAUSES, type OutcomeCause } from "../spine/rules/outcome-causes.ts";
import { digest, environmentName, sentence, shortText, version, vmid } from "./json/json-fields.ts";
import { list, oneOf, record, shaped } from "./json/json-shape.ts";
import type { Parsed } from "./problem.ts";
import { fact, facts, refusal } from "./refusal-shape.ts";
import { diagnosticShape } from "./stated.ts";

export const RESULT_SCHEMA = "https://schemas.dedalus.example/v1/result.schema.json";

const change = record<VmChange>({ field: oneOf(CHANGEABLE), now: { optional: fact }, was: { optional: fact } });

const resultFile = record<ResultFile>(
  {
    action: oneOf(Object.keys(ACTIONS) as readonly ActionKind[], "action-unknown"),
    cause: oneOf(Object.keys(OUTCOME_CAUSES) as readonly OutcomeCause[]),
    changed: { optional: list(change) },
    diagnostics: { optional: list(diagnosticShape) },
    environment: environmentName,
    facts: { optional: facts },
    outcome: oneOf(["succeeded", "failed", "unknown"]),
    plan: digest,
    reference: { optional: shortText },
    refusal: { optional: refusal },
    said: { optional: shortText },
    step: digest,
    version,
    vmid,
  },
  { $schema: sentence },
);

export const parseResult = (text: string, file: string): Parsed<ResultFile> => shaped(text, file, resultFile);

export const resultText = (result: ResultFile): string => {
  const inOrder = Object.fromEntries(Object.entries(result).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ $schema: RESULT_SCHEMA, ...inOrder }, null, 2)}\n`;
};
