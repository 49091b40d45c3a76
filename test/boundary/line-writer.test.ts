// Log lines reach their descriptor whole and in order, many in one write; none is left behind when a process ends.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { lineWriter } from "../../src/boundary/telemetry/line-writer.ts";
import { until } from "../service/bound.ts";

const fileFor = (t: TestContext, flags: "r" | "w") => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-lines-"));
  const path = join(folder, "log");
  closeSync(openSync(path, "w"));
  const descriptor = openSync(path, flags);
  t.after(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });
  return { descriptor, read: () => readFileSync(path, "utf8") };
};

const LINES = Array.from({ length: 5_000 }, (_, at) => `line ${at} é\n`);

test("lines come in their order and whole, and nothing is written at once that need not be", async (t) => {
  const { descriptor, read } = fileFor(t, "w");
  const atOnce: string[] = [];
  const stream = lineWriter(descriptor, (text) => void atOnce.push(text));
  for (const line of LINES) stream.write(line);
  assert.ok(read().length < LINES.join("").length, "nobody waited for it");
  await until("the lines", () => read() === LINES.join(""));
  stream.write("one more\n");
  await until("the last line", () => read().endsWith("one more\n"));
  assert.deepEqual(atOnce, []);
});

test("what is held is bounded: lines beyond it are dropped whole and counted, and the others come once and in order", async (t) => {
  const { descriptor, read } = fileFor(t, "w");
  const atOnce: string[] = [];
  const stream = lineWriter(descriptor, (text) => void atOnce.push(text));
  stream.hearDropped((count) => stream.write(`${count} dropped\n`));
  const line = (at: number): string => `${at} ${"a".repeat(100_000)}\n`;
  for (let at = 0; at < 30; at += 1) stream.write(line(at));
  await until("what was dropped", () => read().endsWith(" dropped\n"));
  const [, count = ""] = /^(\d+) dropped\n$/m.exec(read()) ?? [];
  const kept = 30 - Number(count);
  assert.ok(kept > 9 && kept < 30, `${kept} were kept`);
  assert.equal(read(), `${Array.from({ length: kept }, (_, at) => line(at)).join("")}${count} dropped\n`);
  stream.write("after it\n");
  await until("the next line", () => read().endsWith("dropped\nafter it\n"));
  assert.deepEqual(atOnce, []);
});

test("what the descriptor does not take is written at once, each line once and whole", async (t) => {
  const { descriptor, read } = fileFor(t, "r");
  const atOnce: string[] = [];
  const stream = lineWriter(descriptor, (text) => void atOnce.push(text));
  for (const line of LINES) stream.write(line);
  await until("all of them", () => atOnce.join("") === LINES.join(""));
  assert.equal(read(), "");
});

const linesOf = (ending: string): readonly string[] => {
  const module = new URL("../../src/boundary/telemetry/line-writer.ts", import.meta.url);
  const script = `import { writeSync } from "node:fs";
    const { lineWriter } = await import(${JSON.stringify(module.href)});
    const stream = lineWriter(1, (text) => writeSync(1, text));
    for (let at = 0; at < 100; at += 1) stream.write(\`line \${at}\\n\`);
    ${ending}`;
  const words = ["--input-type=module", "--eval", script];
  return spawnSync(process.execPath, words, { encoding: "utf8" }).stdout.split("\n").slice(0, -1);
};
const HUNDRED = Array.from({ length: 100 }, (_, at) => `line ${at}`);

test("a process that ends has written its lines, and one that exits at once those that it held", () => {
  assert.deepEqual(linesOf(""), HUNDRED);
  assert.deepEqual(linesOf("process.exit(3);"), HUNDRED, "those of one turn leave together");
});
