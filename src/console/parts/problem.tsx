// A refusal and a problem, word for word as the service says them, in the order of words of the command line: what,
// the rule, why, what would have to be true; then what became of what was asked.

import type { ReactNode } from "react";
import type { ProblemJson } from "../../boundary/contract/problem-json.ts";
import type { ProblemTold } from "../ask/send-act.ts";
import { pathTo } from "../page-address.ts";
import { Sentence } from "./quoted.tsx";

export type RefusalShown = ProblemJson["refusals"][number];

/** Where a rule stands with every refusal behind it. */
export const RuleLink = ({ rule }: { readonly rule: string }): ReactNode => (
  <a className="machine" href={`${pathTo({ page: "rules", parts: {}, query: {} })}#${rule}`}>
    {rule}
  </a>
);

export const RefusalPart = ({ refusal }: { readonly refusal: RefusalShown }): ReactNode => {
  const { code, rule, text } = refusal;
  return (
    <div className="refusal">
      <p>
        <strong>
          <Sentence text={text.summary} />
        </strong>
        : <Sentence text={text.detail} />{" "}
        <span className="machine soft">
          (<RuleLink rule={rule} />, {code})
        </span>
      </p>
      {text.why === undefined ? undefined : (
        <p className="soft">
          <Sentence text={text.why} />
        </p>
      )}
      <p>
        <Sentence text={text.next} />
      </p>
    </div>
  );
};

/** Nobody is left in doubt whether anything was done, but where nobody knows. */
const CAME_TO: Readonly<Record<ProblemJson["outcome"], string>> = {
  executed: "It was done all the same.",
  not_executed: "Nothing was done.",
  unknown: "Whether it was done is not known.",
};

export const ProblemPart = ({ problem }: { readonly problem: ProblemTold }): ReactNode => (
  <div className="notice" role="alert">
    {problem.refusals.length === 0 ? (
      <p>
        <strong>{problem.title}</strong> {problem.detail}
      </p>
    ) : (
      problem.refusals.map((refusal) => (
        <RefusalPart key={`${refusal.code} ${refusal.cause ?? ""} ${refusal.vmid ?? ""}`} refusal={refusal} />
      ))
    )}
    <p>{CAME_TO[problem.outcome]}</p>
    <p className="soft">
      {problem.domain} · correlation <span className="machine">{problem.correlationId}</span>
    </p>
  </div>
);
