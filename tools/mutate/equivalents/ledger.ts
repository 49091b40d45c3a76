// Equivalent mutants of the ledger; equivalent.ts says what a row is.

import type { Equivalent } from "../equivalent.ts";

export const LEDGER: readonly Equivalent[] = [
  {
    because: "An empty list of records is folded into nothing.",
    file: "src/ledger/verify/chained.ts",
    lineText: "for (let at = 0; at < lines.length; at += AT_ONCE) {",
    original: "at < lines.length",
    replacement: "at <= lines.length",
  },
  {
    because: "Only a power cut shows what was not synced, and an export is made again from the ledger.",
    file: "src/ledger/write/export-folder.ts",
    lineText: "fsyncSync(lines);",
    original: "fsyncSync(lines);",
    replacement: ";",
  },
  {
    because: "Only a power cut shows what was not synced, and an export is made again from the ledger.",
    file: "src/ledger/write/export-folder.ts",
    lineText: "fsyncSync(file);",
    original: "fsyncSync(file);",
    replacement: ";",
  },
  {
    because: "Only a power cut shows what was not synced, and an export is made again from the ledger.",
    file: "src/ledger/write/export-folder.ts",
    lineText: "syncFolder(part);",
    original: "syncFolder(part);",
    replacement: ";",
  },
  {
    because: "Only a power cut shows what was not synced, and an export is made again from the ledger.",
    file: "src/ledger/write/export-folder.ts",
    lineText: "syncFolder(dirname(folder));",
    original: "syncFolder(dirname(folder));",
    replacement: ";",
  },
  {
    because: "How many lines are written together is not in the bytes.",
    file: "src/ledger/write/export.ts",
    lineText: "const LINES_AT_ONCE = 256;",
    original: "256",
    replacement: "257",
  },
  {
    because: "How many lines are written together is not in the bytes.",
    file: "src/ledger/write/export.ts",
    lineText: "if (waiting.length >= LINES_AT_ONCE * 2) yield lines();",
    original: "waiting.length >= LINES_AT_ONCE * 2",
    replacement: "waiting.length > LINES_AT_ONCE * 2",
  },
  {
    because: "A line begins with its brace, so none of its other fields begins at 0.",
    file: "src/ledger/record/fast/link-of-line.ts",
    lineText: "if (timeEnd < 0 || startOf(line, prevStart, BEFORE_PREV) < 0) return false;",
    original: "0",
    replacement: "1",
  },
  {
    because: "A line begins with its brace, so none of its other fields begins at 0.",
    file: "src/ledger/record/fast/link-of-line.ts",
    lineText: "if (timeEnd < 0 || startOf(line, prevStart, BEFORE_PREV) < 0) return false;",
    nth: 1,
    original: "0",
    replacement: "1",
  },
  {
    because: "A line begins with its brace, so none of its other fields begins at 0.",
    file: "src/ledger/record/fast/link-of-line.ts",
    lineText: "if (timeEnd < 0 || startOf(line, prevEnd - HASH_DIGITS, BEFORE_PREV) < 0) return undefined;",
    original: "0",
    replacement: "1",
  },
  {
    because: "A line begins with its brace, so none of its other fields begins at 0.",
    file: "src/ledger/record/fast/link-of-line.ts",
    lineText: "if (timeEnd < 0 || startOf(line, prevEnd - HASH_DIGITS, BEFORE_PREV) < 0) return undefined;",
    nth: 1,
    original: "0",
    replacement: "1",
  },
  {
    because: "No snapshot is of one byte.",
    file: "src/ledger/write/save-state.ts",
    lineText:
      'if (last.bytes > 0 && behind > Math.max(RECORDS_MIN["after a commit"], last.bytes / BYTES_PER_RECORD_MAX))',
    original: "0",
    replacement: "1",
  },
  {
    because: "The short way takes only lines that thorough reading takes too; without it verifying is slower.",
    file: "src/ledger/verify/verify.ts",
    lineText: "if (isLinked && isPlainRecord(line)) return undefined;",
    original: "isLinked && isPlainRecord(line)",
    replacement: "false",
  },
];
