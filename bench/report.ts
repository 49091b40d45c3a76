// Measures the parts one after another and reports: a table, the same as JSON under .cache/, and exit code 1 when a
// goal is missed. Parts can be named as words on the command line, for those who work on one of them.
//
// Each part has a process of its own: what one has compiled for its values, and left on the heap, is not the next one's
// matter.

import { fork } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { isMet, type Row, tableText } from "./row.ts";

const CACHE = fileURLToPath(new URL("../.cache/", import.meta.url));

export type Part = readonly [name: string, measure: () => readonly Row[] | Promise<readonly Row[]>];

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Says to a process of ours which part it is to measure. */
const PART = "DEDALUS_BENCH_PART";

export const report = async (file: string, parts: readonly Part[], remark = ""): Promise<void> => {
  const own = parts.find(([name]) => name === process.env[PART]);
  if (own !== undefined) {
    process.send?.(await own[1]());
    return;
  }
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((word) => !parts.some(([name]) => name === word));
  if (unknown !== undefined)
    throw new Error(`there is no part ${unknown}; there are: ${parts.map(([name]) => name).join(", ")}`);
  const chosen = wanted.length === 0 ? parts : parts.filter(([name]) => wanted.includes(name));
  const loadBefore = loadavg()[0] ?? 0;
  const rows: Row[] = [];
  for (const [name] of chosen) {
    const fromMs = performance.now();
    const measured = await measuredApart(name);
    rows.push(...measured);
    // Said at once too: a long run that is broken off has not been for nothing.
    for (const { measure: what, unit = "×", value } of measured) say(`  ${value.toFixed(2)} ${unit}  ${what}`);
    say(`measured ${name} in ${((performance.now() - fromMs) / 1_000).toFixed(0)} s`);
  }
  const machine = {
    cpus: availableParallelism(),
    loadAfter: Number((loadavg()[0] ?? 0).toFixed(2)),
    loadBefore: Number(loadBefore.toFixed(2)),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  mkdirSync(CACHE, { recursive: true });
  const results = rows.map((row) => ({ ...row, isMet: isMet(row) }));
  writeFileSync(`${CACHE}${file}`, `${JSON.stringify({ machine, remark, results }, null, 2)}\n`);

  process.stdout.write(tableText(rows));
  process.stdout.write(
    `Node ${machine.node}, ${machine.cpus} CPUs, ${machine.memoryGiB} GiB, load ${machine.loadBefore} before the start\n`,
  );
  if (remark !== "") process.stdout.write(`${remark}\n`);
  const missed = rows.filter((row) => !isMet(row)).length;
  process.stdout.write(missed === 0 ? "every goal is met\n" : `${missed} of ${rows.length} goals are missed\n`);
  process.exitCode = missed === 0 ? 0 : 1;
};

/** The rows of one part, from a process that measures nothing else. */
const measuredApart = (name: string): Promise<readonly Row[]> =>
  new Promise((resolve, reject) => {
    const script = process.argv[1];
    if (script === undefined) throw new Error("a bench is started as a file");
    let rows: readonly Row[] | undefined;
    const child = fork(script, [], { env: { ...process.env, [PART]: name } });
    child.once("message", (message) => {
      rows = message as readonly Row[];
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (rows === undefined || code !== 0) reject(new Error(`measuring ${name} ended with ${code}`));
      else resolve(rows);
    });
  });
