// Plans: those of the last day or two, oldest first, as they were recorded.

import type { ReactNode } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { actionWord } from "../action-word.ts";
import { read, readPath } from "../ask/get.ts";
import type { PageProps } from "../pages.tsx";
import { LongTable, type TableColumn } from "../parts/long-table.tsx";
import { Quoted } from "../parts/quoted.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";
import { planColumns } from "./plan-columns.tsx";

type PlanListed = AnswerBodies["plans"]["plans"][number];

const FIRST = planColumns({ by: 11, observed: 17, plan: 20 });

const COLUMNS: readonly TableColumn<PlanListed>[] = [
  FIRST.plan,
  { cell: ({ environment }) => <Quoted text={environment} />, head: "Environment", share: 10 },
  FIRST.by,
  FIRST.observed,
  {
    cell: ({ status, verdictKind }) => (
      <>
        {status.replaceAll("-", " ")}
        <div className="soft">verdict {verdictKind.replaceAll("-", " ")}</div>
      </>
    ),
    head: "Status",
    share: 14,
  },
  { cell: ({ counts, does }) => <Does counts={counts} does={does} />, head: "Does", share: 28 },
];

const Does = ({ counts, does }: Pick<PlanListed, "counts" | "does">): ReactNode => (
  <>
    {does.length === 0 ? "nothing" : undefined}
    {does.map(({ action, count, name, vmid }, at) => (
      <span key={action}>
        {at === 0 ? "" : ", "}
        {actionWord(action)}{" "}
        {name === undefined ? (
          `${count} VMs`
        ) : (
          <>
            <Quoted text={name} /> (VM {vmid})
          </>
        )}
      </span>
    ))}
    <div className="soft">
      {counts.refused} refused, {counts.inSync} in sync
    </div>
  </>
);

export const PlansPage = (_: PageProps<"plans">): ReactNode => {
  const [snapshot, readAgain] = useSnapshot("plans", (signal) => read("plans", {}, signal));
  return (
    <>
      <h1>Plans</h1>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {({ plans }, head) => (
          <>
            <SnapshotHead head={head} readAgain={readAgain} />
            {plans.length === 0 ? (
              <p>No plan was made in the last day or two.</p>
            ) : (
              <LongTable
                caption="Plans of the last day or two, oldest first"
                columns={COLUMNS}
                keyOf={({ id }) => id}
                rows={plans}
              />
            )}
            <SameElsewhere commands={[spellCommand("plans", {})]} paths={[readPath("plans", {})]} />
          </>
        )}
      </SnapshotShown>
    </>
  );
};
