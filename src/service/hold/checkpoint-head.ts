// Checkpoints outside the ledger: where it stands, signed and appended to the anchor.
//
// What is in the anchor is remembered after it is there, and not before: a note that could not be appended covers
// nothing, and whoever asks next tries again. Not here: when (local-service.ts, holding.ts), the file
// (ledger/anchor/anchor.ts).

import type { ApplyGround } from "../../kernel/apply/perform-apply.ts";
import type { OpenWriter } from "../../kernel/writer.ts";
import { rootOf } from "../../ledger/tree/merkle.ts";
import type { Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { failureUnder, withFacts } from "../../spine/words/cause.ts";
import { type RefusedAnswer, refusedBeside } from "../answer.ts";
import { anchorFailure, unwritableAnchor } from "./anchor-file.ts";
import { coversRecord, rememberMet } from "./met-checkpoints.ts";
import type { OpenDesk } from "./open-ledger.ts";

export type Checkpointing = { readonly desk: OpenDesk; readonly writer: Pick<OpenWriter, "chain"> };
export type SignedHead = { readonly note: string; readonly root: Sha256; readonly size: number };

/** Throws when the note is not durable; a refusal where nothing can be appended. */
const appendHead = ({ desk, writer }: Checkpointing): SignedHead | Refusal => {
  const { anchor, met, signer } = desk;
  if (anchor === undefined) throw new Error("nothing is signed for a ledger that is not opened for writing");
  const file = anchor.file();
  if ("code" in file) return file;
  const { tree } = writer.chain();
  const [root, { size }] = [rootOf(tree), tree];
  const note = signer.sign({ root, size });
  file.append(note);
  rememberMet(met, { origin: signer.origin, root, size });
  return { note, root, size };
};

/** The ledger holds what the note would be about, and the anchor does not: done, and told beside it. */
export const checkpointHead = (at: Checkpointing): SignedHead | RefusedAnswer => {
  try {
    const signed = appendHead(at);
    return "code" in signed ? refusedBeside(signed) : signed;
  } catch (error) {
    const failure = withFacts(anchorFailure(error), { file: at.desk.config.anchor });
    return refusedBeside(refuse("file-unwritable", failureUnder("anchor-", failure)));
  }
};

/** Whether the anchor holds a checkpoint that covers this record. */
export const isInAnchor = ({ met }: Pick<OpenDesk, "met">, seq: number): boolean => coversRecord(met, seq);

/**
 * What was recorded since this size, granted or refused, is outside the database too: a cut tail is found from here on.
 * Nothing is signed where no record was left, nor a second time.
 */
export const anchorSince = (at: Checkpointing, since: number): RefusedAnswer | undefined => {
  const { size } = at.writer.chain().tree;
  if (size <= since || isInAnchor(at.desk, size - 1)) return undefined;
  const signed = checkpointHead(at);
  return "kind" in signed ? signed : undefined;
};

/** An intent is in the anchor before its call leaves: a ledger that forgot it is then known to be cut. */
export const anchorIntent =
  (at: Checkpointing): ApplyGround["anchor"] =>
  async (size) => {
    if (at.writer.chain().tree.size < size) return { kind: "behind" };
    try {
      const signed = appendHead(at);
      return "code" in signed ? { kind: "unwritable", why: { refusal: signed } } : undefined;
    } catch (error) {
      // A bug rises there.
      return { kind: "unwritable", why: { refusal: unwritableAnchor(at.desk.config.anchor, error) } };
    }
  };
