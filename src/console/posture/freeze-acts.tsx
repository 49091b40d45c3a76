// Freezing and lifting a freeze: of everything and of each environment, with a reason that is recorded. A freeze that
// is not there cannot be lifted, and the kernel says so.

import { type ReactNode, useId } from "react";
import { oneLine } from "../../boundary/contract/one-line.ts";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { againstAct } from "../ask/read-allowances.ts";
import type { VisitorSession } from "../ask/visitor-session.ts";
import { ActButton } from "../parts/act-button.tsx";
import { useTyped } from "../typed-texts.tsx";

const LACKING = "A reason is needed; it is recorded.";

export const FreezeActs = ({
  allowances,
  environment,
  readAgain,
  session,
}: Pick<AnswerBodies["allowances"], "allowances"> & {
  /** Absent of everything. */
  readonly environment?: string;
  readonly readAgain: () => void;
  readonly session: VisitorSession;
}): ReactNode => {
  const [typed, write, forget] = useTyped(`freeze ${environment ?? ""}`);
  const id = useId();
  const where = environment ?? "everything";
  const reason = oneLine(typed);
  const lacking = reason === "" ? LACKING : "";
  const request = { ...(environment !== undefined && { environment }), reason };
  return (
    <section aria-label={`Freeze or unfreeze ${where}`} className="freeze">
      <label htmlFor={id}>Reason, for {where}</label>
      <textarea id={id} onChange={({ target }) => write(target.value)} rows={2} value={typed} />
      <ActButton
        against={againstAct(allowances, "freeze", environment)}
        lacking={lacking}
        onDone={forget}
        operation="freeze"
        readAgain={readAgain}
        request={request}
        session={session}
        title={`Freeze ${where}`}
      />
      <ActButton
        against={againstAct(allowances, "unfreeze", environment)}
        lacking={lacking}
        onDone={forget}
        operation="unfreeze"
        readAgain={readAgain}
        request={request}
        session={session}
        title={`Unfreeze ${where}`}
      />
    </section>
  );
};
