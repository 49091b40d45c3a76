// make bench-long: what takes minutes: a minute and a million rows of appending to each engine, and a ledger of a
// million records, also as `dedalus serve` starts on it. The same as .cache/bench-long.json.

import { growthRow } from "./kernel.ts";
import { sustainedRows } from "./ledger-append.ts";
import { startRows } from "./ledger-start.ts";
import { report } from "./report.ts";
import { serveStartRow } from "./serve-start.ts";
import { thenRow } from "./then.ts";

const SUSTAINED = { forMs: 60_000, recordsMin: 1_000_000 } as const;
const MILLION = 1_000_000;

await report("bench-long.json", [
  ["ledger-append", () => sustainedRows(SUSTAINED)],
  ["ledger-start", () => startRows(MILLION, 1)],
  ["serve-start", async () => [await serveStartRow(MILLION, 3)]],
  ["then", async () => [await thenRow(MILLION, 3)]],
  ["kernel", () => [growthRow(MILLION)]],
]);
