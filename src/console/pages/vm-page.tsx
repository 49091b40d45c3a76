// VM: what is desired of one VM and what is believed of it, from which observation; what forbids anything, what is
// under way, and every record that concerns it.

import type { ReactNode } from "react";
import { seenBytes } from "../../boundary/contract/seen-text.ts";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { readPath } from "../ask/get.ts";
import { type EnvironmentRead, stateOfVm, type VmRead } from "../narrow-fleet.ts";
import type { PageProps } from "../pages.tsx";
import { ActButton } from "../parts/act-button.tsx";
import { againstAct } from "../parts/environment-status.tsx";
import { Hash } from "../parts/hash.tsx";
import { InstantShown } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import { RefusalPart } from "../parts/problem.tsx";
import { Quoted, Sentence } from "../parts/quoted.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { StateSign } from "../parts/state-sign.tsx";
import { VmRecords } from "../parts/vm-records.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-command.ts";
import { loadVm } from "./load-vm.ts";

export const VmPage = ({ address, session }: PageProps<"vm">): ReactNode => {
  const { environment, vmid: vm } = address.parts;
  const [snapshot, readAgain] = useSnapshot(`vm ${environment} ${vm}`, (signal) => loadVm(environment, vm, signal));
  return (
    <>
      <h1>
        VM <span className="machine">{vm}</span> in <Quoted text={environment} />
      </h1>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {({ allowances, environment: of, events, status, vm: row }, head) => (
          <>
            <SnapshotHead environment={environment} head={head} readAgain={readAgain} />
            {row === undefined || of === undefined ? (
              <p>No such VM is registered. What the ledger holds of it stands below.</p>
            ) : (
              <Belief environment={of} vm={row} />
            )}
            <UnderWay status={status} />
            <VmRecords events={events} />
            <SameElsewhere
              commands={[spellCommand("history", { environment, vm }), spellCommand("statusOfVm", { environment, vm })]}
              paths={[
                readPath("fleet", { environment }),
                readPath("history", { environment, vm }),
                readPath("status", { environment, vmid: vm }),
              ]}
            />
            {status.blocked.length === 0 ? undefined : (
              <ActButton
                against={againstAct(allowances, "reconcile", environment)}
                operation="reconcile"
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

const UNSEEN = "not observed";

const Belief = ({ environment, vm }: { readonly environment: EnvironmentRead; readonly vm: VmRead }): ReactNode => {
  const { doubt, lastObserved: seen, mends, observationId, refusals = [] } = vm;
  const used = environment.observationsUsed.find(({ id }) => id === observationId);
  return (
    <>
      <p>
        <strong>
          <StateSign state={stateOfVm(vm)} />
        </strong>
        {mends === undefined ? undefined : (
          <>
            {" "}
            <Sentence text={mends.detail} />
          </>
        )}
      </p>
      {refusals.map((refusal) => (
        <RefusalPart key={refusal.code} refusal={refusal} />
      ))}
      {doubt === undefined ? undefined : (
        <p>
          Unknown: <Sentence text={doubt.detail} />
        </p>
      )}
      <table>
        <caption>Desired beside observed</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Desired</th>
            <th scope="col">Observed</th>
          </tr>
        </thead>
        <tbody>
          <Beside desired={<Quoted text={vm.name} />} name="Name" observed={seen && <Quoted text={seen.name} />} />
          <Beside
            desired={<StateSign state={vm.target} />}
            name="Status"
            observed={<StateSign state={vm.vmStatus} />}
          />
          <Beside desired={vm.cpus ?? "any"} name="CPUs" observed={seen?.cpus} />
          <Beside
            desired={vm.memory === undefined ? "any" : seenBytes(vm.memory)}
            name="Memory"
            observed={seen?.maxmem === undefined ? undefined : seenBytes(seen.maxmem)}
          />
          <Beside desired="anywhere" name="Node" observed={seen?.onNode && <Quoted text={seen.onNode} />} />
        </tbody>
      </table>
      <p>
        {vm.protected === true ? "Protected by its entry. " : "Its entry does not protect it. "}
        {vm.identity === undefined ? (
          "No identity is written for it."
        ) : (
          <>
            It must have the identity <Quoted text={vm.identity} />.
          </>
        )}
      </p>
      <h2>Where it comes from</h2>
      {used === undefined ? (
        <p>No observation of the last day or two shows it.</p>
      ) : (
        <p>
          Observation <span className="machine">{used.id}</span> at <InstantShown at={used.at} />,{" "}
          {used.complete ? "complete" : "not complete"}, <Hash name="Observation" of={used.observationDigest} />
        </p>
      )}
      {seen?.blockers === undefined || seen.blockers.length === 0 ? (
        <p>{seen === undefined ? "What the provider forbids is not known." : "The provider forbids nothing."}</p>
      ) : (
        <ul>
          {seen.blockers.map(({ actions, code, detail }) => (
            <li key={code}>
              <Sentence text={detail} /> <span className="machine soft">({code})</span>, for{" "}
              {actions === "all" ? "every action" : actions.join(", ")}
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

const Beside = ({
  desired,
  name,
  observed,
}: {
  readonly desired: ReactNode;
  readonly name: string;
  readonly observed: ReactNode;
}): ReactNode => (
  <tr>
    <th scope="row">{name}</th>
    <td>{desired}</td>
    <td>{observed ?? <span className="soft">{UNSEEN}</span>}</td>
  </tr>
);

const UnderWay = ({ status }: { readonly status: AnswerBodies["status"] }): ReactNode => (
  <>
    <h2>Under way</h2>
    {status.open.length + status.blocked.length === 0 ? <p>No intent is open, and none blocks it.</p> : undefined}
    <ul>
      {status.open.map(({ action, id, planId, settleBy, step }) => (
        <li key={id}>
          {action} is open: intent <span className="machine">{id}</span>,{" "}
          <Link to={{ page: "step", parts: { plan: planId, step: String(step) }, query: {} }}>its step</Link>, settled
          by <InstantShown at={settleBy} />
        </li>
      ))}
      {status.blocked.map(({ action, id, settleBy }) => (
        <li key={id}>
          Blocked: what became of {action} is unknown, intent <span className="machine">{id}</span>. It ends by an
          observation after <InstantShown at={settleBy} />, and by nothing else.
        </li>
      ))}
    </ul>
  </>
);
