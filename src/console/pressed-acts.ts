// What was pressed in this tab and is not settled: the course of each act, held above the pages. Reading a page again,
// going away and back, and loading the frame anew forget none of it: until its record is found, the button stays
// closed. Keeps P7-E1, P7-F3.
//
// Of what is not settled the key outlives the frame, in the storage of the tab, under the digest of the act. A key is
// no secret; nothing else is kept.

import { createContext, useContext } from "react";
import type { ActEnd } from "./ask/send-act.ts";
import { sha256Hex } from "./digest.ts";

export type Course<T> = { readonly kind: "idle" } | { readonly key: string; readonly kind: "sent" } | ActEnd<T>;

const IDLE: Course<never> = { kind: "idle" };

const UNSENT: ReadonlySet<Course<unknown>["kind"]> = new Set([
  "another",
  "foreign-contract",
  "idle",
  "signed-out",
  "unreached",
]);

/** Nothing is under way, and it is known that nothing was done by it. */
export const isOpen = (course: Course<unknown>): boolean =>
  course.kind === "refused" || course.kind === "found-refused"
    ? course.problem.outcome === "not_executed"
    : UNSENT.has(course.kind);

/** It is known what became of it. */
const isSettled = (course: Course<unknown>): boolean =>
  course.kind === "done" || course.kind === "found" || isOpen(course);

/** It was sent, and its answer is not on its way any more. */
export const isUnheard = (course: Course<unknown>): course is Exclude<Course<unknown>, { readonly kind: "idle" }> =>
  course.kind !== "sent" && !isSettled(course);

/** What a person types or was shown: how they decide, and not on what. */
const DECIDED_BY: ReadonlySet<string> = new Set(["confirmation", "explanation", "reason", "text", "words"]);

/** The name of what somebody does to something, whatever they say of it. */
export const actOf = (by: string, operation: string, request: unknown): string => {
  const target = Object.entries(request as object).filter(([name]) => !DECIDED_BY.has(name));
  return sha256Hex(JSON.stringify([by, operation, target.sort(([one], [other]) => (one < other ? -1 : 1))]));
};

export type PressedActs = {
  readonly begin: (act: string, key: string) => void;
  readonly courseOf: (act: string) => Course<unknown>;
  /** What became of a key; a settled course is not unsettled again by an answer that comes late. */
  readonly end: (act: string, course: ActEnd<unknown>) => void;
  /** Nobody shows it any more: what is settled is told, and may be asked for anew. */
  readonly leave: (act: string) => void;
  readonly listen: (hear: () => void) => () => void;
  /** The keys of what may have been sent: the last one, and those that are not settled. */
  readonly pressedKeys: () => readonly string[];
};

const PREFIX = "dedalus-key-";

type Kept = Pick<Storage, "getItem" | "key" | "length" | "removeItem" | "setItem">;

const keptIn = (storage: Kept): readonly (readonly [act: string, Course<unknown>])[] =>
  Array.from({ length: storage.length }, (_, number) => storage.key(number) ?? "")
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => [name.slice(PREFIX.length), { key: storage.getItem(name) ?? "", kind: "not-looked-up" }]);

export const pressedActs = (storage: Kept): PressedActs => {
  const courses = new Map(keptIn(storage));
  const hearers = new Set<() => void>();
  let last: string | undefined;
  const courseOf = (act: string): Course<unknown> => courses.get(act) ?? IDLE;
  const go = (act: string, course: Exclude<Course<unknown>, { readonly kind: "idle" }>): void => {
    // First: what cannot be kept is not sent.
    if (isSettled(course)) storage.removeItem(`${PREFIX}${act}`);
    else storage.setItem(`${PREFIX}${act}`, course.key);
    courses.set(act, course);
    for (const hear of hearers) hear();
  };
  return {
    begin: (act, key) => {
      go(act, { key, kind: "sent" });
      last = key;
    },
    courseOf,
    end: (act, course) => {
      const before = courseOf(act);
      if (before.kind !== "idle" && before.key === course.key && !isSettled(before)) go(act, course);
    },
    leave: (act) => {
      if (isSettled(courseOf(act))) courses.delete(act);
    },
    listen: (hear) => {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    pressedKeys: () => {
      const unsettled = [...courses.values()].flatMap((course) =>
        course.kind === "idle" || isSettled(course) ? [] : [course.key],
      );
      return [...new Set([...unsettled, ...(last === undefined ? [] : [last])])];
    },
  };
};

export const PressedActsHeld = createContext<PressedActs | undefined>(undefined);

export const usePressedActs = (): PressedActs => {
  const pressed = useContext(PressedActsHeld);
  if (pressed === undefined) throw new Error("the console holds what was pressed");
  return pressed;
};
