// The whole verification of a ledger in its engine: lines, blobs and roots, and the table of used keys beside them.
//
// An export has no such table; verify-ledger.ts verifies those. A copy carries two uses that no record has, its marks;
// they must name the seal or the restore that they stand for, because a mark lets a sealed ledger go on.

import type { Engine, KeyUse } from "../engine.ts";
import { copyFinishedBy, markOf } from "../record/copy-marks.ts";
import { readLineAt } from "./line-at.ts";
import { FINDINGS_LISTED_MAX } from "./verify.ts";
import { verifyKeys } from "./verify-keys.ts";
import { type Audit, type AuditFinding, type AuditOptions, auditEngine, bySeq } from "./verify-ledger.ts";

export const auditLedger = async (engine: Engine, options: AuditOptions): Promise<Audit> => {
  const audit = await auditEngine(engine, options);
  // Lines that are not those that were written do not say which keys were used.
  if (!audit.findings.every(({ what }) => BLOBS.has(what))) return audit;
  const marks: MarkUse[] = [];
  async function* uses(): AsyncGenerator<KeyUse> {
    for await (const use of engine.keys()) {
      const mark = markOf(use);
      if (mark === undefined) yield use;
      else marks.push({ ...use, mark });
    }
  }
  const keys = await verifyKeys({ head: engine.head, keys: uses, read: engine.read });
  const strays = await strayMarks(engine, marks);
  return {
    ...audit,
    findings: [...audit.findings, ...keys.findings, ...strays].sort(bySeq).slice(0, FINDINGS_LISTED_MAX),
    findingsCount: audit.findingsCount + keys.findingsCount + strays.length,
  };
};

const BLOBS: ReadonlySet<AuditFinding["what"]> = new Set(["blob-differs", "blob-missing"]);

type MarkUse = KeyUse & { readonly mark: NonNullable<ReturnType<typeof markOf>> };

/** Marks are of one copy: begun from its first record on, and finished by the record that names it. */
const strayMarks = async (engine: Engine, marks: readonly MarkUse[]): Promise<readonly AuditFinding[]> => {
  const strays: AuditFinding[] = [];
  const begun = marks.find(({ mark }) => mark === "begun")?.request;
  for (const { mark, request, seq } of marks) {
    // A copy of nothing has its seal alone.
    const isBegun = request === begun || (begun === undefined && seq === 0);
    const isOurs = mark === "begun" ? seq === 0 : isBegun && (await readFinishedCopy(engine, seq)) === request;
    if (!isOurs) strays.push({ cause: "copy-mark-stray", facts: { mark }, seq, what: "use-stray" });
  }
  return strays;
};

const readFinishedCopy = async (engine: Engine, seq: number): Promise<KeyUse["request"] | undefined> => {
  const line = await readLineAt(engine, seq);
  return line === undefined ? undefined : copyFinishedBy(line);
};
