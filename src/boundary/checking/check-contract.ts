// Checks the contract with agents at doors, from outside: each clause at each door is held, broken or not tried.
//
// It plans, observes and reads, cancels the plans that it made, and asks for nothing to be applied unless the terms
// allow it. Not here: what a clause says (docs/agent-contract.md).

import {
  type CheckTerms,
  CLAUSE_IDS,
  CLAUSES,
  type ClauseChecked,
  type ClauseId,
  type ClauseNeed,
  type ClauseVerdict,
  type UntriedCode,
} from "../contract/agent-clauses.ts";
import { checkApproval } from "./approval-clauses.ts";
import type { AskedDoor } from "./asked-door.ts";
import { checkCaller } from "./caller-clauses.ts";
import { type CheckPorts, verdictBook } from "./check-ground.ts";
import { listening } from "./heard-replies.ts";
import { checkPlan } from "./plan-clauses.ts";
import { untried } from "./verdicts.ts";

export const checkContract = async (
  doors: readonly AskedDoor[],
  terms: CheckTerms,
  ports: CheckPorts,
): Promise<readonly ClauseChecked[]> => {
  const heard = listening();
  const checked: ClauseChecked[] = [];
  for (const bare of doors) {
    const [book, door] = [verdictBook(), heard.over(bare)];
    const ground = { ...ports, book, door, terms };
    await checkCaller(ground);
    // Whoever is no agent may decide: nothing is asked for then that is due to be refused.
    if (book.of("C2")?.status !== "broken") {
      await checkPlan(ground);
      if (terms.waitSeconds !== undefined) await checkApproval(ground, terms.waitSeconds);
    }
    book.put("C23", heard.refusals());
    book.put("C24", heard.heads());
    const isPlanBroken = book.of("C5")?.status !== "held";
    checked.push(
      ...CLAUSE_IDS.map((clause) => ({
        clause,
        door: door.name,
        verdict: book.of(clause) ?? untriedFor(clause, terms, isPlanBroken),
      })),
    );
  }
  return checked;
};

/** Why a clause was never come to: the first of what it needs that was not there. */
const untriedFor = (clause: ClauseId, terms: CheckTerms, isPlanBroken: boolean): ClauseVerdict => {
  if (isPlanBroken) return untried("earlier-broken");
  const { isApplying, waitSeconds } = terms;
  const isMissing: Readonly<Record<ClauseNeed, UntriedCode | undefined>> = {
    apply: isApplying ? undefined : "apply-not-allowed",
    approval: waitSeconds === undefined ? "wait-not-given" : undefined,
    nothing: undefined,
    step: undefined,
    wait: waitSeconds === undefined ? "wait-not-given" : undefined,
  };
  const needs: readonly ClauseNeed[] = CLAUSES[clause].needs;
  const missing = needs.map((need) => isMissing[need]).find((code) => code !== undefined);
  if (missing !== undefined) return untried(missing);
  return untried(needs.includes("approval") ? "not-approved" : "step-absent");
};
