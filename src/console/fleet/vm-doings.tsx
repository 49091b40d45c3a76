// What is under way with one VM, what blocks it and how that ends, how its last intent ended, and the recent plans that
// answer for it.

import type { ReactNode } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { actionWord } from "../action-word.ts";
import { InstantShown } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import { LongTable, type TableColumn } from "../parts/long-table.tsx";
import { RuleLink } from "../parts/problem.tsx";
import { Sentence } from "../parts/quoted.tsx";
import { StateSign } from "../parts/state-sign.tsx";
import { planColumns } from "../plans/plan-columns.tsx";

type VmShown = AnswerBodies["vm"];
type Intent = NonNullable<VmShown["openNow"]>;
type PlanOfVm = VmShown["plansOfVm"][number];

export const VmIntents = ({
  shown: { blockedIntent, lastIntent, openNow },
}: {
  readonly shown: VmShown;
}): ReactNode => (
  <section aria-labelledby="under-way">
    <h2 id="under-way">Under way</h2>
    <dl>
      <dt>Open intent</dt>
      <dd>
        {openNow === undefined ? (
          "none"
        ) : (
          <>
            <IntentNamed {...openNow} />, settled by <InstantShown at={openNow.settleBy} />
          </>
        )}
      </dd>
      <dt>Blocked by</dt>
      <dd>
        {blockedIntent === undefined ? (
          "nothing"
        ) : (
          <>
            <IntentNamed {...blockedIntent} />. What became of it is unknown; an observation after{" "}
            <InstantShown at={blockedIntent.settleBy} /> ends it, and nothing else.
          </>
        )}
      </dd>
      <dt>Last ended</dt>
      <dd>
        {lastIntent === undefined ? (
          "none of the last day or two"
        ) : (
          <>
            <IntentNamed {...lastIntent} />: {lastIntent.end?.outcome}
            {lastIntent.detail === undefined ? undefined : (
              <>
                , <Sentence text={lastIntent.detail} />
              </>
            )}
          </>
        )}
      </dd>
    </dl>
  </section>
);

const IntentNamed = ({ action, id, planId, step }: Intent): ReactNode => (
  <>
    <Link to={{ page: "step", parts: { plan: planId, step: String(step) }, query: {} }}>{actionWord(action)}</Link>,
    intent <span className="machine">{id}</span>
  </>
);

const FIRST = planColumns({ by: 14, observed: 20, plan: 26 });

const COLUMNS: readonly TableColumn<PlanOfVm>[] = [
  FIRST.plan,
  FIRST.by,
  FIRST.observed,
  { cell: (plan) => <AnswerOf {...plan} />, head: "Answer", share: 40 },
];

const AnswerOf = (plan: PlanOfVm): ReactNode => {
  if (plan.judged === "refusal")
    return (
      <>
        <StateSign state="refused" />
        {plan.refusals.map(({ code, rule, text }) => (
          <div key={code}>
            <Sentence text={`${text.summary}: ${text.detail}`} /> (<RuleLink rule={rule} />)
          </div>
        ))}
      </>
    );
  const { action, id, status, step } = plan;
  return (
    <>
      <StateSign state="step" />{" "}
      <Link to={{ page: "step", parts: { plan: id, step: String(step) }, query: {} }}>{actionWord(action)}</Link>
      <span className="soft">, {status.replaceAll("-", " ")}</span>
    </>
  );
};

export const VmPlans = ({ plans }: { readonly plans: readonly PlanOfVm[] }): ReactNode => (
  <section aria-labelledby="plans">
    <h2 id="plans">Plans</h2>
    {plans.length === 0 ? (
      <p>No plan of the last day or two has a step or a refusal for it.</p>
    ) : (
      <LongTable
        caption="Recent plans with a step or a refusal for this VM, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        rows={plans}
      />
    )}
  </section>
);
