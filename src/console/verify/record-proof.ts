// readProofFile(): the record that a proof holds (C2SP tlog-proof with the line as extra data), and whether its path
// leads to the root that its checkpoint states. What is shown of a record are the bytes that were proven here.
//
// Whether the checkpoint is signed, and by whom, is asked beside it (signed-note.ts): a proof without that shows that
// the record belongs to the root and not whose root it is.

import type { FlawSeen } from "../../boundary/contract/seen-flaw.ts";
import type { RecordSeen } from "../../boundary/contract/seen-record.ts";
import { base64Bytes, hexOf } from "./byte-texts.ts";
import { leadsToRoot, leafDigest } from "./grown-tree.ts";
import { readLine } from "./read-line.ts";
import { readNote } from "./signed-note.ts";

export type ProofSeen =
  | {
      readonly hash: string;
      readonly kind: "proven";
      readonly note: string;
      readonly record: RecordSeen;
      readonly root: string;
      readonly size: number;
      /** The line, as it was written. */
      readonly text: string;
    }
  | { readonly flaw: FlawSeen; readonly kind: "bad" };

const FORM = "c2sp.org/tlog-proof@v1";
const PROOF =
  /^c2sp\.org\/tlog-proof@v1\nextra (?<extra>[A-Za-z0-9+/]+={0,2})\nindex (?<index>0|[1-9]\d{0,15})\n(?<path>(?:[A-Za-z0-9+/]{43}=\n)*)\n(?<note>[\s\S]+)$/;

const bad = (flaw: FlawSeen): ProofSeen => ({ flaw, kind: "bad" });

/** `asked` is the record that was asked for: a proof of another is none. */
export const readProofFile = (proof: string, asked: number): ProofSeen => {
  const { extra = "", index = "", note = "", path = "" } = PROOF.exec(proof)?.groups ?? {};
  const line = base64Bytes(extra);
  const hashes = path.split("\n").slice(0, -1).map(base64Bytes);
  const seq = Number(index);
  if (note === "" || line === undefined || !Number.isSafeInteger(seq) || hashes.includes(undefined))
    return bad({ cause: "proof-form", facts: { form: FORM } });
  const stated = readNote(note);
  if (stated.kind === "bad") return stated;
  const { root, size } = stated;
  const leaf = leafDigest(line);
  const known = hashes.filter((one) => one !== undefined);
  if (!leadsToRoot(leaf, known, rootBytes(root), { seq, size }))
    return bad({ cause: "path-broken", facts: { seq, size } });
  const read = readLine(line);
  if (read.kind === "flaw") return bad(read.flaw);
  const { record, text } = read;
  if (record.seq !== seq || seq !== asked)
    return bad({ cause: "seq-differs", facts: { seq: asked, seqThere: record.seq } });
  return { hash: hexOf(leaf), kind: "proven", note, record, root, size, text };
};

const rootBytes = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
