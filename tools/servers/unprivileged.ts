// Whom a server runs as. PostgreSQL refuses to run as root, so that root lends it to a user who owns nothing.

import { spawnSync } from "node:child_process";
import { chownSync, cpSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Binaries } from "./postgres-binaries.ts";

/** Undefined: run as ourselves. */
export type User = { readonly gid: number; readonly uid: number } | undefined;

const NAMES = ["postgres", "nobody"];

export const serverUser = (): User => {
  if (process.getuid?.() !== 0) return undefined;
  const entries = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of NAMES) {
    const [, , uid, gid] = entries.find(([first]) => first === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { gid: Number(gid), uid: Number(uid) };
  }
  throw new Error(`PostgreSQL does not run as root, and there is no user ${NAMES.join(" or ")} to run it as`);
};

export const giveTo = (user: User, path: string): void => {
  if (user !== undefined) chownSync(path, user.uid, user.gid);
};

const giveAll = (user: User, folder: string): void => {
  giveTo(user, folder);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) giveTo(user, join(entry.parentPath, entry.name));
  }
};

/** The binaries themselves, or a copy in `folder` when they lie where that user may not go, as under /root. */
export const reachableBy = (user: User, binaries: Binaries, folder: string): Binaries => {
  if (user === undefined) return binaries;
  const { status } = spawnSync(binaries.postgres, ["--version"], { cwd: "/", ...user });
  if (status === 0) return binaries;
  const home = join(folder, "native");
  cpSync(dirname(dirname(binaries.postgres)), home, { recursive: true, verbatimSymlinks: true });
  giveAll(user, home);
  return { ...binaries, initdb: join(home, "bin", "initdb"), postgres: join(home, "bin", "postgres") };
};
