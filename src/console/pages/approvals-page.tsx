// What waits for approval: the steps of open plans that could be applied once enough people have agreed. Each is
// decided on its own page; nothing is decided here, and nothing stands before another but by its number.

import type { ReactNode } from "react";
import { read, readPath } from "../ask/get.ts";
import type { PageProps } from "../pages.tsx";
import { InstantShown } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import { Quoted } from "../parts/quoted.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-command.ts";

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
              <table>
                <thead>
                  <tr>
                    <th scope="col">Step</th>
                    <th scope="col">Environment</th>
                    <th scope="col">VM</th>
                    <th scope="col">Requested by</th>
                    <th scope="col">Approvals</th>
                    <th scope="col">Expires</th>
                  </tr>
                </thead>
                <tbody>
                  {waiting.map(({ action, approvedBy, by, endsAt, environment, name, needed, planId, step, vmid }) => (
                    <tr data-row key={`${planId} ${step}`}>
                      <td>
                        <Link to={{ page: "step", parts: { plan: planId, step: String(step) }, query: {} }}>
                          {action.replace(/^vm\./, "")}
                        </Link>
                      </td>
                      <td>
                        <Quoted text={environment} />
                      </td>
                      <td>
                        <span className="machine">{vmid}</span> <Quoted text={name} />
                      </td>
                      <td>
                        <Quoted text={by} />
                      </td>
                      <td>
                        {approvedBy.length} of {needed}
                      </td>
                      <td>{endsAt === undefined ? "not given" : <InstantShown at={endsAt} />}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            <SameElsewhere commands={[spellCommand("status", {})]} paths={[readPath("status", {})]} />
          </>
        )}
      </SnapshotShown>
    </>
  );
};
