// A plan beside another one: what moved between the two, as the service tells it. Which one it stands beside is part of
// the address.

import { type ReactNode, useId, useState } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { read } from "../ask/get.ts";
import { Link } from "../parts/link.tsx";
import { LongTable, type TableColumn } from "../parts/long-table.tsx";
import { RuleLink } from "../parts/problem.tsx";
import { Sentence } from "../parts/quoted.tsx";
import { StateSign } from "../parts/state-sign.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { ANSWER_SIGNS } from "./plan-rows.tsx";

type Compared = AnswerBodies["comparePlans"];
type VmMoved = Compared["movedVms"][number];

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
        <label htmlFor={id}>Compare with an earlier plan, by its id</label>
        <input
          autoComplete="off"
          id={id}
          onChange={({ target }) => type(target.value)}
          spellCheck="false"
          value={text}
        />
      </div>
      <button type="submit">Compare</button>
    </form>
  );
};

const COLUMNS: readonly TableColumn<VmMoved>[] = [
  { cell: ({ vmid }) => <span className="machine">{vmid}</span>, head: "VM", isHeader: true, share: 10 },
  {
    cell: ({ answerBefore, textBefore }) => <Answered answer={answerBefore} text={textBefore} />,
    head: "Before",
    share: 32,
  },
  {
    cell: ({ answerAfter, textAfter }) => <Answered answer={answerAfter} text={textAfter} />,
    head: "After",
    share: 32,
  },
  { cell: (moved) => <Behind {...moved} />, head: "What changed", share: 26 },
];

const Answered = ({
  answer,
  text,
}: {
  readonly answer: VmMoved["answerAfter"];
  readonly text: string | undefined;
}): ReactNode => {
  if (answer === undefined) return <span className="soft">not in the plan</span>;
  return (
    <>
      <StateSign state={ANSWER_SIGNS[answer.kind]} />
      {text === undefined ? undefined : (
        <div>
          <Sentence text={text} />
          {answer.kind === "refusal" ? (
            <>
              {" "}
              (<RuleLink rule={answer.rule} />)
            </>
          ) : undefined}
        </div>
      )}
    </>
  );
};

/** What differs behind the answers; where nothing does, in which of their members they differ. */
const Behind = ({ attributesText, factsMoved, membersMoved, stateText }: VmMoved): ReactNode => (
  <>
    {attributesText === undefined ? undefined : (
      <div>
        Entry: <Sentence text={attributesText} />
      </div>
    )}
    {stateText === undefined ? undefined : (
      <div>
        Observed: <Sentence text={stateText} />
      </div>
    )}
    {attributesText === undefined && stateText === undefined ? (
      <span className="machine">{[...membersMoved, ...factsMoved.map(({ fact }) => fact)].join(", ")}</span>
    ) : undefined}
  </>
);

const GROUNDS: Readonly<Record<Compared["groundsMoved"][number], string>> = {
  desired: "desired state",
  environment: "section of the environment",
  observation: "observation",
  policy: "policy",
  rules: "rules version",
  scope: "scope",
};

/** What was recorded of two plans never changes: the comparison is the same at whichever head. */
export const PlanBeside = ({ beside, plan }: { readonly beside: string; readonly plan: string }): ReactNode => {
  const [snapshot, readAgain] = useSnapshot(`${plan} beside ${beside}`, (signal) =>
    read("comparePlans", { plan, with: beside }, signal),
  );
  return (
    <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
      {(compared) => <Moved {...compared} />}
    </SnapshotShown>
  );
};

const Moved = ({ groundsMoved, movedVms, planAfter, planBefore, sameCount }: Compared): ReactNode => (
  <>
    <p>
      Since{" "}
      <Link to={{ page: "plan", parts: { plan: planBefore.id }, query: {} }}>
        <span className="machine">{planBefore.id}</span>
      </Link>
      :{" "}
      {movedVms.length === 0
        ? "no answer changed"
        : `${movedVms.length} ${movedVms.length === 1 ? "answer" : "answers"} changed, ${sameCount} did not`}
      ;{" "}
      {groundsMoved.length === 0
        ? "based on the same inputs"
        : `based on another ${groundsMoved.map((ground) => GROUNDS[ground]).join(", ")}`}
      {planBefore.verdictKind === planAfter.verdictKind
        ? "."
        : `; the verdict was ${planBefore.verdictKind}, and is ${planAfter.verdictKind}.`}
    </p>
    {movedVms.length === 0 ? undefined : (
      <LongTable
        caption="Answers that changed between the two plans"
        columns={COLUMNS}
        keyOf={({ vmid }) => String(vmid)}
        rows={movedVms}
      />
    )}
  </>
);
