// dedalus ledger prove: one record with its path to a signed root, as a file that is checkable without Dedalus.

import { proveRecord } from "../../ledger/verify/prove.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { seqOf } from "../arguments/seqs.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { outObstacle, writeWhole } from "../files.ts";
import { atLedger, kernelRefused, readerAt } from "../ledger-desk.ts";

export const run: Run = async (given, io) => {
  const seq = seqOf(given.positionals[0] ?? "");
  if (seq === undefined)
    return badInput([refuse("usage", { because: `${given.positionals[0]} is no seq`, next: "Write for example: 41" })]);
  const out = given.text.get("out") ?? `${seq}.tlog-proof`;
  const obstacle = outObstacle(io.folder, out, (text) => text.startsWith("c2sp.org/tlog-proof@"));
  if (obstacle !== undefined) return badInput([obstacle]);
  return atLedger(given, io, "read", async (ledger, desk) => {
    const reader = await readerAt(ledger, desk, "proof");
    if ("code" in reader) return kernelRefused([reader]);
    const { signer } = desk;
    const proven = await proveRecord(ledger, signer, seq);
    if (proven === undefined) {
      const { size } = await ledger.engine.head();
      const because = `there is no record ${seq}; the ledger has ${size}, counted from 0`;
      return badInput([refuse("usage", { because, next: "See: dedalus ledger show" })]);
    }
    const unwritten = writeWhole(io.folder, out, proven.text);
    if (unwritten !== undefined) return badInput([unwritten]);
    const { anchored, hash, size, text } = proven;
    return {
      exit: "done",
      json: { anchored, file: out, hash, key: signer.vkey, proof: text, seq, size },
      text: () => [
        `wrote ${out}: record ${seq} is in the ledger of ${size} records`,
        `hash ${hash}`,
        anchored
          ? "its checkpoint is one of the anchor's"
          : "its checkpoint was signed for it; none of the anchor's covers it",
        `key  ${signer.vkey}`,
        `Check it with: dedalus ledger verify --proof ${out} --key '${signer.vkey}'`,
      ],
    };
  });
};
