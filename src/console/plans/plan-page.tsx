// Plan: one row for each answer, refusals as prominent as steps, and what the whole of it stands on.
//
// Nothing is applied here: each step has its own page. One that is over is planned again, when somebody presses.

import { type ReactNode, useMemo } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { read, readPath } from "../ask/get.ts";
import { pathTo } from "../page-address.ts";
import type { PageProps } from "../pages.tsx";
import { ChoiceField, SearchField, UnknownChoice } from "../parts/filters.tsx";
import { Link } from "../parts/link.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";
import { Objections } from "./objections.tsx";
import { isOver, PlanAgain } from "./plan-again.tsx";
import { BesideField, PlanBeside } from "./plan-beside.tsx";
import { PlanHead } from "./plan-head.tsx";
import { isPlanShow, narrowPlan, PLAN_SHOWS, PlanTable, planRows } from "./plan-rows.tsx";

export const PlanPage = ({ address, go, session }: PageProps<"plan">): ReactNode => {
  const { plan } = address.parts;
  const { beside } = address.query;
  const [snapshot, readAgain] = useSnapshot(`plan ${plan}`, (signal) => read("showPlan", { plan }, signal));
  return (
    <>
      <h1>
        Plan <span className="machine">{plan}</span>
      </h1>
      <p className="pager">
        <Link to={{ page: "plans", parts: {}, query: {} }}>All plans</Link>
      </p>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {(shown, head) => (
          <>
            <SnapshotHead environment={shown.plan.environment} head={head} readAgain={readAgain} />
            <PlanHead plan={shown} />
            <Answers address={address} go={go} plan={shown} />
            <Objections steps={shown.steps} />
            <h2>What changed</h2>
            <BesideField
              beside={beside}
              key={beside ?? ""}
              onBeside={(other) => go(pathTo({ ...address, query: { ...address.query, beside: other } }), "in-place")}
            />
            {beside ? <PlanBeside beside={beside} plan={shown.id} /> : undefined}
            <SameElsewhere
              commands={[spellCommand("planShown", { plan: shown.id })]}
              paths={[
                readPath("showPlan", { plan: shown.id }),
                ...(beside ? [readPath("comparePlans", { plan: shown.id, with: beside })] : []),
              ]}
            />
            {isOver(shown.status) ? (
              <PlanAgain environment={shown.plan.environment} plan={shown.id} session={session} />
            ) : undefined}
          </>
        )}
      </SnapshotShown>
    </>
  );
};

const Answers = ({
  address,
  go,
  plan,
}: Pick<PageProps<"plan">, "address" | "go"> & { readonly plan: AnswerBodies["showPlan"] }): ReactNode => {
  const { find, show } = address.query;
  const all = useMemo(() => planRows(plan), [plan]);
  const rows = useMemo(() => narrowPlan(all, { ...(find && { find }), ...(show && { show }) }), [all, find, show]);
  const turn = (query: typeof address.query): void =>
    go(pathTo({ ...address, query: { ...address.query, ...query } }), "in-place");
  return (
    <section aria-labelledby="answers">
      <h2 id="answers">Answers</h2>
      <div className="filters">
        <SearchField find={find} label="Find a VM, action, code or rule" onFind={(text) => turn({ find: text })} />
        <ChoiceField choices={PLAN_SHOWS} label="Show" onChoose={(word) => turn({ show: word })} value={show} />
      </div>
      {isPlanShow(show) ? (
        <>
          <p className="soft" role="status">
            {rows.length} of {all.length} answers
          </p>
          <PlanTable rows={rows} />
        </>
      ) : (
        <UnknownChoice
          filter="show"
          known={PLAN_SHOWS.flatMap(([word]) => word || [])}
          whole={{ ...address, query: {} }}
          word={show ?? ""}
        />
      )}
    </section>
  );
};
