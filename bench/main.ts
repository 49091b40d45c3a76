// make bench: every goal of speed and memory as one line of a table, and the same as .cache/bench.json.
//
// Everything is a ratio to something measured in the same run. A missed goal ends with exit code 1. BENCH=quick leaves
// out the million, for those who work on the spine; its table says so, and goals that need the million are absent.

import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { cliRows } from "./cli.ts";
import { memoryRow } from "./memory.ts";
import { proxmoxRows } from "./proxmox.ts";
import { isMet, type Row, tableText } from "./row.ts";
import { spineRows } from "./spine.ts";
import { yamlRows } from "./yaml.ts";

const CACHE = fileURLToPath(new URL("../.cache/", import.meta.url));
const isQuick = process.env["BENCH"] === "quick";

const HUNDRED_THOUSAND = { limitMs: 10_000, roundsMin: 9, vms: 100_000 } as const;
const MILLION = { limitMs: 20_000, roundsMin: 5, vms: 1_000_000 } as const;

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const parts: readonly (readonly [string, () => readonly Row[]])[] = [
  ["the whole program", cliRows],
  ["YAML", yamlRows],
  ["the spine", () => spineRows(isQuick ? [HUNDRED_THOUSAND] : [HUNDRED_THOUSAND, MILLION])],
  ["Proxmox VE", () => proxmoxRows(isQuick)],
  ["memory", () => (isQuick ? [] : [memoryRow(MILLION.vms)])],
];

const loadBefore = loadavg()[0] ?? 0;
const rows = parts.flatMap(([name, measure]) => {
  const fromMs = performance.now();
  const measured = measure();
  say(`measured ${name} in ${((performance.now() - fromMs) / 1_000).toFixed(0)} s`);
  return measured;
});

const machine = {
  cpus: availableParallelism(),
  loadBefore: Number(loadBefore.toFixed(2)),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
};
mkdirSync(CACHE, { recursive: true });
const results = rows.map((row) => ({ ...row, isMet: isMet(row) }));
writeFileSync(`${CACHE}bench.json`, `${JSON.stringify({ isQuick, machine, results }, null, 2)}\n`);

process.stdout.write(tableText(rows));
process.stdout.write(
  `Node ${machine.node}, ${machine.cpus} CPUs, ${machine.memoryGiB} GiB, load ${machine.loadBefore} before the start\n`,
);
if (isQuick) process.stdout.write("BENCH=quick: one million VMs, growth and peak memory were not measured\n");
const missed = rows.filter((row) => !isMet(row)).length;
process.stdout.write(missed === 0 ? "every goal is met\n" : `${missed} of ${rows.length} goals are missed\n`);
process.exitCode = missed === 0 ? 0 : 1;
