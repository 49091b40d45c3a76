// What was handed on of a ledger, verified with the public key alone: an export as a folder, a proof as a text.
//
// Neither needs a ledger or a configuration; where the key is our own, an export is held against our own anchor too.
// What does not hold is an answer: of an export a value with its findings, of a proof a refusal.

import { join } from "node:path";
import type { Problem } from "../../formats/problem.ts";
import { CHECKPOINT_FILE, LINES_FILE } from "../../ledger/files/export-names.ts";
import { fileCause } from "../../ledger/files/file-cause.ts";
import { isThere } from "../../ledger/files/text-file.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { SignedNote } from "../../ledger/tree/checkpoint.ts";
import { type Checkpoint, readCheckpoint } from "../../ledger/tree/checkpoint.ts";
import { readProof } from "../../ledger/verify/proof-file.ts";
import { type Audit, type AuditFinding, auditExport, findingRefusal } from "../../ledger/verify/verify-ledger.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { withFacts } from "../../spine/words/cause.ts";
import { type RefusedAnswer, refusedBy, refusedInput } from "../answer.ts";
import { readText, unreadableFile } from "../named-file.ts";
import type { Watch } from "../progress.ts";
import {
  auditOptions,
  covering,
  type FileNamed,
  type KeyOwner,
  readNamedAnchor,
  readVkey,
  type Verified,
  verifiedOf,
} from "./held-against.ts";

/** There is no ledger that the value stands on: it is of the evidence alone. */
export type Checked<T> = { readonly kind: "ok"; readonly value: T } | RefusedAnswer;

export type ExportGiven = { readonly anchor?: FileNamed; readonly folder: FileNamed; readonly owner: KeyOwner };

export const verifyExportFolder = async (
  { anchor, folder, owner }: ExportGiven,
  watch: Watch,
): Promise<Checked<Verified>> => {
  const owned = readVkey(owner);
  if ("kind" in owned) return owned;
  const { vkey } = owned;
  // A stranger's key has nothing to do with our own anchor.
  const read = readNamedAnchor(anchor, owner.kind === "own" ? owner.configuration : undefined, vkey);
  if (read.kind === "refused") return read;
  if (!isThere(folder.path)) return refusedInput([unreadableFile(folder.name, "ENOENT")]);
  const signed = signedIn(folder, vkey);
  return "kind" in signed ? signed : { kind: "ok", value: await audit(folder, signed, covering(read.notes), watch) };
};

/** A checkpoint that cannot be read proves nothing; the cause is that of the problem with its file. */
const noteUnread = ({ cause, code, facts }: Problem, file: string): Refusal => {
  switch (code) {
    case "file-too-large": {
      const { bytes = 0, max = 0 } = facts;
      return refuse("export-unverified", { cause: "too-large", facts: { bytes, file, max } });
    }
    case "text-malformed":
      return refuse("export-unverified", { cause: "not-utf8", facts: { file } });
    default:
      return refuse("export-unverified", { cause: fileCause({ code: cause }), facts: { file } });
  }
};

/** The note that covers the export. */
const signedIn = ({ name, path }: FileNamed, vkey: string): SignedNote | RefusedAnswer => {
  const file = join(name, CHECKPOINT_FILE);
  const note = readText(path, CHECKPOINT_FILE);
  if (note.kind === "bad") return refusedBy(noteUnread(note.problems[0], file));
  if (!isThere(join(path, LINES_FILE))) {
    const facts = { file: LINES_FILE };
    return refusedBy(findingRefusal({ cause: "file-missing", facts, seq: undefined, what: "cut-short" }, 1));
  }
  const signed = readCheckpoint(note.value, vkey);
  return signed.kind === "bad"
    ? refusedBy(refuse("export-unverified", withFacts(signed.failure, { file })))
    : { checkpoint: signed.checkpoint, note: note.value };
};

/** An export covers what was there when it was made; what the anchor says of later sizes is not its business. */
const audit = async (
  { name, path }: FileNamed,
  signed: SignedNote,
  notes: readonly SignedNote[],
  watch: Watch,
): Promise<Verified> => {
  const { checkpoint } = signed;
  const covered = notes.filter(
    ({ checkpoint: { root, size } }) =>
      size < checkpoint.size || (size === checkpoint.size && root !== checkpoint.root),
  );
  const all = [...covered, signed];
  const walked = await auditExport(path, auditOptions(all, checkpoint.size, watch));
  return verifiedOf({ audit: withEnd(walked, checkpoint), checkpoints: all.length, name, reAnchored: [] });
};

/** What comes after the checkpoint is signed by nobody. */
const withEnd = (walked: Audit, checkpoint: Checkpoint): Audit => {
  if (walked.findingsCount > 0 || walked.records <= checkpoint.size) return walked;
  const facts = { covered: checkpoint.size, size: walked.records };
  const extra: AuditFinding = { cause: "past-checkpoint", facts, seq: checkpoint.size, what: "checkpoint-differs" };
  return { ...walked, findings: [extra], findingsCount: 1 };
};

export type ProofGiven = { readonly name: string; readonly owner: KeyOwner; readonly text: string };
export type ProofHolds = { readonly checkpoint: Checkpoint; readonly record: LedgerRecord };

export const verifyProof = ({ name, owner, text }: ProofGiven): Checked<ProofHolds> => {
  const owned = readVkey(owner);
  if ("kind" in owned) return owned;
  const read = readProof(text, owned.vkey);
  if (read.kind === "bad") return refusedBy(refuse("proof-broken", withFacts(read.failure, { file: name })));
  const { checkpoint, record } = read;
  return { kind: "ok", value: { checkpoint, record } };
};
