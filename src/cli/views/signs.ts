// The signs before a VM, the same in every text: what becomes of it is seen before it is read.
//
// One table. Colour only repeats what the sign says, so that nothing is lost without it.

import type { ActionKind, OutcomeKind } from "../../spine/model.ts";
import type { Colour, Paint } from "./paint.ts";

export const SIGNS = {
  begin: { colour: "green", means: "start", sign: "+" },
  change: { colour: "yellow", means: "change", sign: "~" },
  end: { colour: "red", means: "stop or delete", sign: "-" },
  "in-sync": { colour: "dim", means: "in sync", sign: "=" },
  refused: { colour: "red", means: "refused", sign: "!" },
  unknown: { colour: "yellow", means: "unknown", sign: "?" },
} as const satisfies Readonly<
  Record<string, { readonly colour: Colour; readonly means: string; readonly sign: string }>
>;
export type Signed = keyof typeof SIGNS;

const OF_ACTIONS: Readonly<Record<ActionKind, "begin" | "change" | "end">> = {
  "vm.clone": "begin",
  "vm.delete": "end",
  "vm.migrate": "change",
  "vm.reboot": "change",
  "vm.reset": "change",
  "vm.resize": "change",
  "vm.resume": "begin",
  "vm.shutdown": "end",
  "vm.snapshot.create": "change",
  "vm.snapshot.delete": "end",
  "vm.snapshot.rollback": "change",
  "vm.start": "begin",
  "vm.stop": "end",
  "vm.suspend": "end",
};

export const signText = (of: Signed, paint: Paint): string => paint[SIGNS[of].colour](SIGNS[of].sign);
export const actionSign = (kind: ActionKind, paint: Paint): string => signText(OF_ACTIONS[kind], paint);

/** `+1 ~2 -1`, without colour: for a cell of a table. */
export const signCounts = (does: readonly { readonly action: ActionKind; readonly count: number }[]): string =>
  (["begin", "change", "end"] as const)
    .map((kind) => ({
      count: does.reduce((sum, one) => sum + (OF_ACTIONS[one.action] === kind ? one.count : 0), 0),
      kind,
    }))
    .filter(({ count }) => count > 0)
    .map(({ count, kind }) => `${SIGNS[kind].sign}${count}`)
    .join(" ");

/** What was done has the sign of its action; what was not, or nobody knows, has its own. */
export const outcomeSign = (outcome: OutcomeKind, kind: ActionKind, paint: Paint): string => {
  if (outcome === "succeeded") return actionSign(kind, paint);
  return signText(outcome === "unknown" ? "unknown" : "refused", paint);
};
