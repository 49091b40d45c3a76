// The way of a step through the records, stage by stage: what led to it, what was granted or refused at each stage, and
// which stages the records do not have.
//
// A step is known by its plan and its number; a plan names its observation, and what follows an apply names it as its
// intent. Total: what a record does not say is not guessed. Not here: whether a stage was needed, which is the rules'.

import { cameTo, type RecordSeen } from "./seen-record.ts";

const FLOW_STAGES = ["observe", "plan", "request", "approve", "challenge", "apply", "dispatched", "outcome"] as const;
export type FlowStage = (typeof FLOW_STAGES)[number];

const STAGE_OF: Readonly<Record<string, FlowStage>> = {
  apply: "apply",
  approve: "approve",
  challenge: "challenge",
  deny: "approve",
  dispatched: "dispatched",
  observe: "observe",
  outcome: "outcome",
  plan: "plan",
  reconcile: "outcome",
  recover: "outcome",
  "request-approval": "request",
};

export type StageSeen = {
  readonly records: readonly { readonly isRefused: boolean; readonly kind: string; readonly seq: number }[];
  readonly stage: FlowStage;
};
export type FlowSeen = {
  /** The plan's id. */
  readonly plan: string;
  readonly stages: readonly StageSeen[];
  /** Counted from 1; undefined of a plan of which no step was asked for. */
  readonly step?: number;
};

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => Object(value) as Fields;
const requestOf = ({ body }: RecordSeen): Fields => fieldsOf(body["request"]);

type StepKey = { readonly plan: string; readonly step: number };

const stepIn = (record: RecordSeen): StepKey | undefined => {
  const { index, plan } = fieldsOf(requestOf(record)["of"]);
  return typeof plan === "string" && typeof index === "number" ? { plan, step: index + 1 } : undefined;
};

/** In the order of the first record of each. */
export const flowsIn = (records: readonly RecordSeen[]): readonly FlowSeen[] => {
  const stepOfApply = new Map<unknown, StepKey>();
  for (const record of records) {
    const step = stepIn(record);
    if (record.kind === "apply" && step !== undefined) stepOfApply.set(record.auditId, step);
  }
  const stepOf = (record: RecordSeen): StepKey | undefined =>
    stepIn(record) ?? stepOfApply.get(requestOf(record)["intent"]);
  const flows = new Map<string, { readonly key: StepKey; readonly records: RecordSeen[] }>();
  for (const record of records) {
    const key = stepOf(record);
    if (key === undefined || STAGE_OF[record.kind] === undefined) continue;
    const name = `${key.plan} ${key.step}`;
    const flow = flows.get(name) ?? { key, records: [] };
    flow.records.push(record);
    flows.set(name, flow);
  }
  const steps = [...flows.values()].map(({ key, records: own }) => flowOf(key.plan, own, records, key.step));
  const stepped = new Set(steps.map(({ plan }) => plan));
  const bare = records
    .filter((record) => record.kind === "plan" && !stepped.has(record.auditId))
    .map((record) => flowOf(record.auditId, [], records));
  return [...steps, ...bare].toSorted((one, other) => firstOf(one) - firstOf(other));
};

const firstOf = ({ stages }: FlowSeen): number =>
  Math.min(...stages.flatMap(({ records }) => records.map(({ seq }) => seq)));

const flowOf = (plan: string, own: readonly RecordSeen[], all: readonly RecordSeen[], step?: number): FlowSeen => {
  const planned = all.filter((record) => record.kind === "plan" && record.auditId === plan);
  const observations = new Set(planned.map((record) => requestOf(record)["observation"]));
  const observed = all.filter((record) => record.kind === "observe" && observations.has(record.auditId));
  const records = [...observed, ...planned, ...own];
  const stages = FLOW_STAGES.map((stage) => ({
    records: records
      .filter(({ kind }) => STAGE_OF[kind] === stage)
      .map((record) => ({
        isRefused: cameTo(record)?.kind === "refused",
        kind: record.kind,
        seq: record.seq,
      })),
    stage,
  }));
  return { plan, stages, ...(step !== undefined && { step }) };
};
