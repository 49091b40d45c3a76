// What the clauses of one door are checked with, and the book in which their verdicts are kept. A clause that was tried
// twice is broken if it was once.

import type { CheckTerms, ClauseId, ClauseVerdict } from "../contract/agent-clauses.ts";
import type { AgentRequests, AskedDoor } from "./asked-door.ts";
import { allOf } from "./verdicts.ts";

export type ApprovalAwaited = {
  /** The page where a person decides, where the server has one. */
  readonly page?: string;
  readonly plan: string;
  readonly seconds: number;
  readonly step: number;
};

export type CheckPorts = {
  readonly newKey: () => string;
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** The published list of tools. */
  readonly published: readonly unknown[];
  readonly signal: AbortSignal;
  readonly waiting: (waiting: ApprovalAwaited) => void;
};

export type VerdictBook = {
  readonly of: (clause: ClauseId) => ClauseVerdict | undefined;
  readonly put: (clause: ClauseId, ...verdicts: readonly ClauseVerdict[]) => void;
};

export const verdictBook = (): VerdictBook => {
  const verdicts = new Map<ClauseId, ClauseVerdict>();
  return {
    of: (clause) => verdicts.get(clause),
    put: (clause, ...added) => {
      const before = verdicts.get(clause);
      verdicts.set(clause, allOf(...(before === undefined ? [] : [before]), ...added));
    },
  };
};

export type CheckGround = CheckPorts & {
  readonly book: VerdictBook;
  readonly door: AskedDoor;
  readonly terms: CheckTerms;
};

export const CANCEL_REASON = "contract-test";

export const planAsked = ({ action, environment, vm }: CheckTerms): AgentRequests["makePlan"] =>
  vm === undefined
    ? { environment, scope: "all" }
    : { environment, request: { action: { kind: action }, vmid: vm }, scope: [vm] };
