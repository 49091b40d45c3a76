// Kills: a writer is killed at moments it does not choose, and what it was told is durable must be there.
//
// SIGKILL cannot see a missing fsync, because the kernel keeps what was written; that is what power cuts are for.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Head } from "../../src/ledger/engine.ts";
import { opened, type Subject } from "../../test/ledger/subject.ts";
import { type Writer, writer } from "../../test/ledger/writer.ts";
import { examine } from "../power-cut/examine.ts";
import { added, type Cut, NO_ROUNDS, type Tally } from "../power-cut/verdict.ts";

type Killed = Pick<Subject, "open" | "opener">;

/** So many writers, one after another, on the ledger at `where`. */
export const killRounds = async (
  subject: Killed,
  where: string,
  kills: number,
  onRound?: (cut: Cut) => void,
): Promise<Tally> => {
  const start = (): Promise<Writer> => writer(subject, where, { caller: "killed", linesMax: 8, records: 1e9 });
  const heads: Head[] = [];
  let tally = NO_ROUNDS;
  let next = start();
  try {
    while (tally.rounds < kills) {
      const acknowledged = await killed(await next, tally.rounds, heads);
      // The next one opens the ledger while we look, as a restarted service would.
      if (tally.rounds + 1 < kills) next = start();
      const engine = await opened(subject, where);
      const cut = { ...(await examine(engine, heads)), acknowledged };
      await engine.close();
      onRound?.(cut);
      tally = added(tally, cut);
    }
  } finally {
    (await next).signal("SIGKILL");
  }
  return tally;
};

const killed = async (victim: Writer, round: number, heads: Head[]): Promise<number> => {
  victim.go();
  await victim.hasSaid(1 + (round % 5));
  if (round % 2 === 0) await pause(round % 7);
  victim.signal("SIGKILL");
  assert.equal(await victim.gone, null, "it was killed and did not end by itself");
  const oks = victim.said.filter(({ kind }) => kind === "ok");
  heads.push(...oks.map(({ head }) => head));
  return oks.reduce((sum, { from, head }) => sum + head.size - from, 0);
};
