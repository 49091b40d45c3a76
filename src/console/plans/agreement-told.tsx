// Who must still agree to a step: how many have, who they are, and whose approval would not count.

import type { ReactNode } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { Quoted } from "../parts/quoted.tsx";

type StepShownJson = AnswerBodies["showPlan"]["steps"][number];

export const AgreementTold = ({
  step: { approvedBy, needed, status, uncounted },
}: {
  readonly step: Pick<StepShownJson, "approvedBy" | "needed" | "status" | "uncounted">;
}): ReactNode => {
  if (needed === 0) return status === "refused" ? "none is enough" : "none needed";
  return (
    <>
      {approvedBy.length} of {needed}
      {approvedBy.length === 0 ? undefined : (
        <>
          {" "}
          (<Names names={approvedBy} />)
        </>
      )}
      <Uncounted names={uncounted} />
    </>
  );
};

const Uncounted = ({ names }: { readonly names: readonly string[] }): ReactNode => {
  const [first, second, ...others] = names;
  if (first === undefined) return undefined;
  if (second === undefined)
    return (
      <>
        ; <Quoted text={first} /> does not count
      </>
    );
  return others.length === 0 ? (
    <>
      ; neither <Quoted text={first} /> nor <Quoted text={second} /> counts
    </>
  ) : (
    <>
      ; none of <Names names={names} /> counts
    </>
  );
};

const Names = ({ names }: { readonly names: readonly string[] }): ReactNode =>
  names.map((name, at) => (
    <span key={name}>
      {at === 0 ? "" : ", "}
      <Quoted text={name} />
    </span>
  ));
