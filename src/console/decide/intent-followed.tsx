// How an intent goes on: read when it begins, whenever the ledger has something new of its environment, and when
// somebody asks; until it has ended. Reading is all that is done here: what was sent is sent. Keeps P7-F3.

import { type ReactNode, useCallback, useEffect, useState } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { type ReadAnswer, read } from "../ask/get.ts";
import { InstantShown } from "../parts/instant.tsx";
import { ProblemPart } from "../parts/problem.tsx";
import { SignInElsewhere } from "../snapshot.tsx";

type Props = { readonly environment: string; readonly intent: string };

export const IntentFollowed = ({ environment, intent }: Props): ReactNode => {
  const [heard, hear] = useState<ReadAnswer<AnswerBodies["intent"]> | undefined>(undefined);
  const look = useCallback(() => void read("intent", { intent }).then(hear), [intent]);
  const hasEnded = heard?.kind === "read" && heard.value.end !== undefined;
  useEffect(() => {
    if (hasEnded) return;
    look();
    const events = new EventSource(`/v1/events?${new URLSearchParams({ environment })}`);
    events.addEventListener("open", look);
    events.addEventListener("record", look);
    return () => events.close();
  }, [environment, hasEnded, look]);
  return (
    <section aria-live="polite" aria-labelledby="outcome">
      <h2 id="outcome">Outcome</h2>
      {heard === undefined ? <p>Loading…</p> : <Heard heard={heard} />}
      {hasEnded ? undefined : (
        <button onClick={look} type="button">
          Refresh
        </button>
      )}
    </section>
  );
};

/** The word of the outcome, and what of it the provider and the second observation say. */
const Heard = ({ heard }: { readonly heard: ReadAnswer<AnswerBodies["intent"]> }): ReactNode => {
  switch (heard.kind) {
    case "read": {
      const { end, id, sendBy, settleBy } = heard.value;
      return (
        <dl>
          <dt>Intent</dt>
          <dd className="machine">{id}</dd>
          <dt>Outcome</dt>
          <dd>
            {end === undefined ? "under way: it is not known yet" : <strong>{end.outcome}</strong>}
            {end === undefined ? undefined : <span className="machine soft"> {end.cause}</span>}
          </dd>
          <dt>Sent no later than</dt>
          <dd>
            <InstantShown at={sendBy} />
          </dd>
          <dt>Settled no later than</dt>
          <dd>
            <InstantShown at={settleBy} />
          </dd>
        </dl>
      );
    }
    case "refused":
      return <ProblemPart problem={heard.problem} />;
    case "signed-out":
      return (
        <div role="alert">
          <p>
            <strong>Unknown.</strong> Your session has ended. Nothing is sent again; the ledger tells once you are
            signed in.
          </p>
          <SignInElsewhere />
        </div>
      );
    case "lost":
      return (
        <p role="alert">
          <strong>Unknown.</strong> No answer from the service. Nothing is sent again; the ledger tells once it is
          there.
        </p>
      );
  }
};
