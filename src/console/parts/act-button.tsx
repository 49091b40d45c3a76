// The one way in which a page acts: a button that a person presses, a key that is made then, one request, and what
// became of it. While one is under way no second is sent; what is not known is said to be unknown, and looked up.
//
// The button says what it does as a sentence, is the last thing on its page, never has the focus by itself, and Enter
// in a field never presses it. One that would be refused is disabled, with the kernel's own words beside it.
// Keeps P7-A1, P7-A2, P7-E1, P7-F3.

import { type ReactNode, useEffect, useId, useSyncExternalStore } from "react";
import type { RequestAt } from "../../boundary/contract/routes.ts";
import type { AnswerBodies, TypedOperation } from "../../boundary/contract/typed-answers.ts";
import { newKey } from "../ask/new-key.ts";
import { type ActEnd, lookUp, sendAct } from "../ask/send-act.ts";
import type { VisitorSession } from "../ask/visitor-session.ts";
import { actOf, type Course, isOpen, isUnheard, usePressedActs } from "../pressed-acts.ts";
import { SignedOut, SignInElsewhere } from "../snapshot.tsx";
import { Link } from "./link.tsx";
import { ProblemPart, RefusalPart, type RefusalShown } from "./problem.tsx";

export type ActProps<K extends TypedOperation> = {
  /** What the kernel would answer now: nothing where it would grant it, undefined where it did not say. */
  readonly against: readonly RefusalShown[] | undefined;
  /** What is missing on the page itself, such as a reason; empty where nothing is. */
  readonly lacking?: string;
  /** It was judged when it came, and how things stand is against it: the page may be of before. */
  readonly onConflict?: () => void;
  readonly onDone?: (acted: Extract<ActEnd<AnswerBodies[K]>, { readonly kind: "done" | "found" }>) => void;
  /** What was asked for is the answer itself: where only its record was found, it may be asked for anew. */
  readonly isForAnswer?: true;
  readonly operation: K;
  /** What the page shows is of before: to read it again where somebody has just acted. */
  readonly readAgain?: () => void;
  readonly request: RequestAt<K>;
  readonly session: VisitorSession;
  /** "Stop batch-01 (VM 103)". */
  readonly title: string;
};

export const ActButton = <K extends TypedOperation>(props: ActProps<K>): ReactNode => {
  const { against, isForAnswer = false, lacking = "", onDone, onConflict, operation } = props;
  const { readAgain, request, session, title } = props;
  const pressed = usePressedActs();
  const act = actOf(session.name, operation, request);
  const course = useSyncExternalStore(pressed.listen, () => pressed.courseOf(act)) as Course<AnswerBodies[K]>;
  const why = useId();
  const look = (key: string): void => void lookUp(session, key).then((found) => pressed.end(act, found));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each act that the page shows
  useEffect(() => {
    if (isUnheard(course)) look(course.key);
    return () => pressed.leave(act);
  }, [act]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each end, whichever page sent it
  useEffect(() => {
    if (course.kind === "done" || course.kind === "found") onDone?.(course);
    if (course.kind === "refused" && course.problem.status === CONFLICT) onConflict?.();
  }, [course]);
  const mayPress = (now: Course<unknown>): boolean => isOpen(now) || (isForAnswer && now.kind === "found");
  const press = (): void => {
    // Two presses may come before the page is drawn again: what is held tells the second of the first.
    if (!mayPress(pressed.courseOf(act))) return;
    const key = newKey(session.atMs);
    pressed.begin(act, key);
    void sendAct(session, operation, request, key).then((end) => pressed.end(act, end));
  };
  const isClosed = against?.length !== 0 || lacking !== "" || !mayPress(course);
  return (
    <div className="act">
      <div id={why}>
        {against === undefined ? <p>{UNSAID}</p> : undefined}
        {against?.map((refusal) => (
          <RefusalPart key={`${refusal.code} ${refusal.cause ?? ""}`} refusal={refusal} />
        ))}
        {lacking === "" ? undefined : <p className="soft">{lacking}</p>}
      </div>
      <button aria-describedby={why} disabled={isClosed} onClick={press} type="button">
        {title}
      </button>
      <div aria-live="polite">{courseText(course, look, readAgain)}</div>
    </div>
  );
};

const CONFLICT = 409;
const UNSAID = "The service did not say whether you may do this. Refresh the page.";
/** Before its key. */
const UNKNOWN = {
  "not-looked-up": "the service does not say whether a record has the key",
  unknown: "so far no record has the key",
  "unknown-another": "somebody else is signed in here by now, who cannot look up the key",
  "unknown-signed-out": "your session has ended, so that nobody may look up the key",
} as const;
const NOT_SENT = {
  another: "Somebody else is signed in here by now. Nothing was sent. Reload the page to act as them.",
  "foreign-contract": "The service is another version by now. Nothing was sent. Reload the page.",
  unreached: "No answer from the service. Nothing was sent.",
} as const;

const courseText = (
  course: Course<unknown>,
  look: (key: string) => void,
  readAgain: (() => void) | undefined,
): ReactNode => {
  switch (course.kind) {
    case "idle":
      return undefined;
    case "sent":
      return <p>Sent. Waiting for the answer…</p>;
    case "done":
    case "found":
      return (
        <p>
          Recorded as{" "}
          <Link to={{ page: "record", parts: { seq: String(course.seq) }, query: {} }}>record {course.seq}</Link>.{" "}
          {readAgain === undefined ? undefined : (
            <button className="copy" onClick={readAgain} type="button">
              Refresh the page
            </button>
          )}
        </p>
      );
    case "found-refused":
      return (
        <>
          <ProblemPart problem={course.problem} />
          <p>
            The refusal is{" "}
            <Link to={{ page: "record", parts: { seq: String(course.seq) }, query: {} }}>record {course.seq}</Link>.
          </p>
        </>
      );
    case "refused":
      return (
        <>
          <ProblemPart problem={course.problem} />
          {course.problem.status === 401 ? <SignInElsewhere /> : undefined}
          {isOpen(course) ? undefined : <LookUp look={look} to={course.key} />}
        </>
      );
    case "signed-out":
      return <SignedOut elsewhere />;
    case "another":
    case "foreign-contract":
    case "unreached":
      return (
        <p className="notice" role="alert">
          {NOT_SENT[course.kind]}
        </p>
      );
    case "not-looked-up":
    case "unknown":
    case "unknown-another":
    case "unknown-signed-out":
      return (
        <div className="notice" role="alert">
          <p>
            <strong>Unknown.</strong> The answer was lost, and {UNKNOWN[course.kind]}{" "}
            <span className="machine">{course.key}</span>. Nothing was sent again. The button stays closed in this tab
            until it is found.
          </p>
          {course.kind === "unknown-another" || course.kind === "unknown-signed-out" ? <SignInElsewhere /> : undefined}
          <LookUp look={look} to={course.key} />
        </div>
      );
  }
};

type LookUpProps = {
  readonly look: (key: string) => void;
  /** The key. */
  readonly to: string;
};

const LookUp = ({ look, to }: LookUpProps): ReactNode => (
  <button onClick={() => look(to)} type="button">
    Look it up again
  </button>
);
