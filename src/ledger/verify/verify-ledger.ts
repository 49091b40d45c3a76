// The whole verification of a ledger or of an export: lines, chain, roots, and beside them blobs and tiles.
//
// Constant memory, offline, and total: whatever the bytes are, the answer is a list of findings. The first of them
// names the first broken place. Not here: signatures (their checkpoints come in verified), what to do about it (cli/).

import { createHash, hash } from "node:crypto";
import { closeSync, existsSync, opendirSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { withFacts } from "../../spine/words/cause.ts";
import type { Engine } from "../engine.ts";
import type { Flaw, StoreFlaw } from "../failure.ts";
import { BLOBS_FOLDER, LINES_FILE } from "../files/export-names.ts";
import { readPieces } from "../files/pieces.ts";
import { readPlainBytes } from "../files/plain-file.ts";
import { readRecord } from "../record/read-record.ts";
import type { LedgerRecord } from "../record/record.ts";
import type { Checkpoint } from "../tree/checkpoint.ts";
import { type TileFile, tiler } from "../tree/tiles.ts";
import { LedgerDamage, newerRecordRefusal } from "./damage.ts";
import { FINDINGS_LISTED_MAX, type Verification, type VerifyFinding, verifyExport, verifyLines } from "./verify.ts";
import type { KeyFinding } from "./verify-keys.ts";

export type AuditFinding = {
  readonly what:
    | VerifyFinding["what"]
    | KeyFinding["what"]
    | "damaged"
    | "blob-missing"
    | "blob-differs"
    | "tile-differs";
} & ((Flaw & { readonly seq: number }) | NotOfOne);
/** Of what stands beside the records. */
type NotOfOne = StoreFlaw & { readonly seq: undefined };

/** The refusal of whoever would use what was verified; `findings` is the number of all. */
export const findingRefusal = (finding: AuditFinding, findings: number): Refusal => {
  const { seq, what } = finding;
  return seq === undefined
    ? refuse("ledger-broken", withFacts(finding, { findings, what }))
    : (newerRecordRefusal(seq, finding) ?? refuse("ledger-broken", withFacts(finding, { findings, seq, what })));
};

export type Audit = Omit<Verification, "findings"> & {
  /** How many the records name. */
  readonly blobs: number;
  readonly findings: readonly AuditFinding[];
};

export type AuditOptions = {
  readonly checkpoints: readonly Checkpoint[];
  /** Every line of a ledger as it is walked. */
  readonly onLine?: (line: Uint8Array) => void;
  readonly onProgress: (records: number) => void;
};

/** Findings beyond the list are counted. */
const list = () => {
  const findings: AuditFinding[] = [];
  let count = 0;
  return {
    add: (finding: AuditFinding): void => {
      if (count < FINDINGS_LISTED_MAX) findings.push(finding);
      count += 1;
    },
    count: () => count,
    findings,
  };
};
type List = ReturnType<typeof list>;

const joined = (walk: Verification, beside: List, blobs: number): Audit => ({
  ...walk,
  blobs,
  findings: [...walk.findings, ...beside.findings].sort(bySeq).slice(0, FINDINGS_LISTED_MAX),
  findingsCount: walk.findingsCount + beside.count(),
});

export const bySeq = (a: AuditFinding, b: AuditFinding): number =>
  (a.seq ?? Number.MAX_SAFE_INTEGER) - (b.seq ?? Number.MAX_SAFE_INTEGER);

const NEEDLE = Buffer.from('"blobs":[');

/** What a line names; the search in its bytes spares the others from being parsed twice. */
const blobsIn = (line: Uint8Array): NonNullable<LedgerRecord["blobs"]> => {
  if (!Buffer.from(line.buffer, line.byteOffset, line.length).includes(NEEDLE)) return [];
  const read = readRecord(line);
  return read.kind === "record" ? (read.record.blobs ?? []) : [];
};

export const auditEngine = async (engine: Engine, options: AuditOptions): Promise<Audit> => {
  const beside = list();
  let blobs = 0;
  const damage = (error: unknown, seq: number, what: "damaged" | "blob-differs"): void => {
    if (!(error instanceof LedgerDamage)) throw error;
    beside.add({ ...error.flaw, seq: error.seq ?? seq, what });
  };
  async function* lines(): AsyncGenerator<Uint8Array> {
    let seq = 0;
    try {
      const { size } = await engine.head();
      for await (const line of engine.read(0, size)) {
        for (const digest of blobsIn(line)) {
          const bytes = await engine.blob(digest).catch((error: unknown) => damage(error, seq, "blob-differs") ?? null);
          if (bytes === undefined) beside.add({ cause: "blob-missing", facts: { digest }, seq, what: "blob-missing" });
          else if (bytes !== null && hash("sha256", bytes, "hex") !== digest)
            beside.add({ cause: "blob-differs", facts: { digest }, seq, what: "blob-differs" });
          blobs += 1;
        }
        yield line;
        seq += 1;
      }
    } catch (error) {
      damage(error, seq, "damaged");
    }
  }
  return joined(await verifyLines(lines(), { ...options, mode: "full" }), beside, blobs);
};

const PIECE_BYTES = 1 << 17;

export const auditExport = async (folder: string, options: AuditOptions): Promise<Audit> => {
  const beside = list();
  const tiles = tiler();
  let blobs = 0;
  let seq = 0;
  const compare = ({ bytes, path }: TileFile): void => {
    const file = join(folder, path);
    const tile = { facts: { file: path }, seq: undefined, what: "tile-differs" } as const;
    if (!existsSync(file)) beside.add({ ...tile, cause: "file-missing" });
    else if (!holds(file, bytes)) beside.add({ ...tile, cause: "tile-differs" });
  };
  const onLine = (line: Uint8Array, lineHash: Sha256): void => {
    for (const digest of blobsIn(line)) {
      blobs += 1;
      if (!existsSync(join(folder, BLOBS_FOLDER, digest)))
        beside.add({ cause: "blob-missing", facts: { digest }, seq, what: "blob-missing" });
    }
    for (const tile of tiles.take(line, lineHash)) compare(tile);
    seq += 1;
  };
  const walk = await verifyExport(readPieces(join(folder, LINES_FILE)), { ...options, mode: "full", onLine });
  for (const tile of tiles.end()) compare(tile);
  auditBlobs(join(folder, BLOBS_FOLDER), beside);
  return joined(walk, beside, blobs);
};

const holds = (file: string, bytes: Uint8Array): boolean => {
  try {
    return readPlainBytes(file).equals(bytes);
  } catch {
    return false;
  }
};

/** Every file must hold the bytes of its name, whether a record names it or not. */
const auditBlobs = (folder: string, beside: List): void => {
  if (!existsSync(folder)) return;
  const entries = opendirSync(folder);
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      if (!entry.isFile() || digestOf(join(folder, entry.name)) !== entry.name)
        beside.add({
          cause: "blob-file-altered",
          facts: { file: `${BLOBS_FOLDER}/${entry.name}` },
          seq: undefined,
          what: "blob-differs",
        });
    }
  } finally {
    entries.closeSync();
  }
};

const digestOf = (path: string): string => {
  const hasher = createHash("sha256");
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const file = openSync(path, "r");
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
      hasher.update(piece.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hasher.digest("hex");
};
