// How a bug is planted: the real parts, with one of them broken.

import type { Actuator } from "../../src/adapters/actuator.ts";
import { type ApplyGround, type CommandWriter, performApply } from "../../src/kernel/apply/perform-apply.ts";
import type { Command } from "../../src/kernel/command/request.ts";
import { keep, recentEntries } from "../../src/kernel/state/recent.ts";
import type { PlanState, State } from "../../src/kernel/state/state.ts";
import type { ALWAYS } from "../../tools/sim/check.ts";
import { type Parts, REAL } from "../../tools/sim/parts.ts";

export type CheckName = keyof typeof ALWAYS;
export type Planted = { readonly bug: string; readonly check: CheckName; readonly parts: Parts };

export const performing = (
  bug: string,
  check: CheckName,
  broken: (ground: ApplyGround) => Partial<ApplyGround>,
): Planted => ({
  bug,
  check,
  parts: { ...REAL, perform: (ground, command) => performApply({ ...ground, ...broken(ground) }, command) },
});
export const sending = (bug: string, check: CheckName, send: (send: Actuator["send"]) => Actuator["send"]): Planted =>
  performing(bug, check, ({ actuator }) => ({ actuator: { ...actuator, send: send(actuator.send) } }));
export const writing = (
  bug: string,
  check: CheckName,
  broken: (writer: CommandWriter) => Partial<CommandWriter>,
): Planted => performing(bug, check, ({ writer }) => ({ writer: { ...writer, ...broken(writer) } }));

export const withPlans = (state: State, change: (plan: PlanState) => PlanState): State => ({
  ...state,
  plans: [...recentEntries(state.plans)].reduce((plans, [id, plan]) => keep(plans, id, change(plan)), state.plans),
});
/** Decides on another state than the one there is. */
export const deciding = (bug: string, check: CheckName, change: (plan: PlanState) => PlanState): Planted => ({
  bug,
  check,
  parts: { ...REAL, decide: (state, command, floor) => REAL.decide(withPlans(state, change), command, floor) },
});
export const folding = (bug: string, check: CheckName, evolve: Parts["evolve"]): Planted => ({
  bug,
  check,
  parts: { ...REAL, evolve },
});

/** Decides another state or another command than there is. */
export const judging = (
  bug: string,
  check: CheckName,
  change: (state: State, command: Command) => { readonly command?: Command; readonly state?: State },
): Planted => ({
  bug,
  check,
  parts: {
    ...REAL,
    decide: (state, command, floor) => {
      const changed = change(state, command);
      return REAL.decide(changed.state ?? state, changed.command ?? command, floor);
    },
  },
});
