// Equivalent mutants of what verifies and writes a ledger; equivalent.ts says what a row is.

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
    lineText: "for (const folder of folders) syncFolder(folder);",
    original: "syncFolder(folder);",
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
    because: "No snapshot is of one byte.",
    file: "src/ledger/write/save-state.ts",
    lineText: "if (last.bytes > 0 && behind > Math.max(RECORDS_MIN.afterCommit, last.bytes / BYTES_PER_RECORD_MAX))",
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
  {
    because: "How much is read at once changes no byte of what is read.",
    file: "src/ledger/write/saved-state.ts",
    lineText: "const PIECE_BYTES = 1 << 16;",
    original: "1",
    replacement: "2",
  },
  {
    because: "How much is read at once changes no byte of what is read.",
    file: "src/ledger/write/saved-state.ts",
    lineText: "const PIECE_BYTES = 1 << 16;",
    original: "16",
    replacement: "17",
  },
  {
    because: "Only a power cut shows what was not synced, and a state that is lost is folded again.",
    file: "src/ledger/write/saved-state.ts",
    lineText: "await handle.sync();",
    original: "await handle.sync();",
    replacement: ";",
  },
  {
    because: "A record that links is read the slow way as well, and found to link.",
    file: "src/ledger/verify/verify.ts",
    lineText: "const link = isNext ? undefined : linkOf(line);",
    original: "isNext",
    replacement: "false",
  },
];
