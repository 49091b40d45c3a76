// An incident as one file: every line as it was written, with the proof of each. Each proof is checked here, and must
// hold the very line that was shown; where one does not, no file is made.
//
// The proofs are C2SP tlog-proofs (docs/RECORDS.md): whoever is handed the file checks them without Dedalus.

import type { FlawSeen } from "../../boundary/contract/seen-flaw.ts";
import { type ReadHead, read, type Unheard } from "../ask/get.ts";
import type { RecordEntry } from "../verify/ledger-entries.ts";
import { readProofFile } from "../verify/record-proof.ts";
import { checkByPlatform, checkNote, readNoteKey } from "../verify/signed-note.ts";
import type { IncidentAsked } from "./load-incident.ts";

export type IncidentSaved =
  | { readonly kind: "file"; readonly text: string }
  | { readonly flaw: FlawSeen; readonly kind: "unproven"; readonly seq: number }
  | { readonly kind: "differs"; readonly seq: number }
  | { readonly kind: "unread"; readonly unheard: Unheard };

type ProvenLine = { readonly hash: string; readonly line: string; readonly proof: string; readonly seq: number };

/** `pasted` is a key of the person's own, or empty: then the one that the service names. */
export const saveIncident = async (
  { about, head }: { readonly about: IncidentAsked; readonly head: ReadHead | undefined },
  { records, remarks }: { readonly records: readonly RecordEntry[]; readonly remarks: readonly RecordEntry[] },
  pasted: string,
  onProgress: (proven: number) => void,
): Promise<IncidentSaved> => {
  const proven: ProvenLine[] = [];
  const all = [...new Map([...records, ...remarks].map((one) => [one.record.seq, one])).values()].toSorted(
    (one, other) => one.record.seq - other.record.seq,
  );
  let key = pasted;
  for (const { hash, record, text } of all) {
    const { seq } = record;
    const heard = await read("prove", { seq });
    if (heard.kind !== "read") return { kind: "unread", unheard: heard };
    const { key: named, proof } = heard.value;
    if (key === "") key = named;
    const seen = readProofFile(proof, seq);
    if (seen.kind === "bad") return { flaw: seen.flaw, kind: "unproven", seq };
    if (seen.text !== text) return { kind: "differs", seq };
    const verifier = readNoteKey(key);
    const note = verifier.kind === "bad" ? verifier : await checkNote(seen.note, verifier, checkByPlatform);
    if (note.kind === "bad") return { flaw: note.flaw, kind: "unproven", seq };
    proven.push({ hash, line: text, proof, seq });
    onProgress(proven.length);
  }
  const remarked = remarks.map(({ record }) => record.seq);
  return {
    kind: "file",
    text: `${JSON.stringify({ about, head, key, records: proven, remarks: remarked }, undefined, 2)}\n`,
  };
};
