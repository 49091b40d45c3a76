// What waits for approval: the steps of open plans that could be applied once enough people have agreed. Each is
// decided on its own page; nothing is decided here, and nothing stands before another but by its number.

import type { ReactNode } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { actionWord } from "../action-word.ts";
import { read, readPath } from "../ask/get.ts";
import type { PageProps } from "../pages.tsx";
import { InstantShown } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import { LongTable, type TableColumn } from "../parts/long-table.tsx";
import { Quoted } from "../parts/quoted.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";

type Waiting = AnswerBodies["status"]["waiting"][number];

const COLUMNS: readonly TableColumn<Waiting>[] = [
  {
    cell: ({ action, planId, step }) => (
      <Link to={{ page: "step", parts: { plan: planId, step: String(step) }, query: {} }}>{actionWord(action)}</Link>
    ),
    head: "Step",
    isHeader: true,
    share: 14,
  },
  { cell: ({ environment }) => <Quoted text={environment} />, head: "Environment", share: 12 },
  {
    cell: ({ name, vmid }) => (
      <>
        <span className="machine">{vmid}</span> <Quoted text={name} />
      </>
    ),
    head: "VM",
    share: 18,
  },
  {
    cell: ({ approvalRequests, by }) => (
      <>
        <Quoted text={by} />
        {approvalRequests.map(({ by: asker, id, reason }) =>
          reason === undefined ? undefined : (
            <p className="soft" key={id}>
              {asker === by ? undefined : (
                <>
                  <Quoted text={asker} />:{" "}
                </>
              )}
              “<Quoted text={reason} />”
            </p>
          ),
        )}
      </>
    ),
    head: "Requested by",
    share: 24,
  },
  { cell: ({ approvedBy, needed }) => `${approvedBy.length} of ${needed}`, head: "Approvals", share: 12 },
  {
    cell: ({ endsAt }) => (endsAt === undefined ? "not given" : <InstantShown at={endsAt} />),
    head: "Expires",
    share: 20,
  },
];

export const ApprovalsPage = (_: PageProps<"approvals">): ReactNode => {
  const [snapshot, readAgain] = useSnapshot("approvals", (signal) => read("status", {}, signal));
  return (
    <>
      <h1>Approvals</h1>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {({ at, waiting }, head) => (
          <>
            <SnapshotHead at={at} head={head} readAgain={readAgain} />
            <p>{waiting.length === 0 ? "Nothing waits." : `${waiting.length} waiting`}</p>
            {waiting.length === 0 ? undefined : (
              <LongTable
                caption="Steps that wait for approval"
                columns={COLUMNS}
                keyOf={({ planId, step }) => `${planId} ${step}`}
                rows={waiting}
              />
            )}
            <SameElsewhere commands={[spellCommand("status", {})]} paths={[readPath("status", {})]} />
          </>
        )}
      </SnapshotShown>
    </>
  );
};
