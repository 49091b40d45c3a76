// git, as the release tools call it: by what a repository holds, and not by settings that hide a part of it.

import { execFileSync, spawnSync } from "node:child_process";

/**
 * A hook of another repository, or a person's shell, may name another repository or index than the one that is meant.
 */
const ELSEWHERE = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_CONFIG_PARAMETERS",
  "GIT_DIR",
  "GIT_GRAFT_FILE",
  "GIT_INDEX_FILE",
  "GIT_NAMESPACE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_SHALLOW_FILE",
  "GIT_WORK_TREE",
];
const environment = (): NodeJS.ProcessEnv => {
  const here = Object.entries(process.env).filter(([name]) => !ELSEWHERE.includes(name));
  return { ...Object.fromEntries(here), GIT_NO_REPLACE_OBJECTS: "1", LC_ALL: "C" };
};

/** What lets `git status` pass over a change. */
const SEEING = ["core.fileMode=true", "core.fsmonitor=false", "core.ignoreStat=false", "core.untrackedCache=false"];
const ARGV = SEEING.flatMap((setting) => ["-c", setting]);

type Given = { readonly env?: Readonly<Record<string, string>>; readonly input?: string | Uint8Array };

/** The bytes that it prints; a failure throws with what git said. */
export const gitBytes = (root: string, argv: readonly string[], { env = {}, input = "" }: Given = {}): Buffer =>
  execFileSync("git", [...ARGV, ...argv], {
    cwd: root,
    env: { ...environment(), ...env },
    input,
    maxBuffer: 1 << 30,
    stdio: ["pipe", "pipe", "inherit"],
  });

export const git = (root: string, ...argv: readonly string[]): string =>
  gitBytes(root, argv).toString("utf8").trimEnd();

/** Whether git answers with no. */
export const gitFails = (root: string, ...argv: readonly string[]): boolean =>
  spawnSync("git", [...ARGV, ...argv], { cwd: root, env: environment(), stdio: "ignore" }).status !== 0;
