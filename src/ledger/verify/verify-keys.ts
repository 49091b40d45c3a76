// verifyKeys(): is the table of used keys the one that the lines determine?
//
// Each record names its caller (actor.id), its key and what was asked, so the lines alone say what the table must hold.
// The chain does not cover the table; a use that is gone would let a request be performed twice, one that was put there
// would answer for something that never was, and one of another request would turn the true repeat away.
// One pass over the lines and one over the table, in whatever order it comes; 17 bytes of memory for each record.
// Not here: the lines themselves (verify.ts). A line that is no record has no key, and is left to verify.

import { hash } from "node:crypto";
import type { Sha256 } from "../../spine/model.ts";
import type { Engine, KeyUse } from "../engine.ts";
import type { Flaw } from "../failure.ts";
import { keyUseOf } from "../record/asked.ts";
import { readRecord } from "../record/read-record.ts";
import { LedgerDamage } from "./damage.ts";

export type KeyFinding = {
  /** The record whose key it is; for a stray use, the record that it names. */
  readonly seq: number;
  readonly what: "use-differs" | "use-missing" | "use-misplaced" | "use-stray" | "use-unreadable";
} & Flaw;

export type KeysVerification = {
  /** At most KEY_FINDINGS_LISTED_MAX of them. */
  readonly findings: readonly KeyFinding[];
  /** All of them, those beyond the list too. The table holds when this is 0. */
  readonly findingsCount: number;
  readonly records: number;
  readonly uses: number;
};

export const KEY_FINDINGS_LISTED_MAX = 100;

/**
 * So much of a hash that no two keys of a ledger share it by chance; never 0, which stands for a line without a key.
 */
const fingerprint = ({ caller, key }: KeyUse): bigint =>
  hash("sha256", `${key} ${caller}`, "buffer").readBigUInt64LE() | 1n;

const startOf = (digest: Sha256): bigint => Buffer.from(digest, "hex").readBigUInt64BE();

export const verifyKeys = async (engine: Pick<Engine, "head" | "keys" | "read">): Promise<KeysVerification> => {
  const { size } = await engine.head();
  const told = new BigUint64Array(size);
  const asked = new BigUint64Array(size);
  const met = new Uint8Array(size);
  const strays: KeyUse[] = [];
  const findings: KeyFinding[] = [];
  let findingsCount = 0;
  let uses = 0;
  const report = (finding: KeyFinding): void => {
    if (findingsCount < KEY_FINDINGS_LISTED_MAX) findings.push(finding);
    findingsCount += 1;
  };

  const takeLines = async (): Promise<void> => {
    let seq = 0;
    for await (const line of engine.read(0, size)) {
      const read = readRecord(line);
      if (read.kind === "record") {
        const use = keyUseOf(read.record);
        told[seq] = fingerprint(use);
        asked[seq] = startOf(use.request);
      }
      seq += 1;
    }
  };
  const takeUses = async (): Promise<void> => {
    for await (const use of engine.keys()) {
      uses += 1;
      if (told[use.seq] === fingerprint(use)) {
        met[use.seq] = 1;
        if (asked[use.seq] !== startOf(use.request)) {
          report({ cause: "key-of-other-request", facts: {}, seq: use.seq, what: "use-differs" });
        }
      } else if (told[use.seq] !== 0n) strays.push(use);
    }
  };
  const judge = async (): Promise<void> => {
    // What was appended meanwhile is not judged; a use beyond the end names a record that never was.
    const end = (await engine.head()).size;
    const left = new Map(strays.filter(({ seq }) => seq < size || seq >= end).map((use) => [fingerprint(use), use]));
    for (const [seq, print] of told.entries()) {
      if (print === 0n || met[seq] === 1) continue;
      const misplaced = left.get(print);
      left.delete(print);
      report(
        misplaced === undefined
          ? { cause: "key-unlisted", facts: {}, seq, what: "use-missing" }
          : { cause: "key-misplaced", facts: { other: misplaced.seq }, seq, what: "use-misplaced" },
      );
    }
    for (const { caller, key, seq } of left.values()) {
      report({ cause: "key-stray", facts: { caller, key }, seq, what: "use-stray" });
    }
  };

  try {
    await takeLines();
    await takeUses();
    await judge();
  } catch (error) {
    if (!(error instanceof LedgerDamage)) throw error;
    report({ ...error.flaw, seq: error.seq ?? size, what: "use-unreadable" });
  }
  return { findings, findingsCount, records: size, uses };
};
