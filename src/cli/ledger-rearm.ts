// dedalus ledger rearm: after a full disk or a failed write, take writes again; who decided so, and why, is recorded.

import { visible } from "../formats/field-path.ts";
import { isText } from "../formats/fields.ts";
import { recordNext } from "../ledger/act.ts";
import { refuse } from "../spine/refusals.ts";
import type { Run } from "./command.ts";
import { badInput } from "./failure.ts";
import { actingFor, atLedger, ledgerFailed, unrecorded } from "./ledger-desk.ts";

/** A record has little room, and the first words tell the cause. */
const LATCHED_LENGTH_MAX = 1_000;

export const run: Run = async (given, io) => {
  const reason = given.text.get("reason") ?? "";
  if (!isText(reason)) {
    const because = "--reason takes a text of 1 to 1000 visible characters";
    return badInput([refuse("usage", { because, next: "Say in one sentence why it may be written again." })]);
  }
  return atLedger(given, io, "rearm", async ({ engine, known }, desk) => {
    const latched = engine.latched()?.slice(0, LATCHED_LENGTH_MAX).toWellFormed();
    if (latched === undefined)
      return ledgerFailed(refuse("ledger-armed", { because: `${engine.name} is not latched` }));
    await engine.rearm();
    const still = engine.latched();
    if (still !== undefined) return ledgerFailed(refuse("ledger-latched", { because: still }));
    const act = { kind: "ledger.rearm", request: { reason }, result: { latched } };
    const acted = await recordNext(engine, actingFor(desk), () => act, known);
    if (acted.kind !== "recorded") return unrecorded(acted);
    const { record } = acted;
    return {
      exit: "done",
      json: { latched, reason, seq: record.seq },
      text: () => [
        `${engine.name} takes writes again`,
        `it was latched: ${visible(latched)}`,
        `record ${record.seq}: ledger.rearm by ${record.actor.id}`,
      ],
    };
  });
};
