// dedalus ledger checkpoint: who asked for it as a record, then size and root signed and appended to the anchor.
//
// The record comes first, so that the checkpoint covers it. The note is on the disk before success is said.

import { type Act, recordNext } from "../ledger/act.ts";
import { rootOf } from "../ledger/merkle.ts";
import type { Standing } from "../ledger/standing.ts";
import type { Run } from "./command.ts";
import { actingFor, anchorFailed, atLedger, unrecorded } from "./ledger-desk.ts";

export const CHECKPOINT = "ledger.checkpoint";

export const run: Run = (given, io) =>
  atLedger(given, io, "write", async ({ engine, known }, desk) => {
    const actOn = ({ tree }: Standing): Act => ({
      kind: CHECKPOINT,
      request: { anchor: desk.config.anchor },
      result: { root: rootOf(tree), size: tree.size },
    });
    const acted = await recordNext(engine, actingFor(desk), actOn, known);
    if (acted.kind !== "recorded") return unrecorded(acted);
    const { tree } = acted.standing;
    const [root, { size }] = [rootOf(tree), tree];
    const note = desk.signer.sign({ root, size });
    const unanchored = anchorFailed(desk, note);
    if (unanchored !== undefined) return unanchored;
    const { seq } = acted.record;
    return {
      exit: "done",
      json: { anchor: desk.config.anchor, key: desk.signer.vkey, note, root, seq, size },
      text: () => [
        `record ${seq}: ledger.checkpoint by ${acted.record.actor.id}`,
        `size ${size}`,
        `root ${root}`,
        `signed and appended to ${desk.config.anchor}`,
        `key  ${desk.signer.vkey}`,
      ],
    };
  });
