// A package of integrations/, installed by its own lock file: once, and again when the lock file is another.
//
// Each is a program of a stranger, with dependencies that are none of Dedalus's. What it installs stays in its own
// folder, and no script of a package runs.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../tools/sources.ts";
import type { Printed } from "../cli/desk.ts";

const FOLDER = join(ROOT, "integrations");

export const INTEGRATIONS: readonly string[] = readdirSync(FOLDER).filter((name) =>
  existsSync(join(FOLDER, name, "package.json")),
);

export type IntegrationPackage = {
  readonly folder: string;
  /** Runs a program by the Node that runs this, in the package's own folder where no other is named. */
  readonly run: (argv: readonly string[], options?: RunOptions) => Promise<Printed>;
};
type RunOptions = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> };

const ran = async (command: string, argv: readonly string[], cwd: string, env: RunOptions["env"]): Promise<Printed> => {
  const child = spawn(command, argv, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (text) => {
    out += text;
  });
  child.stderr.on("data", (text) => {
    err += text;
  });
  const [code] = await once(child, "close");
  return { code: code ?? -1, err, out };
};

const INSTALL = ["ci", "--ignore-scripts", "--loglevel=error", "--no-progress"];

export const installIntegration = async (name: string): Promise<IntegrationPackage> => {
  const folder = join(FOLDER, name);
  const mark = join(folder, "node_modules/.installed");
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== lock) {
    const { code, err, out } = await ran("npm", INSTALL, folder, {});
    assert.equal(code, 0, `${out}${err}`);
    writeFileSync(mark, lock);
  }
  return { folder, run: (argv, { cwd = folder, env } = {}) => ran(process.execPath, argv, cwd, env) };
};
