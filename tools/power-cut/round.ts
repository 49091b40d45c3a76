// One round: a writer at work, everything stands still, the power goes, and what is left is looked at.
//
// What a writer said before it stood still was acknowledged; it says nothing more, because it is killed as it stands.
// A ledger that does not open after the cut has lost all of it.

import { setTimeout as pause } from "node:timers/promises";
import type { Head } from "../../src/ledger/engine.ts";
import { writer } from "../../test/ledger/writer.ts";
import { signalEach } from "../servers/processes.ts";
import type { Copy, Disk, Loss } from "./disk.ts";
import { examine, type Left } from "./examine.ts";
import { standStill } from "./standstill.ts";
import type { Kept } from "./store.ts";
import type { Cut } from "./verdict.ts";

export type Round = {
  readonly opener: string;
  readonly loss: Loss;
  /** How many commits are acknowledged before the cut, at least. */
  readonly commitsMin: number;
  /** And how long it goes on after them. */
  readonly moreMs: number;
};

/** `heads` are those that earlier rounds on this disk acknowledged; those of this round are added. */
export const cutOnce = async (disk: Disk, kept: Kept, heads: Head[], round: Round): Promise<Cut> => {
  const one = await writer({ opener: round.opener }, kept.where, { caller: "cut", linesMax: 8, records: 1e9 });
  try {
    one.go();
    await one.hasSaid(round.commitsMin);
    await pause(round.moreMs);
    await standStill(() => [...kept.family(), one.pid]);
    const copy = disk.cut(round.loss);
    one.signal("SIGKILL");
    await one.gone;
    signalEach(kept.family(), "SIGCONT");
    const oks = one.said.filter(({ kind }) => kind === "ok");
    heads.push(...oks.map(({ head }) => head));
    const acknowledged = oks.reduce((sum, { from, head }) => sum + head.size - from, 0);
    try {
      return { ...(await lookAt(kept, copy, heads)), acknowledged };
    } finally {
      copy.remove();
    }
  } finally {
    one.signal("SIGKILL");
    signalEach(kept.family(), "SIGCONT");
  }
};

const lookAt = async (kept: Kept, copy: Copy, heads: readonly Head[]): Promise<Left> => {
  const opened = await kept.reopen(copy.folder).catch((error: unknown) => String(error));
  if (typeof opened === "string") {
    return { flaws: [`it does not open: ${opened}`], lost: Math.max(0, ...heads.map(({ size }) => size)) };
  }
  try {
    return await examine(opened.engine, heads);
  } finally {
    await opened.close();
  }
};
