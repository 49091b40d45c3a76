// An answer that is still known, for a credential that proves its caller on the very state that it stands on, without
// waiting for anything: three lookups. Whatever is not as simple as that goes the long way. keeps B2

import { judgedAt } from "../../ledger/write/floor.ts";
import type { OkAnswer } from "../answer.ts";
import type { Ports } from "../ports.ts";
import type { Caller } from "./callers.ts";
import type { Holding } from "./holding.ts";
import type { RememberedAnswers } from "./remembered-answers.ts";

type Recalling = {
  readonly answers: RememberedAnswers;
  readonly holding: Pick<Holding, "known">;
  readonly ports: Pick<Ports, "clock" | "hears">;
};

export const recallAnswer = (
  { answers, holding, ports }: Recalling,
  caller: Caller,
  name: string,
  request: object,
): OkAnswer<object> | undefined => {
  const known = caller.atLeast === undefined ? holding.known() : undefined;
  if (known === undefined) return undefined;
  const { floor, head } = known;
  const found = answers.find({ at: judgedAt(ports.clock.now(), floor), head, name }, caller, request);
  if (found === undefined) return undefined;
  ports.hears.proven?.(found.actor);
  return { head, kind: "ok", replayed: false, value: found.value };
};
