// Planning again, beside a plan that does not stand any more: of the same VMs, on a fresh observation, when somebody
// presses. What came of it stands beside the old plan, with what moved between the two.
//
// What is planned is what is registered. An action that somebody asked for by itself is asked for again where it was.

import { type ReactNode, useState } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { type ReadAnswer, read } from "../ask/get.ts";
import { type AllowancesTold, againstAct } from "../ask/read-allowances.ts";
import { type MovedOn, readTogether } from "../ask/read-together.ts";
import type { VisitorSession } from "../ask/visitor-session.ts";
import { ActButton } from "../parts/act-button.tsx";
import { Link } from "../parts/link.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { PlanBeside } from "./plan-beside.tsx";

type Status = AnswerBodies["review"]["progress"]["status"] | NonNullable<AnswerBodies["showPlan"]["status"]>;

/** Whatever anybody agrees to, it cannot be applied. What people said no to is not among them. */
const OVER: ReadonlySet<Status> = new Set<Status>([
  "configuration-changed",
  "desired-changed",
  "expired",
  "policy-changed",
  "requester-revoked",
  "rules-changed",
  "superseded",
  "voided",
]);

/** A status that is not known any more is that of a plan which is long over. */
export const isOver = (status: Status | undefined): boolean => status === undefined || OVER.has(status);

type Loaded = { readonly allowances: AllowancesTold; readonly scope: AnswerBodies["showPlan"]["plan"]["scope"] };

const loadAgain = async (plan: string, signal: AbortSignal): Promise<MovedOn | ReadAnswer<Loaded>> => {
  const heard = await readTogether(() =>
    Promise.all([read("showPlan", { plan }, signal), read("allowances", {}, signal)]),
  );
  if ("kind" in heard) return heard;
  const [shown, allowed] = heard;
  if (shown.kind !== "read") return shown;
  if (allowed.kind !== "read") return allowed;
  return { ...shown, value: { allowances: allowed.value.allowances, scope: shown.value.plan.scope } };
};

export const PlanAgain = ({
  environment,
  plan,
  session,
}: {
  readonly environment: string;
  readonly plan: string;
  readonly session: VisitorSession;
}): ReactNode => {
  const [snapshot, readAgain] = useSnapshot(`again ${plan}`, (signal) => loadAgain(plan, signal));
  const [made, keep] = useState<string | undefined>(undefined);
  return (
    <section aria-labelledby="again">
      <h2 id="again">Plan again</h2>
      <p className="soft">
        The same VMs, on a fresh observation. It applies nothing, and what was approved of this plan does not count for
        the new one.
      </p>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {({ allowances, scope }) => (
          <ActButton
            against={againstAct(allowances, "plan", environment)}
            onDone={(end) => {
              if (end.kind === "done") keep(end.value.id);
            }}
            operation="makePlan"
            request={{ environment, scope }}
            session={session}
            title={`Plan ${environment} again`}
          />
        )}
      </SnapshotShown>
      {made === undefined ? undefined : <Made made={made} plan={plan} />}
    </section>
  );
};

const Made = ({ made, plan }: { readonly made: string; readonly plan: string }): ReactNode =>
  made === plan ? (
    <p>This plan still stands: planned again, it says the same.</p>
  ) : (
    <>
      <p>
        <Link to={{ page: "plan", parts: { plan: made }, query: { beside: plan } }}>The new plan, beside this one</Link>
      </p>
      <PlanBeside beside={plan} plan={made} />
    </>
  );
