// What is written leaves whole and in order, whoever reads it: one who is slow, on a pipe that does not wait, too.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, createReadStream, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";

const OUTPUT = fileURLToPath(new URL("../../src/cli/process/output.ts", import.meta.url));
/** Several times what a pipe holds. */
const LINES = 40_000;

const WRITES = `
  import { openOutput } from ${JSON.stringify(OUTPUT)};
  const out = openOutput(1);
  for (let n = 0; n < ${LINES}; n += 1) if (!out.write("line " + n + "\\n")) await out.drain();
  await out.drain();
  process.exitCode = out.failure() === undefined ? 0 : 3;
`;

const started = (t: TestContext, flags: number): { readonly fifo: string; readonly exit: Promise<number | null> } => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-output-"));
  t.after(() => rmSync(folder, { force: true, recursive: true }));
  const [fifo, script] = [join(folder, "fifo"), join(folder, "writes.mjs")];
  execFileSync("mkfifo", [fifo]);
  writeFileSync(script, WRITES);
  const descriptor = openSync(fifo, constants.O_RDWR | flags);
  // By a shell: Node makes the first three descriptors of whatever it starts wait.
  const child = spawn("sh", ["-c", 'exec "$0" "$1" >&3', process.execPath, script], {
    stdio: ["ignore", "ignore", "inherit", descriptor],
  });
  const exit = new Promise<number | null>((resume) => child.once("exit", resume));
  t.after(() => closeSync(descriptor));
  return { exit, fifo };
};

const readLines = async (fifo: string): Promise<string> => {
  let text = "";
  const reader = createReadStream(fifo, { encoding: "utf8" });
  for await (const piece of reader) {
    text += piece;
    if (text.endsWith(`line ${LINES - 1}\n`)) break;
  }
  return text;
};

const ALL = Array.from({ length: LINES }, (_, n) => `line ${n}\n`).join("");

for (const [pipe, flags] of [
  ["a pipe that waits", 0],
  ["a pipe that does not wait", constants.O_NONBLOCK],
] as const)
  test(`${pipe} gets everything, in order`, async (t) => {
    const { exit, fifo } = started(t, flags);
    assert.equal(await readLines(fifo), ALL);
    assert.equal(await exit, 0);
  });
