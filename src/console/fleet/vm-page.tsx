// VM: what is desired of one VM and what is believed of it, from which observation; what forbids anything, what is
// under way, and every record that concerns it.

import type { ReactNode } from "react";
import { readPath } from "../ask/get.ts";
import { againstAct } from "../ask/read-allowances.ts";
import type { PageProps } from "../pages.tsx";
import { ActButton } from "../parts/act-button.tsx";
import { Link } from "../parts/link.tsx";
import { Quoted } from "../parts/quoted.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";
import { loadVm } from "./load-vm.ts";
import { VmBelief, VmBlockers, VmSource } from "./vm-belief.tsx";
import { VmIntents, VmPlans } from "./vm-doings.tsx";
import { VmRecords } from "./vm-records.tsx";

export const VmPage = ({ address, session }: PageProps<"vm">): ReactNode => {
  const { environment, vmid: vm } = address.parts;
  const [snapshot, readAgain] = useSnapshot(`vm ${environment} ${vm}`, (signal) => loadVm(environment, vm, signal));
  return (
    <>
      <h1>
        VM <span className="machine">{vm}</span> in <Quoted text={environment} />
      </h1>
      <p className="pager">
        <Link to={{ page: "fleet", parts: {}, query: {} }}>Back to the fleet</Link>
        <Link to={{ page: "ledger", parts: {}, query: { environment, vm } }}>Its records in the ledger</Link>
        <Link to={{ page: "incident", parts: {}, query: { environment, vm } }}>As an incident</Link>
      </p>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {({ allowances, events, shown }, head) => (
          <>
            <SnapshotHead at={shown.at} environment={environment} head={head} readAgain={readAgain} />
            {shown.registeredVm === undefined ? (
              <p>It is no longer registered. What the ledger has of it is below.</p>
            ) : (
              <VmBelief shown={shown} vm={shown.registeredVm} />
            )}
            <VmBlockers vm={shown.registeredVm} />
            <VmIntents shown={shown} />
            <VmSource shown={shown} />
            <VmPlans plans={shown.plansOfVm} />
            <VmRecords events={events} />
            <SameElsewhere
              commands={[
                spellCommand("statusOfVm", { environment, vm }),
                spellCommand("history", { environment, vm }),
                ...(shown.blockedIntent === undefined ? [] : [spellCommand("reconcile", { environment, vm })]),
              ]}
              paths={[readPath("vm", { environment, vm }), readPath("history", { environment, vm })]}
            />
            {shown.blockedIntent === undefined ? undefined : (
              <ActButton
                against={againstAct(allowances, "reconcile", environment)}
                operation="reconcile"
                readAgain={readAgain}
                request={{ environment, vmid: vm }}
                session={session}
                title={`Reconcile VM ${vm} by a fresh observation`}
              />
            )}
          </>
        )}
      </SnapshotShown>
    </>
  );
};
