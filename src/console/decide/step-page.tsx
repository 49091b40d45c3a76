// One step: who asks for it and why, its whole explanation, what was decided, and then, alone and last, what the reader
// may do: approve or deny it, or read it once more and apply it; and where it is over, plan again.
//
// Not here: how a decision is made (decide-part.tsx), how it is applied (apply-part.tsx).

import { type ReactNode, useState } from "react";
import { seenText } from "../../boundary/contract/seen-text.ts";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { readPath } from "../ask/get.ts";
import type { PageProps } from "../pages.tsx";
import { Hash } from "../parts/hash.tsx";
import { InstantShown } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import { Quoted } from "../parts/quoted.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { isOver, PlanAgain } from "../plans/plan-again.tsx";
import { Requester } from "../plans/requester.tsx";
import { type Snapshot, SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";
import { ApplyPart } from "./apply-part.tsx";
import { DecidePart } from "./decide-part.tsx";
import { Altered, ExplanationPart } from "./explanation.tsx";
import { loadStep, type StepLoaded } from "./load-step.ts";

export const StepPage = ({ address, session }: PageProps<"step">): ReactNode => {
  const { plan, step } = address.parts;
  const [isConflict, tell] = useState(false);
  const meet = (): void => tell(true);
  const [snapshot, readAgain] = useSnapshot(`step ${plan} ${step}`, (signal) => loadStep(plan, step, signal));
  return (
    <>
      <h1>{titleOf(snapshot) ?? `Step ${seenText(step)}`}</h1>
      <p className="pager">
        <Link to={{ page: "approvals", parts: {}, query: {} }}>All approvals</Link>
        <Link to={{ page: "plan", parts: { plan }, query: {} }}>Its plan</Link>
      </p>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {({ reviewed, seen, words }, head) => (
          <>
            <SnapshotHead environment={reviewed.environment} head={head} readAgain={readAgain} />
            <StepFacts reviewed={reviewed} />
            {seen === "altered" || words === undefined ? (
              <Altered />
            ) : (
              <>
                <ExplanationPart seen={seen} />
                <Requests reviewed={reviewed} />
                <Decisions reviewed={reviewed} />
                <Elsewhere reviewed={reviewed} />
                <DecidePart onConflict={meet} readAgain={readAgain} reviewed={reviewed} seen={seen} session={session} />
                <ApplyPart
                  onConflict={meet}
                  reviewed={reviewed}
                  session={session}
                  title={seen.title ?? seen.heading}
                  words={words}
                />
                {isConflict || isOver(reviewed.progress.status) ? (
                  <PlanAgain environment={reviewed.environment} plan={reviewed.planId} session={session} />
                ) : undefined}
              </>
            )}
          </>
        )}
      </SnapshotShown>
    </>
  );
};

/** What would be done, once it is known. */
const titleOf = (snapshot: Snapshot<StepLoaded>): string | undefined => {
  if (snapshot.kind !== "read" || snapshot.value.seen === "altered") return undefined;
  const { heading, title } = snapshot.value.seen;
  return title ?? heading;
};

type Reviewed = AnswerBodies["review"];

const Elsewhere = ({ reviewed: { planId: plan, step: number } }: { readonly reviewed: Reviewed }): ReactNode => {
  const of = { plan, step: String(number) };
  return (
    <SameElsewhere
      commands={(["explain", "approve", "deny", "apply"] as const).map((command) => spellCommand(command, of))}
      paths={[readPath("review", { plan, step: { number } })]}
    />
  );
};

const StepFacts = ({ reviewed }: { readonly reviewed: Reviewed }): ReactNode => {
  const { environment, planHash, planId, progress, requester, step } = reviewed;
  return (
    <dl>
      <dt>Environment</dt>
      <dd>
        <strong>
          <Quoted text={environment} />
        </strong>
        , approval {progress.agreements[0]?.mode}
      </dd>
      <dt>Requested by</dt>
      <dd>
        <Requester requester={requester} />
      </dd>
      <dt>Status</dt>
      <dd>{progress.status.replaceAll("-", " ")}</dd>
      <dt>Approvals</dt>
      <dd>
        <Needed reviewed={reviewed} />
      </dd>
      {progress.endsAt === undefined ? undefined : (
        <>
          <dt>Expires</dt>
          <dd>
            <InstantShown at={progress.endsAt} />
          </dd>
        </>
      )}
      <dt>Plan</dt>
      <dd>
        <Link to={{ page: "plan", parts: { plan: planId }, query: {} }}>
          <span className="machine">{planId}</span>
        </Link>
        , step {step}, <Hash name="plan hash" of={planHash} />
      </dd>
    </dl>
  );
};

/** `1 of 2 given: bob. Neither alice nor carol can approve it: …` */
const Needed = ({ reviewed }: { readonly reviewed: Reviewed }): ReactNode => {
  const { approvedBy, needed, status } = reviewed.progress;
  const { uncounted } = reviewed;
  if (needed === 0) return status === "refused" ? "none is enough" : "none needed";
  return (
    <>
      {approvedBy.length} of {needed} given
      {approvedBy.length === 0 ? undefined : (
        <>
          : <Quoted text={approvedBy.join(", ")} />
        </>
      )}
      {uncounted.length === 0 ? undefined : (
        <>
          {uncounted.length === 1 ? ". " : uncounted.length === 2 ? ". Neither " : ". None of "}
          <Quoted text={uncounted.join(uncounted.length === 2 ? " nor " : ", ")} />
          {uncounted.length === 1 ? " cannot" : " can"} approve it: they requested it, or may be the same person.
        </>
      )}
    </>
  );
};

/** Why people were asked. It comes after the explanation: nobody is persuaded before they have read that. */
const Requests = ({ reviewed }: { readonly reviewed: Reviewed }): ReactNode => {
  const told = reviewed.progress.approvalRequests.filter(({ reason }) => reason !== undefined);
  if (told.length === 0) return undefined;
  return (
    <section aria-labelledby="requests">
      <h2 id="requests">Why approval was requested</h2>
      <ul>
        {told.map(({ by, id, reason = "" }) => (
          <li key={id}>
            <Quoted text={by} />: “<Quoted text={reason} whole />”
          </li>
        ))}
      </ul>
      <p className="soft">In the words of whoever asked. Dedalus checked none of it, and nothing is decided by it.</p>
    </section>
  );
};

/** What was decided so far, and what became of it. */
const Decisions = ({ reviewed }: { readonly reviewed: Reviewed }): ReactNode => {
  const { approvalsGiven, attempt, denialsGiven } = reviewed;
  if (approvalsGiven.length + denialsGiven.length === 0 && attempt === undefined) return undefined;
  return (
    <section aria-labelledby="decided">
      <h2 id="decided">Decisions so far</h2>
      <ul>
        {approvalsGiven.map(({ by, counted, expiresAt, id }) => (
          <li key={id}>
            Approved by <Quoted text={by} />, until <InstantShown at={expiresAt} />
            {counted ? "" : "; it does not count"}
          </li>
        ))}
        {denialsGiven.map(({ by, id, reason }) => (
          <li key={id}>
            Denied by <Quoted text={by} />: “<Quoted text={reason} whole />”
          </li>
        ))}
        {attempt === undefined ? undefined : (
          <li>
            Tried: {attempt.end?.outcome ?? "under way"}, intent <span className="machine">{attempt.id}</span>
          </li>
        )}
      </ul>
    </section>
  );
};
