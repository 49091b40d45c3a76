// One record with its proof: the line is taken out of the proof, so that what is shown are the bytes that were proven.
// Beside it the remarks about it, each a record of its own.

import { type ReadAnswer, read, type Unheard } from "../ask/get.ts";
import { againstAct, type RefusalTold, readAllowancesAt } from "../ask/read-allowances.ts";
import { isOtherThanSeen, lessThanSeen, type SeenRecords } from "../seen-records.ts";
import type { RecordEntry } from "../verify/ledger-entries.ts";
import { type ProofSeen, readProofFile } from "../verify/record-proof.ts";
import { checkByPlatform, checkNote, type NoteChecked, readNoteKey } from "../verify/signed-note.ts";
import { loadRemarks, type RemarksLack, type RemarksRead } from "./load-remarks.ts";

export type RecordShown = {
  /** What would be answered to a remark. */
  readonly againstRemark: readonly RefusalTold[] | undefined;
  readonly hadBefore?: number;
  readonly isOther: boolean;
  /** Its name, and who says that it is the ledger's. */
  readonly key: { readonly from: "person" | "service"; readonly text: string };
  readonly note: NoteChecked;
  /** The file, as it can be kept and checked elsewhere. */
  readonly proof: string;
  readonly proven: ProofSeen;
  readonly remarks: readonly RecordEntry[];
  readonly remarksLack?: RemarksLack;
};

export const loadRecord = async (
  seq: number,
  seen: SeenRecords,
  signal: AbortSignal,
): Promise<ReadAnswer<RecordShown>> => {
  const heard = await read("prove", { seq }, signal);
  if (heard.kind !== "read") return heard;
  const { value } = heard;
  const proven = readProofFile(value.proof, seq);
  const key = seen.key === "" ? value.key : seen.key;
  const verifier = readNoteKey(key);
  const noteText = proven.kind === "proven" ? proven.note : "";
  const note = verifier.kind === "bad" ? verifier : await checkNote(noteText, verifier, checkByPlatform);
  // A proof stands on a checkpoint; which head the ledger has is told with the remarks.
  const told: RemarksRead | Unheard = proven.kind === "proven" ? await remarksOf(proven, signal) : { remarks: [] };
  if ("kind" in told) return told;
  const { head, lack, remarks } = told;
  const allowed = proven.kind === "proven" ? await readAllowancesAt(head, signal) : { allowances: [] };
  if ("kind" in allowed) return allowed;
  const environment = proven.kind === "proven" ? proven.record.environment : undefined;
  const hadBefore = head === undefined ? undefined : lessThanSeen(seen, head.size);
  return {
    ...heard,
    ...(head && { head }),
    value: {
      againstRemark: againstAct(allowed.allowances, "annotate", environment),
      ...(hadBefore !== undefined && { hadBefore }),
      isOther: proven.kind === "proven" && isOtherThanSeen(seen, seq, proven.hash),
      key: { from: seen.key === "" ? "service" : "person", text: key },
      note,
      proof: value.proof,
      proven,
      remarks,
      ...(lack && { remarksLack: lack }),
    },
  };
};

const remarksOf = (
  { record: { auditId, environment, seq } }: Extract<ProofSeen, { readonly kind: "proven" }>,
  signal: AbortSignal,
): Promise<RemarksRead | Unheard> => loadRemarks(new Set([auditId]), { environment, from: seq + 1 }, signal);
