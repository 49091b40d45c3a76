// dedalus ledger re-anchor: after the anchor was lost, an operator's recorded word that this ledger goes on with a new one.
//
// The only way on, and for no other case: the whole ledger is verified and every decision replayed first, whatever is left
// of the old anchor must still fit, and who may not, or what cannot be written, is found before anything is recorded. The
// act is the only record: no start, no refusal, and no intent is ended here. It says what was wrong, and the size and root
// that were verified. Nothing is signed before it is durable. The old file stays beside the new one, as evidence. keeps N7

import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { isText } from "../../formats/fields.ts";
import type { RequestOf } from "../../kernel/command/request.ts";
import { replay } from "../../kernel/replay-ledger.ts";
import { writerOn } from "../../kernel/writer.ts";
import { appendNote } from "../../ledger/anchor/anchor.ts";
import type { AnchorLoss } from "../../ledger/anchor/anchor-loss.ts";
import { unwritableFolder } from "../../ledger/files/writable.ts";
import type { Ledger } from "../../ledger/open.ts";
import { rootOf } from "../../ledger/tree/merkle.ts";
import { chainedPages } from "../../ledger/verify/chained.ts";
import type { Root } from "../../ledger/verify/standing.ts";
import { findingRefusal } from "../../ledger/verify/verify-ledger.ts";
import { auditLedger } from "../../ledger/verify/verify-whole.ts";
import { anchorFailure, unwritableAnchor } from "../../service/hold/anchor-file.ts";
import { differs } from "../../service/read/history.ts";
import { blobText } from "../../service/read/recorded.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { failureUnder, withFacts } from "../../spine/words/failure.ts";
import { becauseOf } from "../../spine/words/refusal-words.ts";
import { snapshotFile } from "../../wire.ts";
import type { Run } from "../command.ts";
import { badInput, failed } from "../failure.ts";
import { pathIn } from "../files.ts";
import type { Configured } from "../find-config.ts";
import { type Io, progress } from "../io.ts";
import { type Acting, actingOn, recorded, refusedUnrecorded } from "../ledger-act.ts";
import { atLedger, kernelRefused, ledgerFailed } from "../ledger-desk.ts";
import type { Outcome } from "../outcome.ts";

export const run: Run = async (given, io) => {
  const reason = given.text.get("reason") ?? "";
  if (!isText(reason)) {
    return badInput([refuse("usage", { cause: "not-a-text", facts: { argument: "--reason" } })]);
  }
  return atLedger(given, io, "re-anchor", async (ledger, desk) => {
    const { loss } = ledger;
    if (loss === undefined) throw new Error("only a ledger whose anchor is lost is opened to be re-anchored");
    const verified = await verifiedIn(ledger, io);
    if ("code" in verified) return ledgerFailed(verified);
    // No snapshot: it would know the old anchor.
    const writer = await writerOn(ledger.engine);
    try {
      const acting = actingOn(ledger, desk, writer);
      if ("code" in acting) return kernelRefused([acting]);
      const notes = ledger.notes.length;
      return await reAnchored(
        acting,
        { found: loss.code, kind: "re-anchor", notes, reason, ...verified, ...acting.brings },
        loss,
        io,
      );
    } finally {
      await writer.close();
    }
  });
};

/** Lines, links, blobs, keys and every checkpoint that is left; then every decision again. What others write later is not. */
const verifiedIn = async ({ engine, notes }: Ledger, io: Io): Promise<Root | Refusal> => {
  const checkpoints = notes.map(({ checkpoint }) => checkpoint);
  const onProgress = (records: number): void => progress(io, `verifying: ${records} records`);
  const { findings, findingsCount, records: size, root } = await auditLedger(engine, { checkpoints, onProgress });
  const [first] = findings;
  if (first !== undefined) return findingRefusal(first, findingsCount);
  const replayed = await replay(chainedPages(engine, size), (digest) => blobText(engine, digest));
  return replayed.kind === "equal" ? { root, size } : differs(replayed);
};

/** The folder takes a new file; the old one is moved aside in it. One that is not there is not made for the asking. */
const unwritable = ({ config, home }: Configured): Refusal | undefined => {
  const folder = dirname(pathIn(home, config.anchor));
  const error = unwritableFolder(nearest(folder));
  return error === undefined ? undefined : unwritableAnchor(`the folder of ${config.anchor}`, error);
};

const nearest = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));

const reAnchored = async (
  acting: Acting,
  request: RequestOf<"re-anchor">,
  loss: AnchorLoss,
  io: Io,
): Promise<Outcome> => {
  const { desk } = acting;
  const { found, notes, reason, root, size } = request;
  const refusals = refusedUnrecorded(acting, request);
  if (refusals.length > 0) return kernelRefused(refusals);
  const obstacle = unwritable(desk);
  if (obstacle !== undefined) return ledgerFailed(obstacle);
  const record = await recorded(acting, io, request);
  if ("exit" in record) return record;
  const { seq } = record;
  const kept = begin(acting, seq);
  // Its record stands.
  if ("code" in kept) return failed("outcome", "input", [kept], "executed");
  return {
    exit: "done",
    json: { anchor: desk.config.anchor, found, kept: kept.file, notes, reason, root, seq, size },
    text: () => [
      `the anchor was lost: ${becauseOf(loss)}`,
      `verified and accepted: ${size} records, root ${root}`,
      `record ${seq}: re-anchor by ${record.actor.id}`,
      ...(kept.file === undefined ? [] : [`what was there is kept as ${kept.file}`]),
      `${desk.config.anchor} begins again; keep a copy of it on another machine`,
    ],
  };
};

/** A snapshot knows the old anchor and goes first: what it would say of the new one is not true. */
const begin = ({ desk, writer }: Acting, seq: number): { readonly file: string | undefined } | Refusal => {
  const { config, home, signer } = desk;
  const path = pathIn(home, config.anchor);
  const aside = `${config.anchor}.before-${seq}`;
  const { tree } = writer.standing();
  try {
    rmSync(snapshotFile(config.ledger, home), { force: true });
    const isThere = existsSync(path);
    if (isThere) renameSync(path, pathIn(home, aside));
    appendNote(path, signer.sign({ root: rootOf(tree), size: tree.size }));
    return { file: isThere ? aside : undefined };
  } catch (error) {
    const failure = withFacts(anchorFailure(error), { name: config.anchor, seq });
    return refuse("anchor-unwritable", failureUnder("not-begun-", failure));
  }
};
