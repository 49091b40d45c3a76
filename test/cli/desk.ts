// A desk to run commands at: a folder of its own, and what was printed. What is printed with --json fits its schema, or
// the test fails.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProcessIo, run } from "../../src/cli/run.ts";
import { now } from "../../src/clock.ts";
import { assertAnswer } from "./answer-schema.ts";

export type Printed = { readonly code: number; readonly out: string; readonly err: string };

/** Runs one command in this process, as run-process.ts would with nobody watching. */
export const runAt = async (folder: string, argv: readonly string[], io: Partial<ProcessIo> = {}): Promise<Printed> => {
  let [out, err] = ["", ""];
  const code = await run(argv, {
    ask: async () => undefined,
    err: (text) => {
      err += text;
    },
    folder,
    interrupted: () => new AbortController().signal,
    isErrTerminal: false,
    isOutGone: () => false,
    isOutTerminal: false,
    noColour: false,
    now,
    out: (text) => {
      out += text;
    },
    ...io,
  });
  return { code, err, out };
};

/** Runs commands in a folder that is gone afterwards. */
export const atDesk = async <T>(
  files: Readonly<Record<string, string>>,
  work: (dedalus: (...argv: readonly string[]) => Promise<Printed>, folder: string) => Promise<T>,
  io: Partial<ProcessIo> = {},
): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const dedalus = async (...argv: readonly string[]): Promise<Printed> => {
    const printed = await runAt(folder, argv, io);
    if (argv.includes("--json") && io.out === undefined) assertAnswer(argv, printed.code, printed.out);
    return printed;
  };
  try {
    return await work(dedalus, folder);
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

export const DESIRED = `version: 1
environment: home
vms:
  - { vmid: 101, name: web-01, target: running }
  - { vmid: 102, name: web-02, target: running }
`;

export const vm = (vmid: number, name: string, status: string, more: object = {}): object => ({
  name,
  source: "live",
  status,
  vmid,
  ...more,
});

export const current = (vms: readonly object[], more: object = {}): string =>
  JSON.stringify({ complete: true, environment: "home", observedAt: "2026-11-15T10:00:00Z", version: 1, vms, ...more });
