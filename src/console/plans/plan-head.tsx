// What is to be known of a plan before its answers: of which environment it is, who asked, what was observed when, how
// it stands, until when, and the hashes that it stands on.

import type { ReactNode } from "react";
import {
  planFileText,
  seenGap,
  seenInapplicable,
  seenRefusal,
  seenVerdict,
} from "../../boundary/contract/seen-plan.ts";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { handOver } from "../hand-over.ts";
import { Hash } from "../parts/hash.tsx";
import { InstantShown } from "../parts/instant.tsx";
import { RefusalPart } from "../parts/problem.tsx";
import { Quoted, Sentence } from "../parts/quoted.tsx";
import { Requester } from "./requester.tsx";

type PlanRead = AnswerBodies["showPlan"];

const Row = ({ children, name }: { readonly children: ReactNode; readonly name: string }): ReactNode => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const UNKNOWN = "no longer known";

export const PlanHead = ({ plan: shown }: { readonly plan: PlanRead }): ReactNode => {
  const { because, counts, observedAt, plan, requester, status, steps, verdict } = shown;
  const { environment, hash, observation, scope, standsOn } = plan;
  return (
    <>
      <p>
        <strong>
          Verdict: <Sentence text={seenVerdict(verdict, counts)} />
        </strong>
        . {counts.differ} to change, {counts.refused} refused, {counts.inSync} in sync, {counts.awaitingRestart} waiting
        for a restart.
      </p>
      {because === undefined || because === "refused" ? undefined : (
        <p>It cannot be applied: {seenInapplicable(because)}.</p>
      )}
      {verdict.kind === "refused"
        ? verdict.refusals.map((refusal) => (
            <RefusalPart key={`${refusal.code} ${refusal.vmid ?? ""}`} refusal={seenRefusal(refusal)} />
          ))
        : undefined}
      <dl>
        <Row name="Environment">
          <Quoted text={environment} />
        </Row>
        <Row name="Requested by">{requester === undefined ? UNKNOWN : <Requester requester={requester} />}</Row>
        <Row name="Status">{status?.replaceAll("-", " ") ?? UNKNOWN}</Row>
        <Row name="Scope">{scope === "all" ? "every registered VM" : `${scope.length} VMs by number`}</Row>
        <Row name="Observed">
          {observedAt === undefined ? "the observation has no time" : <InstantShown at={observedAt} />},{" "}
          {observation.complete ? "complete" : "not complete"}
          {observation.gaps.map((gap) => (
            <p key={JSON.stringify(gap)}>
              Not seen: <Sentence text={seenGap(gap)} />
            </p>
          ))}
        </Row>
        <Row name="Expires">
          <Ends steps={steps} />
        </Row>
        <Row name="Plan hash">
          <Hash name="Plan hash" of={hash} />
        </Row>
        <Row name="Based on">
          <StandsOn {...standsOn} />
        </Row>
        <Row name="File">
          <PlanFile plan={shown} />
        </Row>
      </dl>
    </>
  );
};

/** Nearly always all of them end together. */
const Ends = ({ steps }: Pick<PlanRead, "steps">): ReactNode => {
  const ends = [...new Set(steps.flatMap(({ endsAt }) => (endsAt === undefined ? [] : [endsAt])))].sort();
  const [first] = ends;
  const last = ends.at(-1);
  if (first === undefined || last === undefined) return "no step of it can expire";
  return first === last ? (
    <InstantShown at={first} />
  ) : (
    <>
      step by step, from <InstantShown at={first} /> to <InstantShown at={last} />
    </>
  );
};

const StandsOn = (on: PlanRead["plan"]["standsOn"]): ReactNode => (
  <ul className="plain">
    <li>
      desired state <Hash name="Desired state" of={on.desired} />
    </li>
    <li>
      observation <Hash name="Observation" of={on.observation} />
    </li>
    <li>
      policy <Hash name="Policy" of={on.policy} />
    </li>
    <li>
      section of the environment <Hash name="Section of the environment" of={on.environment} />
    </li>
    <li>
      rules version <span className="machine">{on.rules}</span>
    </li>
  </ul>
);

/** What was read, as a file: nothing is asked for again. */
const PlanFile = ({ plan }: { readonly plan: PlanRead }): ReactNode => (
  <button className="copy" onClick={() => handOver(`plan-${plan.id}.json`, planFileText(plan))} type="button">
    plan.json
  </button>
);
