// dedalus ledger unseal: a sealed ledger goes on because its operator states that the copy is gone.
//
// One record, right behind the seal or not at all, so that a crash leaves a sealed ledger or one that goes on. It voids the
// copy's id for ever and freezes everything: nobody knows what the copy did while it stood. What can be checked is checked:
// an anchor that covers more than this ledger has was written by the copy, and refuses (src/ledger/open.ts).

import { copyOf } from "../../ledger/write/sealed.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { actingAt, recorded, refusedUnrecorded } from "../ledger-act.ts";
import { kernelRefused, ledgerFailed } from "../ledger-desk.ts";

export const run: Run = async (given, io) => {
  if (!given.flags.has("copy-gone")) {
    return badInput([refuse("usage", { cause: "copy-gone-unsaid" })]);
  }
  return actingAt(given, io, "unseal", async (acting) => {
    const { brings, ledger } = acting;
    const { engine, seal } = ledger;
    const copy = seal === undefined ? undefined : copyOf(seal);
    if (seal === undefined || copy === undefined)
      return ledgerFailed(refuse("ledger-unsealed", { cause: "copy-unnamed", facts: { name: engine.name } }));
    const request = { copy, kind: "ledger.unseal", reason: given.text.get("reason") ?? "", ...brings } as const;
    const refusals = refusedUnrecorded(acting, request);
    if (refusals.length > 0) return kernelRefused(refusals);
    const record = await recorded(acting, io, request);
    if ("exit" in record) return record;
    return {
      exit: "done",
      json: { copy, frozen: true, seal: seal.seq, seq: record.seq },
      text: () => [
        `${engine.name} goes on after the seal of record ${seal.seq}`,
        `the copy ${copy} is void for ever; never open it again`,
        "everything is frozen; lift it when you have looked: dedalus unfreeze --reason TEXT",
        `record ${record.seq}: ledger.unseal by ${record.actor.id}`,
      ],
    };
  });
};
