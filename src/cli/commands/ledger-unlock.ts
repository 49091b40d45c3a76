// dedalus ledger unlock: after a full disk or a failed write, take writes again; who decided so, and why, is recorded.
//
// A ledger that takes no writes takes no refusal either: who asks is judged before it is touched.

import { visible } from "../../formats/field-path.ts";
import { isText } from "../../formats/fields.ts";
import { asSaid } from "../../kernel/decide/grounds.ts";
import type { ReadOnlyFailure } from "../../ledger/failure.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { READ_ONLY_WORDS } from "../../spine/words/engine-words.ts";
import { failureText } from "../../spine/words/failure.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { actingAt, recorded, refusedUnrecorded } from "../ledger-act.ts";
import { kernelRefused, ledgerFailed } from "../ledger-desk.ts";

export const run: Run = async (given, io) => {
  const reason = given.text.get("reason") ?? "";
  if (!isText(reason)) {
    return badInput([refuse("usage", { cause: "not-a-text", facts: { argument: "--reason" } })]);
  }
  return actingAt(given, io, "unlock", async (acting) => {
    const { engine } = acting.ledger;
    const why = engine.readOnly();
    const request = {
      kind: "ledger.unlock",
      reason,
      ...(why === undefined ? {} : { why: recordable(why) }),
      ...acting.brings,
    } as const;
    const refusals = refusedUnrecorded(acting, request);
    if (refusals.length > 0) return kernelRefused(refusals);
    if (why === undefined) return ledgerFailed(refuse("ledger-not-read-only", { facts: { name: engine.name } }));
    await engine.unlock();
    const still = engine.readOnly();
    if (still !== undefined) return ledgerFailed(refuse("ledger-read-only", still));
    const record = await recorded(acting, io, request);
    if ("exit" in record) return record;
    return {
      exit: "done",
      json: { reason, seq: record.seq, why },
      text: () => [
        `${engine.name} takes writes again`,
        `it took no writes: ${visible(failureText(READ_ONLY_WORDS, why))}`,
        `record ${record.seq}: ledger.unlock by ${record.actor.id}`,
      ],
    };
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
