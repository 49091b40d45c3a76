// A package of integrations/, installed by its own lock file, and its programs run.
//
// Each is a program of a stranger, with dependencies that are none of Dedalus's. What it installs stays in its own
// folder.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { INTEGRATIONS_FOLDER, installPackage } from "../../tools/install-integration.ts";
import type { Printed } from "../cli/desk.ts";

export const INTEGRATIONS: readonly string[] = readdirSync(INTEGRATIONS_FOLDER).filter((name) =>
  existsSync(join(INTEGRATIONS_FOLDER, name, "package.json")),
);

export type IntegrationPackage = {
  readonly folder: string;
  /** Runs a program by the Node that runs this, in the package's own folder where no other is named. */
  readonly run: (argv: readonly string[], options?: RunOptions) => Promise<Printed>;
};
type RunOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Told each line as it is printed, on either stream; the program goes on meanwhile. */
  readonly onLine?: (line: string) => Promise<void>;
};

const ran = async (
  command: string,
  argv: readonly string[],
  { cwd, env, onLine }: RunOptions & { readonly cwd: string },
): Promise<Printed> => {
  const child = spawn(command, argv, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (text) => {
    out += text;
  });
  child.stderr.on("data", (text) => {
    err += text;
  });
  const heard: Promise<void>[] = [];
  if (onLine !== undefined)
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on("line", (line) => heard.push(onLine(line)));
  const [code] = await once(child, "close");
  await Promise.all(heard);
  return { code: code ?? -1, err, out };
};

export const installIntegration = async (name: string): Promise<IntegrationPackage> => {
  const folder = await installPackage(name);
  return { folder, run: (argv, options) => ran(process.execPath, argv, { cwd: folder, ...options }) };
};
