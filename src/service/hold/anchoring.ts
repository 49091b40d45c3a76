// When what was recorded goes into the anchor: of a process with one request at its end, of one that lives long before
// the caller hears of it where a second has passed since the last, and after every outcome. No timer does anything.
//
// Not here: the checkpoint itself (checkpoint-head.ts), the one at the end (holding.ts). Keeps P7-S1.

import type { RefusedAnswer } from "../answer.ts";
import type { Ports } from "../ports.ts";
import type { Life, ServiceSession } from "./session.ts";

const CHECKPOINT_EVERY_MS = 1_000;

type Anchored = Pick<ServiceSession, "desk" | "writer">;

export type Anchoring = {
  /** What comes in between is covered by the next. */
  readonly keepAnchored: (session: Anchored, when: "in-time" | "now") => Promise<readonly RefusedAnswer[]>;
  /** Nobody may be waiting any more: what goes wrong is said to whoever runs the service. */
  readonly keepOutcome: (session: Anchored) => () => Promise<void>;
};

export const anchoringOf = ({ clock, hears }: Pick<Ports, "clock" | "hears">, life: Life): Anchoring => {
  let checkpoint = { atMs: clock.monotonicMs(), size: 0 };
  const keepAnchored: Anchoring["keepAnchored"] = async (session, when) => {
    if (life === "one-request") return [];
    const atMs = clock.monotonicMs();
    if (when === "in-time" && atMs - checkpoint.atMs < CHECKPOINT_EVERY_MS) return [];
    const { anchorSince } = await import("./checkpoint-head.ts");
    const { size } = session.writer.chain().tree;
    const unanchored = anchorSince(session, checkpoint.size);
    checkpoint = { atMs, size: unanchored === undefined ? size : checkpoint.size };
    return unanchored === undefined ? [] : [unanchored];
  };
  const keepOutcome: Anchoring["keepOutcome"] = (session) => async () => {
    try {
      for (const { refusals } of await keepAnchored(session, "now"))
        await hears.note({ cause: "checkpoint-refused", facts: { refusals: refusals.map(({ code }) => code) } });
    } catch (error) {
      await hears.note({ cause: "checkpoint-failed", facts: { said: String(error) } });
    }
  };
  return { keepAnchored, keepOutcome };
};
