// How one environment stands: under which terms it is changed, whether it is frozen, when it was observed and whether
// all of it was seen; and the two things that can be asked for here, each as an act of its own.

import { type ReactNode, useState } from "react";
import { type AllowancesTold, againstAct } from "../ask/read-allowances.ts";
import type { VisitorSession } from "../ask/visitor-session.ts";
import { ActButton } from "../parts/act-button.tsx";
import { InstantShown } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import { Quoted, Sentence } from "../parts/quoted.tsx";
import type { EnvironmentRead } from "./narrow-fleet.ts";

export const EnvironmentStatus = ({ environment: of }: { readonly environment: EnvironmentRead }): ReactNode => {
  const { adapter, approvalMode, counts, environment, frozenNow, live, observationsUsed, tightened } = of;
  return (
    <section aria-label={`Environment ${environment}`}>
      <h2>
        <Quoted text={environment} />
      </h2>
      <dl>
        <dt>Changes</dt>
        <dd>
          {approvalMode}, {frozenNow ? <strong>frozen</strong> : "not frozen"},{" "}
          {tightened ? "tightened by a policy" : "no policy"}
        </dd>
        <dt>VMs</dt>
        <dd>
          {counts.inSync} in sync, {counts.differ} to change, {counts.refused} refused ({counts.missing} of them
          missing), {counts.awaitingRestart} waiting for a restart
        </dd>
        <dt>Adapter</dt>
        <dd>
          <span className="machine">{adapter}</span>
          {live ? "" : ", whose observations are not live"}
        </dd>
        <dt>Observed</dt>
        <dd>
          {observationsUsed.length === 0 ? "No observation of the last day or two shows a VM of it." : undefined}
          {observationsUsed.map(({ at, complete, id, unseen }) => (
            <div key={id}>
              <InstantShown at={at} />, {complete ? "complete" : "not complete"}{" "}
              <span className="machine soft">{id}</span>
              {unseen.map(({ code, detail }) => (
                <p key={`${code} ${detail}`}>
                  Not seen: <Sentence text={detail} />
                </p>
              ))}
            </div>
          ))}
        </dd>
      </dl>
    </section>
  );
};

/** Each is one act of one environment: nothing here acts on several. */
export const EnvironmentActs = ({
  allowances,
  environment,
  readAgain,
  session,
}: {
  readonly allowances: AllowancesTold;
  readonly environment: string;
  readonly readAgain: () => void;
  readonly session: VisitorSession;
}): ReactNode => {
  const [plan, keep] = useState<string | undefined>(undefined);
  return (
    <>
      <ActButton
        against={againstAct(allowances, "observe", environment)}
        operation="observe"
        readAgain={readAgain}
        request={{ environment }}
        session={session}
        title={`Observe ${environment}`}
      />
      <ActButton
        against={againstAct(allowances, "plan", environment)}
        onDone={(end) => {
          if (end.kind === "done") keep(end.value.id);
        }}
        operation="makePlan"
        request={{ environment, scope: "all" }}
        session={session}
        title={`Plan ${environment}`}
      />
      {plan === undefined ? undefined : (
        <p>
          <Link to={{ page: "plan", parts: { plan }, query: {} }}>Open the plan</Link>
        </p>
      )}
    </>
  );
};
