// make bench: every goal of speed and memory as one line of a table, and the same as .cache/bench.json.
//
// Values are ratios to something measured in the same run, or stand beside it. BENCH=quick leaves out the million, for
// those who work on the spine; its table says so, and goals that need the million are absent. What takes minutes, and
// the ledgers of a million records, are in long.ts.

import { cliRows } from "./cli.ts";
import { cliLedgerRows } from "./cli-ledger.ts";
import { consoleLoadRows } from "./console-load.ts";
import { consolePageRows } from "./console-pages.ts";
import { consoleVerifyRows } from "./console-verify.ts";
import { dailyRows } from "./daily.ts";
import { httpRows } from "./http.ts";
import { kernelRows } from "./kernel.ts";
import { applyRow, recordedRow } from "./kernel-ledger.ts";
import { replayRows } from "./kernel-replay.ts";
import { singleRows, sustainedRows } from "./ledger-append.ts";
import { chainRow, verifyRows } from "./ledger-cpu.ts";
import { rawRows } from "./ledger-raw.ts";
import { startRows } from "./ledger-start.ts";
import { mcpRows } from "./mcp.ts";
import { memoryRow } from "./memory.ts";
import { proxmoxRows } from "./proxmox.ts";
import { report } from "./report.ts";
import { spineRows } from "./spine.ts";
import { yamlRows } from "./yaml.ts";

const isQuick = process.env["BENCH"] === "quick";

const HUNDRED_THOUSAND = { limitMs: 10_000, roundsMin: 9, vms: 100_000 } as const;
const MILLION = { limitMs: 20_000, roundsMin: 5, vms: 1_000_000 } as const;
const SHORT = { forMs: 5_000, recordsMin: 0 } as const;
const RECORDS = isQuick ? 20_000 : 100_000;

await report(
  "bench.json",
  [
    ["cli", cliRows],
    ["cli-ledger", cliLedgerRows],
    ["daily", dailyRows],
    ["yaml", yamlRows],
    ["spine", () => spineRows(isQuick ? [HUNDRED_THOUSAND] : [HUNDRED_THOUSAND, MILLION])],
    ["proxmox", () => proxmoxRows(isQuick)],
    ["memory", () => (isQuick ? [] : [memoryRow(MILLION.vms)])],
    ["ledger-cpu", async () => [chainRow(), ...(await verifyRows(isQuick ? 100_000 : 1_000_000))]],
    ["ledger-append", async () => [...(await singleRows()), ...(await sustainedRows(SHORT))]],
    ["ledger-raw", rawRows],
    ["kernel", () => kernelRows(RECORDS)],
    ["kernel-replay", replayRows],
    ["kernel-ledger", async () => [await recordedRow(), await applyRow()]],
    ["http", httpRows],
    ["console-load", consoleLoadRows],
    ["console-pages", consolePageRows],
    ["console-verify", () => consoleVerifyRows(100_000)],
    ["mcp", mcpRows],
    ["ledger-start", () => startRows(RECORDS, 3)],
  ],
  isQuick ? "BENCH=quick: one million VMs or records, growth and peak memory were not measured" : "",
);
