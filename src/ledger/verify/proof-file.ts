// The proof that one record is in the ledger, as a file of its own: C2SP tlog-proof, with the record's line as extra
// data.
//
// A checker needs the public key and nothing else: the line gives the leaf, the path leads to the root, the root is
// signed. Parsing is strict and total. https://c2sp.org/tlog-proof

import type { Sha256 } from "../../spine/model.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import type { ProofFailure } from "../failure.ts";
import { leafHash } from "../record/leaf.ts";
import { readRecord } from "../record/read-record.ts";
import type { LedgerRecord } from "../record/record.ts";
import { isSize } from "../record/record.ts";
import { type Checkpoint, readCheckpoint } from "../tree/checkpoint.ts";
import { provesInclusion } from "../tree/merkle-proof.ts";

const HEADER = "c2sp.org/tlog-proof@v1";

export type Proof = {
  readonly line: Uint8Array;
  readonly note: string;
  readonly path: readonly Sha256[];
  readonly seq: number;
};

const base64 = (hex: Sha256): string => Buffer.from(hex, "hex").toString("base64");

export const proofText = ({ line, note, path, seq }: Proof): string =>
  [HEADER, `extra ${Buffer.from(line).toString("base64")}`, `index ${seq}`, ...path.map(base64), "", note].join("\n");

export type ProofRead =
  | { readonly kind: "proven"; readonly checkpoint: Checkpoint; readonly record: LedgerRecord }
  | { readonly kind: "bad"; readonly failure: ProofFailure };

const bad = (failure: ProofFailure): ProofRead => ({ failure, kind: "bad" });

const PROOF =
  /^c2sp\.org\/tlog-proof@v1\nextra (?<extra>[A-Za-z0-9+/]+={0,2})\nindex (?<index>0|[1-9]\d{0,15})\n(?<path>(?:[A-Za-z0-9+/]{43}=\n)*)\n(?<note>[\s\S]+)$/;

const bytesOf = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
};

/** What the file proves under this key, or the first thing in it that does not hold. */
export const readProof = (text: string, vkey: string): ProofRead => {
  const { extra = "", index = "", note = "", path = "" } = PROOF.exec(text)?.groups ?? {};
  const line = bytesOf(extra);
  const hashes = path.split("\n").slice(0, -1).map(hashOf);
  const seq = Number(index);
  if (note === "" || line === undefined || !isSize(seq) || !hashes.every(isSha256))
    return bad({ cause: "proof-form", facts: { form: HEADER } });
  const signed = readCheckpoint(note, vkey);
  if (signed.kind === "bad") return signed;
  const { checkpoint } = signed;
  const { root, size } = checkpoint;
  if (!provesInclusion({ leaf: leafHash(line), proof: hashes, root, seq, size }))
    return bad({ cause: "path-broken", facts: { seq, size } });
  const read = readRecord(line);
  if (read.kind === "finding") return bad(read.flaw);
  if (read.record.seq !== seq) return bad({ cause: "seq-differs", facts: { seq, seqThere: read.record.seq } });
  return { checkpoint, kind: "proven", record: read.record };
};

const hashOf = (text: string): string | undefined => bytesOf(text)?.toString("hex");
