// The answers of a plan, one row each: a refusal takes as much room as a step, and says what would have to be true.

import type { ReactNode } from "react";
import { type SeenRefusal, type SeenStep, seenRefusal, seenStep } from "../../boundary/contract/seen-plan.ts";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { pathTo } from "../page-address.ts";
import { LongTable, type TableColumn } from "../parts/long-table.tsx";
import { RefusalPart } from "../parts/problem.tsx";
import { Quoted, Sentence } from "../parts/quoted.tsx";
import { StateSign, type StateWord } from "../parts/state-sign.tsx";
import { AgreementTold } from "./agreement-told.tsx";

type PlanRead = AnswerBodies["showPlan"];
type Answer = PlanRead["plan"]["answers"][number];
type StepAnswer = Extract<Answer, { readonly kind: "step" }>;

export type PlanRow = {
  readonly kind: Answer["kind"];
  readonly name?: string;
  /** The page of the step. */
  readonly path?: string;
  readonly progress?: PlanRead["steps"][number];
  readonly refusal?: SeenRefusal;
  readonly seen?: SeenStep;
  readonly step?: StepAnswer;
  readonly vmid: number | undefined;
};

/** Steps are counted as they stand in the plan. */
export const planRows = ({ id, plan, steps }: Pick<PlanRead, "id" | "plan" | "steps">): readonly PlanRow[] => {
  const byVm = new Map<number, PlanRead["steps"][number]>(steps.map((progress) => [progress.vmid, progress]));
  let number = 0;
  return plan.answers.map((answer): PlanRow => {
    const { kind, vmid } = answer;
    if (kind === "in-sync") return { kind, vmid };
    if (kind === "refusal") return { kind, refusal: seenRefusal(answer), vmid };
    number += 1;
    const progress = byVm.get(vmid);
    const row = {
      kind,
      name: answer.name,
      path: pathTo({ page: "step", parts: { plan: id, step: String(number) }, query: {} }),
      seen: seenStep(answer),
      step: answer,
    };
    return { ...row, vmid, ...(progress && { progress }) };
  });
};

export const ANSWER_SIGNS: Readonly<Record<Answer["kind"], StateWord>> = {
  "in-sync": "in sync",
  refusal: "refused",
  step: "step",
};

export const PLAN_SHOWS = [
  ["", "every answer"],
  ["step", "steps"],
  ["refused", "refusals"],
  ["in-sync", "in sync"],
] as const;
const SHOWN: Readonly<Record<string, Answer["kind"]>> = { "in-sync": "in-sync", refused: "refusal", step: "step" };

export const isPlanShow = (show: string | undefined): boolean => show === undefined || Object.hasOwn(SHOWN, show);

export const narrowPlan = (
  rows: readonly PlanRow[],
  { find = "", show }: { readonly find?: string; readonly show?: string },
): readonly PlanRow[] => {
  const kind = show === undefined ? undefined : SHOWN[show];
  const text = find.trim().toLowerCase();
  if (kind === undefined && text === "") return rows;
  return rows.filter((row) => (kind === undefined || row.kind === kind) && (text === "" || isFound(row, text)));
};

const isFound = ({ name, refusal, seen, vmid }: PlanRow, text: string): boolean =>
  String(vmid) === text ||
  [name, refusal?.code, refusal?.rule, seen?.action].some((one) => one?.toLowerCase().includes(text) ?? false);

const COLUMNS: readonly TableColumn<PlanRow>[] = [
  {
    cell: ({ name, vmid }) => (
      <>
        <span className="machine">{vmid ?? "none"}</span>
        {name === undefined ? undefined : (
          <>
            {" "}
            <Quoted text={name} />
          </>
        )}
      </>
    ),
    head: "VM",
    isHeader: true,
    share: 14,
  },
  { cell: ({ kind }) => <StateSign state={ANSWER_SIGNS[kind]} />, head: "Answer", share: 10 },
  { cell: (row) => <What {...row} />, head: "What, or why not", share: 34 },
  { cell: ({ step }) => step?.power ?? <None />, head: "Power", share: 9 },
  { cell: ({ step }) => step?.undo ?? <None />, head: "Undo", share: 9 },
  { cell: ({ progress }) => progress?.tier ?? <None />, head: "Tier", share: 8 },
  {
    cell: ({ progress }) => (progress === undefined ? <None /> : <AgreementTold step={progress} />),
    head: "Approvals",
    share: 16,
  },
];

/** Nothing to say here: said, so that nobody takes it for something that is not known. */
const None = (): ReactNode => <span className="soft none">none</span>;

const What = ({ path, progress, refusal, seen }: PlanRow): ReactNode => {
  if (refusal !== undefined) return <RefusalPart refusal={refusal} />;
  if (seen === undefined) return <>as desired</>;
  const { action, told } = seen;
  return (
    <>
      <a href={path}>{action}</a> <Sentence text={told.join(", ")} />
      {progress === undefined ? undefined : (
        <div className="soft">
          Step {progress.step}, {progress.status.replaceAll("-", " ")}
        </div>
      )}
    </>
  );
};

export const PlanTable = ({ rows }: { readonly rows: readonly PlanRow[] }): ReactNode => (
  <LongTable
    caption="What the plan answers for each VM"
    columns={COLUMNS}
    keyOf={({ kind, vmid }) => `${kind} ${vmid}`}
    rows={rows}
  />
);
