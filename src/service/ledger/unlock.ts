// unlock: after a full disk or a failed write, take writes again; who decided so, and why, is recorded.
//
// A ledger that takes no writes takes no refusal either: who asks is judged before it is touched.

import { isText } from "../../formats/fields.ts";
import { asSaid } from "../../kernel/decide/grounds.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { READ_ONLY_WORDS } from "../../spine/words/engine-words.ts";
import { failureText } from "../../spine/words/failure.ts";
import { refusedBy, refusedInput, type ServiceAnswer } from "../answer.ts";
import { type ActGround, actingAt, granted, recordAct, refusedUnrecorded } from "./acting.ts";

export type LedgerUnlocked = {
  readonly name: string;
  readonly reason: string;
  /** What the failed write said of itself. */
  readonly said?: string;
  readonly seq: number;
};

export const unlockLedger = async (
  ground: ActGround,
  { reason }: { readonly reason: string },
): Promise<ServiceAnswer<LedgerUnlocked>> => {
  if (!isText(reason)) {
    return refusedInput([refuse("usage", { cause: "not-a-text", facts: { argument: "reason" } })]);
  }
  return actingAt(ground, "unlock", async (acting) => {
    const { engine } = acting.ledger;
    const why = engine.readOnly();
    const told = asSaid(why === undefined ? "" : failureText(READ_ONLY_WORDS, why));
    const said = told === undefined ? {} : { said: told };
    const request = { kind: "ledger.unlock", reason, ...said, ...acting.brings } as const;
    const refused = refusedUnrecorded(acting, request);
    if (refused !== undefined) return refused;
    if (why === undefined) return refusedBy(refuse("ledger-not-read-only", { facts: { name: engine.name } }));
    await engine.unlock();
    const still = engine.readOnly();
    if (still !== undefined) return refusedBy(refuse("ledger-read-only", still));
    const acted = await recordAct(acting, request);
    if ("kind" in acted) return acted;
    const { record } = acted;
    return granted(acting, record, { name: engine.name, reason, ...said, seq: record.seq });
  });
};
