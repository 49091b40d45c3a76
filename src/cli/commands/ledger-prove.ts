// dedalus ledger prove: one record with its path to a signed root, as a file that is checkable without Dedalus.

import { notASeq, seqOf } from "../arguments/seqs.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { type IsOurs, writeWhole } from "../files/files.ts";
import { probeOutFile } from "../files/out-file.ts";
import { counted } from "../views/counted.ts";
import { hashText } from "../views/text-style.ts";

export const run: CommandRun = async (given, io) => {
  const [word = ""] = given.positionals;
  const seq = seqOf(word);
  if (seq === undefined) return badInput([notASeq("SEQ", word)]);
  const out = given.text.get("out") ?? `${seq}.tlog-proof`;
  const obstacle = probeOutFile(given, io, out, isProof);
  if (obstacle !== undefined) return badInput([obstacle]);
  return askService(
    given,
    io,
    ({ prove }) => prove,
    { seq },
    ({ value: { anchored, hash, key, size, text } }) => {
      const unwritten = writeWhole(io.folder, out, text, isProof);
      if (unwritten !== undefined) return badInput([unwritten]);
      return {
        exit: "done",
        json: { anchored, hash, key, proof: text, seq, size, written: [out] },
        text: (style) => [
          `wrote ${out}: record ${seq} is in the ledger of ${counted(size, "record")}`,
          `hash ${hashText(hash, style)}`,
          anchored
            ? "its checkpoint is in the anchor"
            : "its checkpoint was signed for this proof: no checkpoint in the anchor covers the record",
          `key  ${key}`,
          "To verify the proof:",
          `  ${style.command({ ask: "verify", with: { key, proof: out } })}`,
        ],
      };
    },
  );
};

/** An earlier proof may be replaced; anything else that stands at --out was not meant. */
const isProof: IsOurs = (text) => text.startsWith("c2sp.org/tlog-proof@");
