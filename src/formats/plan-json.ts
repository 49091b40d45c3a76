// plan.json: a plan with its verdict, read strictly and written for people and programs alike.
//
// Every object is built with its keys in order, so that the hashes of the spine recompute from what was read. An action
// outside the catalogue is no action. Keeps B7, P7-F1. Not here: whether the hashes hold (spine/plan/verify-plan.ts).

import type { Action, Plan, PlanAnswer, PlanFile, PlanStep, StandsOn, Verdict } from "../spine/model.ts";
import { GAPS } from "../spine/observed-codes.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { plainly, wholeNumber } from "./expectation.ts";
import { BYTES_MAX, CPUS_MAX, isBytes, isCpus } from "./fields.ts";
import { digest, environmentName, flag, name, sentence, version, vmid } from "./json/json-fields.ts";
import {
  byKind,
  leaf,
  list,
  misfit,
  missingKey,
  oneOf,
  record,
  refined,
  type Shape,
  shaped,
} from "./json/json-shape.ts";
import type { Parsed } from "./problem.ts";
import { facts, refusal } from "./refusal-shape.ts";
import { statedShape } from "./stated.ts";

export const PLAN_SCHEMA = "https://schemas.dedalus.example/v1/plan.schema.json";

type ActionOf<K extends Action["kind"]> = Extract<Action, { readonly kind: K }>;

const plain = <K extends Action["kind"]>(kind: K) => record<{ readonly kind: K }>({ kind: oneOf([kind]) });
const snapshot = <K extends Action["kind"]>(kind: K) =>
  record<{ readonly kind: K; readonly snapshot: string }>({ kind: oneOf([kind]), snapshot: name });

const resize = refined(
  record<ActionOf<"vm.resize">>({
    cpus: { optional: leaf("number", isCpus, wholeNumber(1, CPUS_MAX)) },
    kind: oneOf(["vm.resize"]),
    memory: { optional: leaf("number", isBytes, { cause: "bytes", facts: { max: BYTES_MAX } }) },
  }),
  ({ cpus, memory }, field) =>
    cpus === undefined && memory === undefined
      ? misfit(field, refuse("value-wrong", { cause: "resize-empty" }))
      : undefined,
);

const action = byKind<Action>(
  {
    "vm.clone": record<ActionOf<"vm.clone">>({ kind: oneOf(["vm.clone"]), name, to: vmid }),
    "vm.delete": plain("vm.delete"),
    "vm.migrate": record<ActionOf<"vm.migrate">>({ kind: oneOf(["vm.migrate"]), node: name }),
    "vm.reboot": plain("vm.reboot"),
    "vm.reset": plain("vm.reset"),
    "vm.resize": resize,
    "vm.resume": plain("vm.resume"),
    "vm.shutdown": plain("vm.shutdown"),
    "vm.snapshot.create": snapshot("vm.snapshot.create"),
    "vm.snapshot.delete": snapshot("vm.snapshot.delete"),
    "vm.snapshot.rollback": snapshot("vm.snapshot.rollback"),
    "vm.start": plain("vm.start"),
    "vm.stop": plain("vm.stop"),
    "vm.suspend": plain("vm.suspend"),
  },
  "action-unknown",
);

const rulesVersion = leaf(
  "number",
  (value): value is number => Number.isSafeInteger(value) && Number(value) >= 1,
  plainly("whole-number"),
);

const step = record<PlanStep>({
  action,
  applies: oneOf(["now", "at-restart"]),
  basis: digest,
  entry: digest,
  facts,
  hash: digest,
  kind: oneOf(["step"]),
  name,
  power: oneOf(["none", "starts", "interrupts", "stops"]),
  protected: flag,
  reason: oneOf(["requested", "size-differs", "status-differs"]),
  undo: oneOf(["reversible", "lossy", "irreversible"]),
  vmid,
});

const answer = byKind<PlanAnswer>({
  refusal,
  "in-sync": record({ kind: oneOf(["in-sync"]), vmid }),
  step,
});

const chosen = list(vmid);
const everything = oneOf(["all"]);
const scope: Shape<Plan["scope"]> = (value, field, misfits) =>
  Array.isArray(value) ? chosen(value, field, misfits) : everything(value, field, misfits);

const plan = record<Plan>({
  answers: list(answer),
  environment: environmentName,
  hash: digest,
  observation: record<Plan["observation"]>({ complete: flag, gaps: list(statedShape(GAPS)) }),
  scope,
  standsOn: record<StandsOn>({
    desired: digest,
    environment: digest,
    observation: digest,
    policy: digest,
    rules: rulesVersion,
  }),
  version,
});

type Refused = Extract<Verdict, { readonly kind: "refused" }>;
type Judged = Exclude<Verdict, Refused>;

const refusals: Shape<Refused["refusals"]> = (value, field, misfits) => {
  const read = list(refusal)(value, field, misfits);
  const [first, ...rest] = read ?? [];
  if (first !== undefined) return [first, ...rest];
  if (read !== undefined) misfits.push(misfit(field, refuse("value-wrong", { cause: "refusals-empty" })));
  return undefined;
};

const judged = record<Judged>({
  kind: oneOf(["clear", "needs-approval"]),
  tiers: list(
    record<Judged["tiers"][number]>({ step: digest, tier: oneOf(["read", "low", "medium", "high", "irreversible"]) }),
  ),
});

/** Under which a plan is recorded; that it is one of this ledger is found there. */
const planId = leaf(
  "string",
  (value): value is string => typeof value === "string" && /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(value),
  plainly("plan-id"),
);

const planFile = refined(
  record<PlanFile>(
    {
      applicable: flag,
      because: { optional: oneOf(["local-door", "not-live", "over", "refused", "replayed"]) },
      id: { optional: planId },
      plan,
      verdict: byKind<Verdict>({
        clear: judged,
        "needs-approval": judged,
        refused: record<Refused>({ kind: oneOf(["refused"]), refusals }),
      }),
      version,
    },
    { $schema: sentence },
  ),
  ({ applicable, because }) => {
    if (applicable === true && because !== undefined) {
      return misfit("because", refuse("value-wrong", { cause: "because-of-applicable" }));
    }
    return applicable === false && because === undefined ? missingKey("", "because") : undefined;
  },
);

export const parsePlan = (text: string, file: string): Parsed<PlanFile> => shaped(text, file, planFile);

export const planText = ({ applicable, because, id, plan, verdict, version }: PlanFile): string => {
  const { answers, environment, hash, observation, scope, standsOn } = plan;
  const inOrder = { answers, environment, hash, observation, scope, standsOn, version: plan.version };
  return `${JSON.stringify({ $schema: PLAN_SCHEMA, applicable, because, id, plan: inOrder, verdict, version }, null, 2)}\n`;
};
