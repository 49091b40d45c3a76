// A person's yes or no to one step: a reason, which is recorded with it, and two acts of equal weight. The yes carries
// the digests of what was shown, as they were worked out here. Approving applies nothing. Keeps P7-A2, B2.

import { type ReactNode, useId } from "react";
import { oneLine } from "../../boundary/contract/one-line.ts";
import type { SeenExplanation } from "../../boundary/contract/seen-explanation.ts";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import type { VisitorSession } from "../ask/visitor-session.ts";
import { ActButton } from "../parts/act-button.tsx";
import { useTyped } from "../typed-texts.tsx";

type Props = {
  readonly onConflict: () => void;
  readonly readAgain: () => void;
  readonly reviewed: AnswerBodies["review"];
  readonly seen: SeenExplanation;
  readonly session: VisitorSession;
};

export const DecidePart = ({ onConflict, readAgain, reviewed, seen, session }: Props): ReactNode => {
  const [typed, type, forget] = useTyped("reason");
  const field = useId();
  const { againstApproval, againstDenial, planId: plan, step: number } = reviewed;
  const reason = oneLine(typed);
  const lacking = reason === "" ? "A decision needs a reason." : "";
  const of = { plan, step: { number } };
  const isClosed = againstApproval.length > 0 && againstDenial.length > 0;
  return (
    <section aria-labelledby="decide">
      <h2 id="decide">Your decision</h2>
      {isClosed && typed === "" ? undefined : (
        <>
          <label htmlFor={field}>Reason</label>
          <textarea
            id={field}
            onChange={({ target }) => type(target.value)}
            readOnly={isClosed}
            rows={3}
            value={typed}
          />
          <p className="soft">Recorded with your decision. Approving applies nothing: it lets whoever asked go on.</p>
        </>
      )}
      <ActButton
        against={againstApproval}
        lacking={againstApproval.length === 0 ? lacking : ""}
        onDone={forget}
        onConflict={onConflict}
        operation="approve"
        readAgain={readAgain}
        request={{ ...of, explanation: seen.digest, reason, words: reviewed.words }}
        session={session}
        title={`Approve: ${seen.title ?? seen.heading}`}
      />
      <ActButton
        against={againstDenial}
        lacking={againstDenial.length === 0 ? lacking : ""}
        onDone={forget}
        onConflict={onConflict}
        operation="deny"
        readAgain={readAgain}
        request={{ ...of, reason }}
        session={session}
        title={`Deny: ${seen.title ?? seen.heading}`}
      />
    </section>
  );
};
