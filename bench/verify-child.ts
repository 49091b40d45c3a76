// One process that reads an export in pieces and verifies it (`raw`, `full`), or only hashes its lines or parses them
// (`sha256`, `parse`); it prints what that took. Started by ledger-cpu.ts.

import { hash } from "node:crypto";
import { readPieces } from "../src/ledger/files/pieces.ts";
import { verifyExport } from "../src/ledger/verify/verify.ts";
import type { Verified } from "./ledger-cpu.ts";

const [mode = "", file = ""] = process.argv.slice(2);
const LINE_FEED = 0x0a;

/** As an audit reads an export; the baselines read the same way. */
const pieces = (): AsyncIterable<Uint8Array> => readPieces(file);

const verify = (how: "raw" | "full") => async (): Promise<number> => {
  const { findingsCount, records } = await verifyExport(pieces(), { checkpoints: [], mode: how });
  if (findingsCount > 0) throw new Error(`${findingsCount} findings`);
  return records;
};

const eachLine = (use: (line: Buffer) => unknown) => async (): Promise<number> => {
  let records = 0;
  let held = Buffer.alloc(0);
  for await (const bytes of pieces()) {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      use(from === 0 && held.length > 0 ? Buffer.concat([held, piece.subarray(0, end)]) : piece.subarray(from, end));
      records += 1;
      from = end + 1;
    }
    held = Buffer.from(piece.subarray(from));
  }
  return records;
};

const MODES: Readonly<Record<string, () => Promise<number>>> = {
  full: verify("full"),
  parse: eachLine((line) => JSON.parse(line.toString("utf8"))),
  raw: verify("raw"),
  sha256: eachLine((line) => hash("sha256", line, "hex")),
};
const run = MODES[mode];
if (run === undefined) throw new Error(`no mode ${mode}`);
const before = process.threadCpuUsage();
const records = await run();
const { system, user } = process.threadCpuUsage(before);
const said: Verified = {
  cpuMs: (system + user) / 1_000,
  peakBytes: process.resourceUsage().maxRSS * 1_024,
  records,
};
process.stdout.write(`${JSON.stringify(said)}\n`);
