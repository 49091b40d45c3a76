// One check for each kind of input: parse it, and hold the answer to what every answer must be.
//
// An objection is a constant sentence, so that a shrunk input can be seen to fail for the same reason.

import { isDeepStrictEqual } from "node:util";
import { currentText, parseCurrent } from "../../src/formats/current-json.ts";
import { configToRecord } from "../../src/formats/dedalus/config-to-record.ts";
import { type Config, parseConfig } from "../../src/formats/dedalus/dedalus-yaml.ts";
import { type DesiredFile, parseDesired } from "../../src/formats/desired-yaml.ts";
import { parsePlan, planText } from "../../src/formats/plan-json.ts";
import { parsePolicy } from "../../src/formats/policy-yaml.ts";
import type { Parsed } from "../../src/formats/problem.ts";
import { parseResult, resultText } from "../../src/formats/result-json.ts";
import { sectionsOf } from "../../src/kernel/command/recorded-config.ts";
import type { Observation, PlanFile, ResultFile } from "../../src/spine/model.ts";
import { NO_POLICY, type Policy } from "../../src/spine/plan/policy.ts";
import { verifyPlan } from "../../src/spine/plan/verify-plan.ts";
import { higherTier, rowOf } from "../../src/spine/rules/actions.ts";
import { canonical } from "../../src/spine/values/canonical.ts";
import { known } from "../../src/wire.ts";
import { currentValue, desiredValue, ENVIRONMENT } from "./corpus.ts";
import { type Input, PLAN, type Target } from "./input.ts";
import { objectionsToPlanning } from "./judgement.ts";
import { objectionsToProblems } from "./objections.ts";

type Check = {
  readonly parse: (text: string) => Parsed<unknown>;
  readonly objections: (text: string) => readonly string[];
};

/** The objections to a parse: to its problems when it is bad, to its value otherwise. */
const check = <T>(
  parse: (text: string) => Parsed<T>,
  toValue: (value: T, text: string) => readonly string[],
): Check => ({
  objections: (text) => {
    const parsed = parse(text);
    return parsed.kind === "bad" ? objectionsToProblems(parsed.problems, text) : toValue(parsed.value, text);
  },
  parse,
});

const DESIRED = desiredValue();
const LOOK = currentValue();

const sameAgain = <T>(value: T, again: Parsed<T>, what: string): readonly string[] =>
  again.kind === "ok" && isDeepStrictEqual(again.value, value)
    ? []
    : [`${what} that is another one when it is read again`];

const desired = (text: string): Parsed<DesiredFile> => parseDesired(text, "desired.yaml");
const current = (text: string): Parsed<Observation> =>
  parseCurrent(text, "current.json", { complete: true, environment: ENVIRONMENT });

/** JSON is YAML; what stands outside of ASCII is escaped, so that only the parser of texts is asked, not the writer. */
const rewritten = ({ environment, vms }: DesiredFile): string =>
  JSON.stringify({ environment, version: 1, vms: vms.map(({ kind: _, ...entry }) => entry) }).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const toDesired = (value: DesiredFile): readonly string[] => [
  ...sameAgain(value, desired(rewritten(value)), "a desired file"),
  ...objectionsToPlanning(value, LOOK),
];

const toCurrent = (value: Observation): readonly string[] => [
  ...sameAgain(value, current(currentText(value)), "an observation"),
  ...objectionsToPlanning(DESIRED, value),
];

/** What surrounds plan and verdict in the file (applicable, because) is judged by whoever applies, from the record. */
const decisionIn = (text: string): string => {
  const { plan, verdict } = JSON.parse(text.replace(/^\ufeff/, ""));
  return canonical({ plan, verdict });
};
const DECISION = decisionIn(PLAN);

const toPlan = (value: PlanFile, text: string): readonly string[] => [
  ...sameAgain(value, parsePlan(planText(value), "plan.json"), "a plan"),
  ...(verifyPlan(value, NO_POLICY) === undefined && decisionIn(text) !== DECISION
    ? ["an altered plan that is believed"]
    : []),
];

const toResult = (value: ResultFile): readonly string[] =>
  sameAgain(value, parseResult(resultText(value), "result.json"), "a result");

const toConfig = (value: Config): readonly string[] =>
  Object.keys(
    sectionsOf(configToRecord(value, new Map(Array.from(value.environments.keys(), (name) => [name, NO_POLICY])))),
  ).length !== value.environments.size
    ? ["an environment without a section"]
    : [];

/** What was read says the same when it is written down, and asks for less of no action. */
const toPolicy = (value: Policy): readonly string[] => [
  ...sameAgain(value, parsePolicy(JSON.stringify(value), "policy.yaml"), "a policy"),
  ...(value.tighten.some(
    ({ action, to }) =>
      to !== undefined && to !== "refused" && (action === undefined || higherTier(to, rowOf(action).tier) !== to),
  )
    ? ["a policy that loosens"]
    : []),
];

const CHECKS = {
  bare: check(current, toCurrent),
  config: check((text) => parseConfig(text, "dedalus.yaml", known), toConfig),
  current: check(current, toCurrent),
  desired: check(desired, toDesired),
  plan: check((text) => parsePlan(text, "plan.json"), toPlan),
  policy: check((text) => parsePolicy(text, "policy.yaml"), toPolicy),
  result: check((text) => parseResult(text, "result.json"), toResult),
} as const satisfies Record<Target, Check>;

/** The first objection, or undefined; an exception is an objection like any other. */
export const objectionTo = ({ target, text }: Input): string | undefined => {
  try {
    return CHECKS[target].objections(text)[0];
  } catch (error) {
    return `it throws: ${error instanceof Error ? error.message : String(error)}`;
  }
};

export const isAccepted = ({ target, text }: Input): boolean => CHECKS[target].parse(text).kind === "ok";
