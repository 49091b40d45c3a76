// An answer that is still known, for a credential that proves its caller on the very state that it stands on, without
// waiting for anything: three lookups. Whatever is not as simple as that goes the long way. keeps B2

import { judgedAt } from "../../ledger/write/floor.ts";
import type { OkAnswer } from "../answer.ts";
import type { Ports } from "../ports.ts";
import type { Caller, ProvenCaller } from "./callers.ts";
import type { Holding } from "./holding.ts";
import type { RememberedAnswers } from "./remembered-answers.ts";

/** What is read again and again, and remembered for a moment. */
const RECALLED = ["environments", "explain", "fleet", "plans", "showPlan", "vm", "vms", "whoami"] as const;
export type RecalledOperation = (typeof RECALLED)[number];
export const isRecalled = (operation: string): operation is RecalledOperation =>
  RECALLED.some((one) => one === operation);

/** With who was proven to ask. */
export type KnownAnswer = Pick<OkAnswer<object>, "head" | "value"> & Pick<ProvenCaller, "actor">;

/**
 * For whoever holds a service that lives long: what the operation would answer, where that is known at once. It is the
 * very value that was answered before. Undefined where the operation must be asked.
 */
export type Recall = (
  operation: RecalledOperation,
  caller: Pick<Caller, "atLeast" | "credential" | "door">,
  request: object,
) => KnownAnswer | undefined;

type Recalling = {
  readonly answers: RememberedAnswers;
  readonly holding: Pick<Holding, "known">;
  readonly ports: Pick<Ports, "clock">;
};

export const recallAnswer = (
  { answers, holding, ports }: Recalling,
  ...[name, caller, request]: Parameters<Recall>
): ReturnType<Recall> => {
  const known = caller.atLeast === undefined ? holding.known() : undefined;
  if (known === undefined) return undefined;
  const { floor, head } = known;
  const found = answers.find({ at: judgedAt(ports.clock.now(), floor), head, name }, caller, request);
  return found === undefined ? undefined : { actor: found.actor, head, value: found.value };
};
