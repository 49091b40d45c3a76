// The histories of test/histories as they are kept: records as lines, blobs by digest, the kinds of
// records that there were. For tests that replay them.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import type { BlobText } from "../src/kernel/blob-values.ts";
import { readRecord } from "../src/ledger/record/read-record.ts";
import { GENESIS, type LedgerRecord } from "../src/ledger/record/record.ts";
import { linkFlaw, recordHash } from "../src/ledger/record/seal.ts";
import { RULES_VERSION } from "../src/spine/rules/rules-version.ts";
import { sha256 } from "../src/spine/values/hash.ts";

export const HISTORIES = Array.from({ length: RULES_VERSION }, (_, at) => at + 1);

const at = (version: number, path: string): URL => new URL(`histories/${version}/${path}`, import.meta.url);

/** In order; written with the history and never again. */
export const kindsOf = (version: number): readonly string[] =>
  JSON.parse(readFileSync(at(version, "kinds.json"), "utf8"));

/** Read strictly, each held against the one before. */
export const recordsOf = (version: number): readonly LedgerRecord[] => {
  let head = { hash: GENESIS, size: 0 };
  return readFileSync(at(version, "records.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const bytes = Buffer.from(line);
      const read = readRecord(bytes);
      assert.ok(read.kind === "record", JSON.stringify(read));
      assert.equal(linkFlaw(head, read.record), undefined);
      head = { hash: recordHash(bytes), size: head.size + 1 };
      return read.record;
    });
};

export const blobsOf =
  (version: number): BlobText =>
  async (digest) => {
    const path = at(version, `blobs/${digest}.txt`);
    if (!existsSync(path)) return undefined;
    const text = readFileSync(path, "utf8");
    assert.equal(sha256(text), digest, "a blob is named by its digest");
    return text;
  };
