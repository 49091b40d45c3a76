// Fleet: every desired VM, what is wanted beside what was seen.

import type { ReactNode } from "react";
import { read } from "../ask/get.ts";
import type { PageProps } from "../pages.tsx";
import { InstantShown } from "../parts/instant.tsx";
import { Quoted } from "../parts/quoted.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { StateSign } from "../parts/state-sign.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";

export const FleetPage = ({ address }: PageProps<"fleet">): ReactNode => {
  const { environment } = address.query;
  const [snapshot, readAgain] = useSnapshot(`fleet ${environment}`, (signal) =>
    read("vms", environment === undefined ? {} : { environment }, signal),
  );
  return (
    <>
      <h1>Fleet</h1>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {({ at, vms }, head) => (
          <>
            <SnapshotHead head={head} readAgain={readAgain} />
            <p className="soft">
              {vms.length} VMs at <InstantShown at={at} />
            </p>
            <table>
              <thead>
                <tr>
                  <th scope="col">VM</th>
                  <th scope="col">Name</th>
                  <th scope="col">Desired</th>
                  <th scope="col">Observed</th>
                </tr>
              </thead>
              <tbody>
                {vms.map(({ environment: of, name, observed, target, vmid }) => (
                  <tr data-row key={`${of} ${vmid}`}>
                    <td className="machine">{vmid}</td>
                    <td>
                      <Quoted text={name} />
                    </td>
                    <td>
                      <StateSign state={target} />
                    </td>
                    <td>
                      <StateSign state={observed?.vmStatus ?? "unknown"} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </SnapshotShown>
    </>
  );
};
