// dedalus ledger checkpoint: who asked for it as a record, then size and root signed and appended to the anchor.
//
// The record comes first, so that the checkpoint covers it. The note is on the disk before success is said.

import { rootOf } from "../../ledger/tree/merkle.ts";
import { appendToAnchor } from "../../service/hold/open-ledger.ts";
import { signStanding } from "../../service/hold/session.ts";
import { refusedOutcome } from "../at-service.ts";
import type { Run } from "../command.ts";
import { actingAt, recorded } from "../ledger-act.ts";

export const run: Run = (given, io) =>
  actingAt(given, io, "write", async (acting) => {
    const { brings, desk, writer } = acting;
    const record = await recorded(acting, io, { anchor: desk.config.anchor, kind: "ledger.checkpoint", ...brings });
    if ("exit" in record) return record;
    const { tree } = writer.standing();
    const [root, { size }] = [rootOf(tree), tree];
    const note = signStanding(acting);
    const unanchored = appendToAnchor(desk, note);
    // The note is what was asked for.
    if (unanchored !== undefined) return refusedOutcome(unanchored);
    const { actor, seq } = record;
    return {
      exit: "done",
      json: { anchor: desk.config.anchor, key: desk.signer.vkey, note, root, seq, size },
      text: () => [
        `record ${seq}: ledger.checkpoint by ${actor.id}`,
        `size ${size}`,
        `root ${root}`,
        `signed and appended to ${desk.config.anchor}`,
        `key  ${desk.signer.vkey}`,
      ],
    };
  });
