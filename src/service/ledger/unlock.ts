// unlock: after a full disk or a failed write, take writes again; who decided so, and why, is recorded.
//
// A ledger that takes no writes takes no refusal either: who asks is judged before it is touched.

import { isText } from "../../formats/fields.ts";
import { asSaid } from "../../kernel/decide/grounds.ts";
import type { ReadOnlyFailure } from "../../ledger/failure.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { refusedBy, refusedInput, type ServiceAnswer } from "../answer.ts";
import { type ActGround, actAt, granted, judgeUnrecorded, recordAct } from "./acting.ts";

export type LedgerUnlocked = {
  readonly name: string;
  readonly reason: string;
  readonly seq: number;
  /** Why it took no writes. */
  readonly why: ReadOnlyFailure;
};

export const unlockLedger = async (
  ground: ActGround,
  { reason }: { readonly reason: string },
): Promise<ServiceAnswer<LedgerUnlocked>> => {
  if (!isText(reason)) {
    return refusedInput([refuse("usage", { cause: "not-a-text", facts: { argument: "reason" } })]);
  }
  return actAt(ground, "unlock", async (acting) => {
    const { engine } = acting.ledger;
    const why = engine.readOnly();
    const recorded = why === undefined ? {} : { why: recordable(why) };
    const request = { kind: "ledger.unlock", reason, ...recorded, ...acting.brings } as const;
    const refused = judgeUnrecorded(acting, request);
    if (refused !== undefined) return refused;
    if (why === undefined) return refusedBy(refuse("ledger-not-read-only", { facts: { name: engine.name } }));
    await engine.unlock();
    const still = engine.readOnly();
    if (still !== undefined) return refusedBy(refuse("ledger-read-only", still));
    const acted = await recordAct(acting, request);
    if ("kind" in acted) return acted;
    const { record } = acted;
    return granted(acting, record, { name: engine.name, reason, seq: record.seq, why });
  });
};

/** What the system said is kept within the bounds of a record. */
const recordable = ({ cause, facts }: ReadOnlyFailure): ReadOnlyFailure =>
  ({
    cause,
    facts: Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => [name, typeof fact === "string" ? (asSaid(fact) ?? "") : fact]),
    ),
  }) as ReadOnlyFailure;
