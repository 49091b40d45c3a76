// The way of a step through the records: each stage with its records, and those that are missing by their names.

import type { ReactNode } from "react";
import type { FlowSeen, StageSeen } from "../../boundary/contract/seen-flow.ts";
import { Link } from "../parts/link.tsx";
import { Quoted } from "../parts/quoted.tsx";

export const FlowShown = ({ flow: { plan, stages, step } }: { readonly flow: FlowSeen }): ReactNode => {
  const missing = stages.filter(({ records }) => records.length === 0).map(({ stage }) => stage);
  return (
    <section className="flow">
      <h3>
        {step === undefined ? "Plan" : `Step ${step} of plan`}{" "}
        <span className="machine">
          <Quoted text={plan} />
        </span>
      </h3>
      <ol>
        {stages.map((stage) => (
          <li key={stage.stage}>
            <strong>{stage.stage}</strong> {stageText(stage)}
          </li>
        ))}
      </ol>
      <p className="soft">
        {missing.length === 0
          ? "Every stage is among these records."
          : `Not among these records: ${missing.join(", ")}.`}
      </p>
    </section>
  );
};

const stageText = ({ records }: StageSeen): ReactNode => {
  if (records.length === 0) return <span className="soft">missing</span>;
  return records.map(({ isRefused, kind, seq }) => (
    <span key={seq}>
      <Link to={{ page: "record", parts: { seq: String(seq) }, query: {} }}>
        {kind} {seq}
      </Link>
      {isRefused ? " (refused)" : ""}{" "}
    </span>
  ));
};
