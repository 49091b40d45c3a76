// One run of some test files in a folder: passed or not; and what it covered, when asked.
//
// The first failure ends it. A run is a process group of its own, so that servers which its tests started end with it.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A tree with its tests, and where they may put their temporary files. */
export type RunFolder = { readonly folder: string; readonly temp: string };
export type RunEnd = "passed" | "failed" | "too-long";

const REPORTER = fileURLToPath(import.meta.resolve("./first-failure.ts"));
/** A mutant may collect for ever; it must not take the machine with it. */
const FLAGS = ["--max-old-space-size=2048", "--test", "--test-isolation=none", `--test-reporter=${REPORTER}`];

export const runTests = (
  { folder, temp }: RunFolder,
  files: readonly string[],
  { coverage, timeoutMaxMs }: { readonly coverage?: string; readonly timeoutMaxMs: number },
): Promise<RunEnd> =>
  new Promise((resolve, reject) => {
    const child = spawn(join(folder, "node_modules/.bin/node"), [...FLAGS, ...files], {
      cwd: folder,
      detached: true,
      env: { ...environment(coverage), TMPDIR: temp },
      stdio: "ignore",
    });
    const { pid } = child;
    let isTooLong = false;
    const timer = setTimeout(() => {
      isTooLong = true;
      endGroup(pid);
    }, timeoutMaxMs);
    child.on("error", reject);
    child.on("exit", (code) => {
      clearTimeout(timer);
      endGroup(pid);
      resolve(isTooLong ? "too-long" : code === 0 ? "passed" : "failed");
    });
  });

/**
 * A run inside a test of our own must not take itself for a part of that; coverage is exact only on what was compiled
 * anew.
 */
const environment = (coverage: string | undefined): NodeJS.ProcessEnv => {
  const { NODE_TEST_CONTEXT: _, NODE_V8_COVERAGE: __, ...own } = process.env;
  return coverage === undefined ? own : { ...own, NODE_DISABLE_COMPILE_CACHE: "1", NODE_V8_COVERAGE: coverage };
};

const endGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    // Everybody in it has ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};
