// What is believed of one VM, desired beside observed; and where that comes from: the observation, and what it says of
// the VM as it was recorded.

import type { ReactNode } from "react";
import { seenBytes, seenText } from "../../boundary/contract/seen-text.ts";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { actionWord } from "../action-word.ts";
import { Hash } from "../parts/hash.tsx";
import { InstantShown } from "../parts/instant.tsx";
import { RefusalPart } from "../parts/problem.tsx";
import { Quoted, Sentence } from "../parts/quoted.tsx";
import { StateSign } from "../parts/state-sign.tsx";
import { stateOfVm } from "./narrow-fleet.ts";

type VmShown = AnswerBodies["vm"];
type Registered = NonNullable<VmShown["registeredVm"]>;

export const VmBelief = ({
  shown,
  vm,
}: {
  readonly shown: VmShown;
  /** As it is registered. */
  readonly vm: Registered;
}): ReactNode => {
  const { doubt, lastObserved: seen, mends, refusals = [] } = vm;
  const identity = shown.newestObservation?.vmState?.identity;
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
          <Beside desired={vm.cpus ?? ANY} name="CPUs" observed={seen?.cpus} />
          <Beside
            desired={vm.memory === undefined ? ANY : seenBytes(vm.memory)}
            name="Memory"
            observed={seen?.maxmem === undefined ? undefined : seenBytes(seen.maxmem)}
          />
          <Beside desired={ANY} name="Node" observed={seen?.onNode && <Quoted text={seen.onNode} />} />
          <Beside
            desired={vm.identity === undefined ? ANY : <Machine text={vm.identity} />}
            name="Identity"
            observed={identity === undefined ? undefined : <Machine text={identity} />}
          />
        </tbody>
      </table>
      <p>
        {vm.protected === true ? "Protected by its entry. " : "Its entry does not protect it. "}
        {shown.rememberedIdentity === undefined ? (
          "No identity is remembered for its number."
        ) : (
          <>
            The identity that is remembered for its number is <Machine text={shown.rememberedIdentity} />.
          </>
        )}
      </p>
    </>
  );
};

const ANY = <span className="soft">any</span>;
const UNSEEN = <span className="soft">not observed</span>;

const Machine = ({ text }: { readonly text: string }): ReactNode => (
  <span className="machine">
    <Quoted text={text} />
  </span>
);

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
    <td>{observed ?? UNSEEN}</td>
  </tr>
);

export const VmSource = ({ shown }: { readonly shown: VmShown }): ReactNode => {
  const { adapter, newestObservation: used } = shown;
  return (
    <section aria-labelledby="source">
      <h2 id="source">Observed state</h2>
      {used === undefined ? (
        <p>No observation of the last day or two tells of it.</p>
      ) : (
        <>
          <dl>
            <dt>Source</dt>
            <dd>
              {used.brought === true ? (
                "brought by a sensor"
              ) : (
                <>
                  asked of <span className="machine">{adapter}</span>
                </>
              )}
              {used.live ? ", live" : ", not live: nothing is applied on it"}
            </dd>
            <dt>Observed</dt>
            <dd>
              <InstantShown at={used.at} />, {used.complete ? "complete" : "not complete"}
              {used.unseen.map(({ code, detail }) => (
                <p key={`${code} ${detail}`}>
                  Not seen: <Sentence text={detail} />
                </p>
              ))}
            </dd>
            <dt>Observation</dt>
            <dd>
              <span className="machine">{used.id}</span> <Hash name="Observation" of={used.observationDigest} />
            </dd>
          </dl>
          <h3>Raw state</h3>
          {used.vmState === undefined ? <p>The observation has no state of it.</p> : <pre>{rawText(used.vmState)}</pre>}
        </>
      )}
    </section>
  );
};

/** Line by line: the line feeds are ours, and whatever cannot be seen is written as its code. */
const rawText = (state: object): string => JSON.stringify(state, undefined, 2).split("\n").map(seenText).join("\n");

export const VmBlockers = ({ vm }: { readonly vm: Registered | undefined }): ReactNode => {
  const blockers = vm?.lastObserved?.blockers;
  return (
    <section aria-labelledby="blockers">
      <h2 id="blockers">Blocked by the provider</h2>
      {vm?.lastObserved === undefined ? <p>Not known: it was not observed.</p> : undefined}
      {vm?.lastObserved !== undefined && (blockers === undefined || blockers.length === 0) ? (
        <p>Nothing.</p>
      ) : undefined}
      {blockers === undefined || blockers.length === 0 ? undefined : (
        <ul className="plain">
          {blockers.map(({ actions, code, detail }) => (
            <li key={code}>
              <Sentence text={detail} /> <span className="machine soft">({code})</span>, for{" "}
              {actions === "all" ? "every action" : actions.map(actionWord).join(", ")}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
