// A plan beside another one: what moved between the two. Which one it stands beside is part of the address.

import { type ReactNode, useId, useMemo, useState } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { read } from "../ask/get.ts";
import { type AnswerMoved, comparePlans } from "../compare-plans.ts";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { Link } from "./link.tsx";
import { LongTable, type TableColumn } from "./long-table.tsx";
import { Sentence } from "./quoted.tsx";

type PlanRead = AnswerBodies["showPlan"];

/** To go to the comparison; nothing is asked for while somebody types. */
export const BesideField = ({
  beside = "",
  onBeside,
}: {
  readonly beside?: string | undefined;
  readonly onBeside: (plan: string) => void;
}): ReactNode => {
  const [text, type] = useState(beside);
  const id = useId();
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        onBeside(text.trim());
      }}
    >
      <div className="filter">
        <label htmlFor={id}>Beside an earlier plan, by its id</label>
        <input
          autoComplete="off"
          id={id}
          onChange={({ target }) => type(target.value)}
          spellCheck="false"
          value={text}
        />
      </div>
      <button type="submit">Show what moved</button>
    </form>
  );
};

const COLUMNS: readonly TableColumn<AnswerMoved>[] = [
  { cell: ({ vmid }) => <span className="machine">{vmid}</span>, head: "VM", isHeader: true, share: 14 },
  { cell: ({ was }) => <Said text={was} />, head: "Was", share: 43 },
  { cell: ({ now }) => <Said text={now} />, head: "Is", share: 43 },
];

const Said = ({ text }: { readonly text: string | undefined }): ReactNode =>
  text === undefined ? <span className="soft">not in the plan</span> : <Sentence text={text} />;

export const PlanBeside = ({ beside, plan }: { readonly beside: string; readonly plan: PlanRead }): ReactNode => {
  const [snapshot, readAgain] = useSnapshot(`beside ${beside}`, (signal) => read("showPlan", { plan: beside }, signal));
  return (
    <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
      {(other) => <Moved now={plan} was={other} />}
    </SnapshotShown>
  );
};

const Moved = ({ now, was }: { readonly now: PlanRead; readonly was: PlanRead }): ReactNode => {
  const { answers, grounds } = useMemo(() => comparePlans(was, now), [was, now]);
  return (
    <>
      <p>
        Since{" "}
        <Link to={{ page: "plan", parts: { plan: was.id }, query: {} }}>
          <span className="machine">{was.id}</span>
        </Link>
        :{" "}
        {answers.length === 0
          ? "no answer moved"
          : `${answers.length} ${answers.length === 1 ? "answer" : "answers"} moved`}
        ; {grounds.length === 0 ? "it stands on the same" : `it stands on another ${grounds.join(", ")}`}.
      </p>
      {answers.length === 0 ? undefined : (
        <LongTable
          caption="Answers that moved between the two plans"
          columns={COLUMNS}
          keyOf={({ vmid }) => String(vmid)}
          rows={answers}
        />
      )}
    </>
  );
};
