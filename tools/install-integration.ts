// node tools/install-integration.ts NAME…: installs packages of integrations/ by their own lock files; each once, and
// again when its lock file is another. No script of a package runs.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./sources.ts";

export const INTEGRATIONS_FOLDER = join(ROOT, "integrations");

const INSTALL = ["ci", "--ignore-scripts", "--loglevel=error", "--no-progress"];

/** Gives its folder. */
export const installPackage = async (name: string): Promise<string> => {
  const folder = join(INTEGRATIONS_FOLDER, name);
  const mark = join(folder, "node_modules/.installed");
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (existsSync(mark) && readFileSync(mark, "utf8") === lock) return folder;
  const child = spawn("npm", INSTALL, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const errors: Promise<readonly Buffer[]> = child.stderr.toArray();
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`npm ci of ${name} ended with ${code}: ${Buffer.concat([...(await errors)])}`);
  writeFileSync(mark, lock);
  return folder;
};

if (import.meta.main) for (const name of process.argv.slice(2)) await installPackage(name);
