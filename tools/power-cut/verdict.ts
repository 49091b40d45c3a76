// What rounds of kills or power cuts have shown: that nothing was lost, that something was, or nothing at all.
//
// A run in which nothing was acknowledged, or whose control was never seen to lose, is INVALID and no pass.

import type { Left } from "./examine.ts";

export type Cut = Left & {
  /** Lines that this round's writer was told are durable. */
  readonly acknowledged: number;
};

export type Tally = Cut & { readonly rounds: number };

export const NO_ROUNDS: Tally = { acknowledged: 0, flaws: [], lost: 0, rounds: 0 };

export const added = (sum: Tally, cut: Cut): Tally => ({
  acknowledged: sum.acknowledged + cut.acknowledged,
  flaws: [...sum.flaws, ...cut.flaws],
  lost: sum.lost + cut.lost,
  rounds: sum.rounds + 1,
});

export type Verdict = { readonly kind: "HELD" | "LOST" | "INVALID"; readonly because: string };

export const verdictOf = (ours: Tally): Verdict => {
  const [flaw] = ours.flaws;
  if (flaw !== undefined) return { because: flaw, kind: "LOST" };
  if (ours.lost > 0) return { because: `${ours.lost} acknowledged lines are gone`, kind: "LOST" };
  if (ours.acknowledged === 0) return { because: "nothing was acknowledged", kind: "INVALID" };
  return { because: `${ours.rounds} rounds, ${ours.acknowledged} lines acknowledged, none lost`, kind: "HELD" };
};

/** The control is a way of writing that is known to lose; one that keeps everything shows that nothing was cut. */
export const verdictBeside = (ours: Tally, control: Tally): Verdict => {
  const verdict = verdictOf(ours);
  if (verdict.kind !== "HELD") return verdict;
  if (control.lost === 0) return { because: `the control lost nothing in ${control.rounds} rounds`, kind: "INVALID" };
  const beside = `the control lost ${control.lost} of ${control.acknowledged} lines by round ${control.rounds}`;
  return { because: `${verdict.because}; ${beside}`, kind: "HELD" };
};
