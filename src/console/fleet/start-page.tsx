// Start: the commands up to the first observation, for whoever has a service and nothing in it yet.
//
// They are run where the service runs, or by a command line that asks it; nothing is run here.

import type { ReactNode } from "react";
import { read, readPath } from "../ask/get.ts";
import type { PageProps } from "../pages.tsx";
import { Copyable } from "../parts/copyable.tsx";
import { Link } from "../parts/link.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";

export const StartPage = (_: PageProps<"start">): ReactNode => {
  const [snapshot, readAgain] = useSnapshot("start", (signal) => read("fleet", {}, signal));
  return (
    <>
      <h1>Start</h1>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {({ fleet }, head) => (
          <>
            <SnapshotHead head={head} readAgain={readAgain} />
            <p>Dedalus touches only what somebody wrote down. These commands lead to the first observation.</p>
            <ol>
              <li>
                Begin a configuration, where the service runs. It asks for the certificate of your provider.
                <Copyable name="Command" text={spellCommand("init", {})} />
              </li>
              <li>
                Check it.
                <Copyable name="Command" text={spellCommand("doctor", {})} />
              </li>
              {fleet.map(({ environment, observationsUsed, registeredVms }) => (
                <Environment
                  environment={environment}
                  isObserved={observationsUsed.length > 0}
                  key={environment}
                  vmCount={registeredVms.length}
                />
              ))}
            </ol>
            <p>
              Then the <Link to={{ page: "fleet", parts: {}, query: {} }}>fleet</Link> shows what is desired beside what
              was observed.
            </p>
            <SameElsewhere commands={[spellCommand("fleet", {})]} paths={[readPath("fleet", {})]} />
          </>
        )}
      </SnapshotShown>
    </>
  );
};

const Environment = ({
  environment,
  isObserved,
  vmCount,
}: {
  readonly environment: string;
  readonly isObserved: boolean;
  readonly vmCount: number;
}): ReactNode => (
  <>
    <li>
      {vmCount === 0
        ? `Nothing is registered for ${environment}. List what is there, edit it, and register it.`
        : `Registered for ${environment}: ${vmCount} ${vmCount === 1 ? "VM" : "VMs"}.`}
      {vmCount > 0 ? undefined : (
        <>
          <Copyable name="Command" text={spellCommand("importVms", { environment })} />
          <Copyable name="Command" text={spellCommand("register", { environment })} />
        </>
      )}
    </li>
    <li>
      {isObserved ? `${environment} was observed.` : `${environment} was not observed in the last day or two.`}
      {isObserved ? undefined : <Copyable name="Command" text={spellCommand("observe", { environment })} />}
    </li>
  </>
);
