// An answer that is still known, for a caller who is proven on the very state that it stands on, without waiting for
// anything: one digest of the token, two lookups. Whatever is not as simple as that goes the long way. keeps B2

import { judgedAt } from "../../ledger/write/floor.ts";
import type { OkAnswer } from "../answer.ts";
import type { Ports } from "../ports.ts";
import { type Caller, proveReader } from "./callers.ts";
import type { Holding } from "./holding.ts";
import type { RememberedAnswers } from "./remembered-answers.ts";

type Recalling = {
  readonly answers: RememberedAnswers;
  readonly holding: Pick<Holding, "known">;
  readonly operator: string;
  readonly ports: Pick<Ports, "clock" | "hears">;
};

export const recallAnswer = (
  { answers, holding, operator, ports }: Recalling,
  caller: Caller,
  name: string,
  request: object,
): OkAnswer<object> | undefined => {
  const known = caller.atLeast === undefined ? holding.known() : undefined;
  if (known === undefined) return undefined;
  const now = ports.clock.now();
  const proven = proveReader(caller, known, operator, now, "account");
  if ("code" in proven) return undefined;
  const { floor, head } = known;
  const value = answers.find({ at: judgedAt(now, floor), caller: proven, head, name }, request);
  if (value === undefined) return undefined;
  ports.hears.proven?.(proven.actor);
  return { head, kind: "ok", replayed: false, value };
};
