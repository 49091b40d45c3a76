// Which steps of an environment can be applied from here, and why others cannot: derived from its adapter, its approval
// mode and policy, and the table of who must agree. Nothing is opened and nobody is asked.
//
// A finding and no fault: an environment may be there to be observed. Keeps P7-A2.

import type { EnvironmentConfig } from "../../formats/dedalus/dedalus-environment.ts";
import type { Door } from "../../kernel/command/request.ts";
import { AGREEMENT, LOCAL_COUNTS } from "../../kernel/decide/agreement-table.ts";
import type { ActionKind } from "../../spine/model.ts";
import { isForAny, type Policy } from "../../spine/plan/policy.ts";
import { ACTION_KINDS, ACTIONS } from "../../spine/rules/actions.ts";
import { found, type OwnFinding } from "./finding.ts";

type Needs = "approval" | "confirmation" | "refused";

const NONE = "none";
const listed = (actions: readonly ActionKind[]): readonly string[] | string => (actions.length === 0 ? NONE : actions);

/** For a person whom no line names: what an agent needs besides is said by the plan. */
const needsOf = (kind: ActionKind, mode: EnvironmentConfig["approval"], { tighten }: Policy): Needs => {
  const to = tighten.find((line) => line.action === kind && isForAny(line, []))?.to ?? ACTIONS[kind].tier;
  const needs = to === "refused" ? to : AGREEMENT[mode].person[to];
  if (needs === "refused") return needs;
  return needs.approvals > 0 ? "approval" : "confirmation";
};

export const applyingFinding = (
  environment: string,
  { acts, adapter, approval, live }: EnvironmentConfig,
  policy: Policy,
  door: Door,
): OwnFinding => {
  const facts = { adapter, approval, environment };
  if (!live) return found("applying", "applies-nothing-recorded", facts);
  if (!acts) return found("applying", "applies-nothing-observed", facts);
  if (door === "local" && !LOCAL_COUNTS[approval]) return found("applying", "applies-nothing-here", facts);
  const that = (needs: Needs) => ACTION_KINDS.filter((kind) => needsOf(kind, approval, policy) === needs);
  return found("applying", "applies", {
    ...facts,
    approved: listed(that("approval")),
    refused: listed(that("refused")),
  });
};
