// Adding a remark about a record: it is recorded, changes nothing, and nothing is decided by it.

import { type ReactNode, useId } from "react";
import { oneLine } from "../../boundary/contract/one-line.ts";
import type { VisitorSession } from "../ask/visitor-session.ts";
import { ActButton, type ActProps } from "../parts/act-button.tsx";
import { useTyped } from "../typed-texts.tsx";

export const RemarkAct = ({
  against,
  seq,
  session,
}: {
  readonly against: ActProps<"annotate">["against"];
  readonly seq: number;
  readonly session: VisitorSession;
}): ReactNode => {
  const [typed, type, forget] = useTyped("remark");
  const id = useId();
  const text = oneLine(typed);
  return (
    <>
      <h2>Add a remark</h2>
      <label htmlFor={id}>A remark about record {seq}; it is recorded under your name</label>
      <textarea id={id} maxLength={1_000} onChange={({ target }) => type(target.value)} rows={3} value={typed} />
      <ActButton
        against={against}
        lacking={text === "" && against?.length === 0 ? "Write the remark first." : ""}
        onDone={forget}
        operation="annotate"
        request={{ about: seq, text }}
        session={session}
        title={`Record a remark about record ${seq}`}
      />
    </>
  );
};
