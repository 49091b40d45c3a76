// Applying one step: the reader asks for the explanation that they would confirm, which is recorded as shown; reads it;
// types the VM's name where nothing can be undone; and presses. Then the outcome as it goes, read and never pushed on.
//
// Three presses of a person, each one act. What is confirmed are the digests of what was shown and of its words, worked
// out here.
// Keeps P7-A2, P7-E1.

import { type ReactNode, useId, useState } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import type { VisitorSession } from "../ask/visitor-session.ts";
import { ActButton } from "../parts/act-button.tsx";
import { InstantShown } from "../parts/instant.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { Altered, ExplanationPart } from "./explanation.tsx";
import { IntentFollowed } from "./intent-followed.tsx";
import { type ChallengeSeen, seenOfChallenge, type WordsRead } from "./load-step.ts";

type Props = {
  readonly onConflict: () => void;
  readonly reviewed: AnswerBodies["review"];
  readonly session: VisitorSession;
  readonly title: string;
  readonly words: WordsRead;
};

type Challenged = AnswerBodies["challenge"];

export const ApplyPart = ({ onConflict, reviewed, session, title, words }: Props): ReactNode => {
  const [challenged, show] = useState<Challenged | "unseen" | undefined>(undefined);
  const { againstChallenge, planId: plan, progress, step: number } = reviewed;
  const of = { plan, step: { number } };
  return (
    <section aria-labelledby="apply">
      <h2 id="apply">Apply</h2>
      <ActButton
        // First what stands against the reader; then what stands against the step, whoever applies it.
        against={againstChallenge.length > 0 ? againstChallenge : progress.objections}
        isForAnswer
        onDone={(end) => show(end.kind === "done" ? end.value : "unseen")}
        onConflict={onConflict}
        operation="challenge"
        request={of}
        session={session}
        title="Show what I would confirm"
      />
      {challenged === "unseen" ? (
        <p role="status">It was recorded as shown, and its answer was lost. Press again to read it.</p>
      ) : undefined}
      {challenged === undefined || challenged === "unseen" ? undefined : (
        <Explained
          challenged={challenged}
          of={of}
          onConflict={onConflict}
          session={session}
          title={title}
          words={words}
        />
      )}
    </section>
  );
};

type ConfirmingProps = Pick<Props, "onConflict" | "session" | "title"> & {
  readonly challenged: Challenged;
  readonly of: { readonly plan: string; readonly step: { readonly number: number } };
};

/** What the challenge shows, in the words that it names. */
const Explained = ({ words, ...confirming }: ConfirmingProps & { readonly words: WordsRead }): ReactNode => {
  const { challenged } = confirming;
  const [snapshot, readAgain] = useSnapshot(`challenge ${challenged.challenge?.id}`, () =>
    seenOfChallenge(challenged, words),
  );
  return (
    <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
      {(shown) => (shown === "altered" ? <Altered /> : <Confirming {...confirming} shown={shown} />)}
    </SnapshotShown>
  );
};

const Confirming = ({
  challenged,
  of,
  onConflict,
  session,
  shown: { challenge, seen },
  title,
}: ConfirmingProps & { readonly shown: ChallengeSeen }): ReactNode => {
  const [name, type] = useState("");
  const [intent, follow] = useState<string | undefined>(undefined);
  const field = useId();
  const { environment, explanation, progress } = challenged;
  const lacking = challenge.typedName && name !== explanation.step?.name ? "Type the VM’s name to confirm." : "";
  return (
    <>
      <ExplanationPart seen={seen} />
      <p>
        It can be confirmed until <InstantShown at={challenge.expiresAt} />.
      </p>
      {challenge.typedName ? (
        <>
          <label htmlFor={field}>The VM’s name</label>
          <input
            autoComplete="off"
            id={field}
            onChange={({ target }) => type(target.value)}
            spellCheck={false}
            type="text"
            value={name}
          />
        </>
      ) : undefined}
      <ActButton
        // As it stood when it was shown, for this reader; whatever has come since is judged when it is pressed.
        against={progress?.objections}
        lacking={lacking}
        // The record of an apply is its intent, also where nothing but the record was found.
        onDone={(end) => follow(end.kind === "done" ? end.value.intent : end.id)}
        onConflict={onConflict}
        operation="apply"
        request={{
          ...of,
          confirmation: {
            challenge: challenge.id,
            explanation: seen.digest,
            ...(challenge.typedName ? { name } : {}),
            words: challenge.words,
          },
        }}
        session={session}
        title={title}
      />
      {intent === undefined ? undefined : <IntentFollowed environment={environment} intent={intent} />}
    </>
  );
};
