// dedalus ledger rearm: after a full disk or a failed write, take writes again; who decided so, and why, is recorded.
//
// A ledger that takes no writes takes no refusal either: who asks is judged before it is touched.

import { visible } from "../../formats/field-path.ts";
import { isText } from "../../formats/fields.ts";
import { asSaid } from "../../kernel/decide/grounds.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { LATCH_WORDS } from "../../spine/words/engine-words.ts";
import { failureText } from "../../spine/words/failure.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { actingAt, recorded, refusedUnrecorded } from "../ledger-act.ts";
import { kernelRefused, ledgerFailed } from "../ledger-desk.ts";

export const run: Run = async (given, io) => {
  const reason = given.text.get("reason") ?? "";
  if (!isText(reason)) {
    const because = "--reason takes a text of 1 to 1000 visible characters";
    return badInput([refuse("usage", { because, next: "Say in one sentence why it may be written again." })]);
  }
  return actingAt(given, io, "rearm", async (acting) => {
    const { engine } = acting.ledger;
    const why = engine.latched();
    const said = asSaid(why === undefined ? "" : failureText(LATCH_WORDS, why));
    const request = {
      kind: "ledger.rearm",
      reason,
      ...(said === undefined ? {} : { said }),
      ...acting.brings,
    } as const;
    const refusals = refusedUnrecorded(acting, request);
    if (refusals.length > 0) return kernelRefused(refusals);
    if (why === undefined) return ledgerFailed(refuse("ledger-armed", { facts: { name: engine.name } }));
    await engine.rearm();
    const still = engine.latched();
    if (still !== undefined) return ledgerFailed(refuse("ledger-latched", still));
    const record = await recorded(acting, io, request);
    if ("exit" in record) return record;
    return {
      exit: "done",
      json: { reason, ...(said === undefined ? {} : { said }), seq: record.seq },
      text: () => [
        `${engine.name} takes writes again`,
        ...(said === undefined ? [] : [`it was latched: ${visible(said)}`]),
        `record ${record.seq}: ledger.rearm by ${record.actor.id}`,
      ],
    };
  });
};
