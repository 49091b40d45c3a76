// What waits for approval: the steps of open plans that could be applied once enough people have agreed, and whose
// decision each is. Each is decided on its own page; nothing is decided here, and nothing stands before another but by
// its number.

import type { ReactNode } from "react";
import { actionWord } from "../action-word.ts";
import { readPath } from "../ask/get.ts";
import type { PageProps } from "../pages.tsx";
import { InstantShown } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import { LongTable, type TableColumn } from "../parts/long-table.tsx";
import { RuleLink } from "../parts/problem.tsx";
import { Quoted, Sentence } from "../parts/quoted.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { AgreementTold } from "../plans/agreement-told.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";
import { loadApprovals, type WaitingRow } from "./load-approvals.ts";

const COLUMNS: readonly TableColumn<WaitingRow>[] = [
  {
    cell: ({ action, planId, step }) => (
      <Link to={{ page: "step", parts: { plan: planId, step: String(step) }, query: {} }}>{actionWord(action)}</Link>
    ),
    head: "Step",
    isHeader: true,
    share: 8,
  },
  { cell: ({ environment }) => <Quoted text={environment} />, head: "Environment", share: 11 },
  {
    cell: ({ name, vmid }) => (
      <>
        <span className="machine">{vmid}</span> <Quoted text={name} />
      </>
    ),
    head: "VM",
    share: 12,
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
    share: 16,
  },
  {
    cell: ({ approvedBy, needed, reviewed }) => (
      <>
        <AgreementTold
          step={{ approvedBy, needed, status: "awaiting-approval", uncounted: reviewed?.uncounted ?? [] }}
        />
        <div className="soft">{stillText(needed - approvedBy.length)}</div>
      </>
    ),
    head: "Approvals",
    share: 14,
  },
  { cell: ({ reviewed }) => <Yours reviewed={reviewed} />, head: "Your decision", share: 19 },
  {
    cell: ({ endsAt }) => (endsAt === undefined ? "not given" : <InstantShown at={endsAt} />),
    head: "Expires",
    share: 20,
  },
];

const stillText = (count: number): string =>
  count === 1 ? "one more person must approve" : `${count} more people must approve`;

/** Whether it is the reader's to decide, and in the kernel's words why not. */
const Yours = ({ reviewed }: { readonly reviewed: WaitingRow["reviewed"] | undefined }): ReactNode => {
  if (reviewed === undefined) return <span className="soft">told on its page</span>;
  const { againstApproval, againstDenial } = reviewed;
  if (againstApproval.length === 0) return "You may decide.";
  return (
    <>
      {againstApproval.map(({ cause, code, rule, text }) => (
        <div key={`${code} ${cause ?? ""}`}>
          <Sentence text={`${text.summary}: ${text.detail}`} /> (<RuleLink rule={rule} />)
        </div>
      ))}
      {againstDenial.length === 0 ? "You may deny it." : undefined}
    </>
  );
};

export const ApprovalsPage = (_: PageProps<"approvals">): ReactNode => {
  const [snapshot, readAgain] = useSnapshot("approvals", loadApprovals);
  return (
    <>
      <h1>Approvals</h1>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {({ at, rows }, head) => (
          <>
            <SnapshotHead at={at} head={head} readAgain={readAgain} />
            <p>{rows.length === 0 ? "Nothing is waiting for approval." : `${rows.length} waiting for approval`}</p>
            {rows.length === 0 ? undefined : (
              <LongTable
                caption="Steps that wait for approval"
                columns={COLUMNS}
                keyOf={({ planId, step }) => `${planId} ${step}`}
                rows={rows}
              />
            )}
            <SameElsewhere commands={[spellCommand("status", {})]} paths={[readPath("status", {})]} />
          </>
        )}
      </SnapshotShown>
    </>
  );
};
