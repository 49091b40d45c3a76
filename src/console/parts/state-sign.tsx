// A state as a shape with its word: never a colour alone, never blank, and none ranks another.

import type { ReactNode } from "react";

export type StateWord =
  | "blocked"
  | "in sync"
  | "missing"
  | "paused"
  | "refused"
  | "running"
  | "step"
  | "stopped"
  | "unknown";

const SHAPES: Readonly<Record<StateWord, ReactNode>> = {
  blocked: (
    <>
      <rect height="7" width="10" x="3" y="7" />
      <path className="line" d="M5 7V5a3 3 0 0 1 6 0v2" />
    </>
  ),
  "in sync": <path className="line" d="M3 8.5l3.5 3.5L13 4.5" />,
  missing: <circle className="line dashed" cx="8" cy="8" r="5" />,
  paused: (
    <>
      <circle className="line" cx="8" cy="8" r="5" />
      <path d="M8 3a5 5 0 0 1 0 10z" />
    </>
  ),
  refused: <path className="line" d="M5.5 2.5h5l3 3v5l-3 3h-5l-3-3v-5z" />,
  running: <circle cx="8" cy="8" r="5" />,
  step: <path className="line" d="M3 8h9M8.5 4.5L12 8l-3.5 3.5" />,
  stopped: <circle className="line" cx="8" cy="8" r="5" />,
  unknown: (
    <>
      <circle className="line" cx="8" cy="8" r="5" />
      <path className="line thin" d="M4.5 11.5l7-7M4 8.5L8.5 4M7.5 12l4.5-4.5" />
    </>
  ),
};

export const StateSign = ({
  state,
  word = state,
}: {
  readonly state: StateWord;
  readonly word?: string;
}): ReactNode => (
  <span className={`state state-${state.replace(" ", "-")}`}>
    <svg aria-hidden="true" height="16" viewBox="0 0 16 16" width="16">
      {SHAPES[state]}
    </svg>
    {word}
  </span>
);
