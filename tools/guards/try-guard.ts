// One guard on trial: removed in a copy of the tree, and its cases run there. Each must fail, and a case of the same
// file that does not rely on it must pass: what fails everything has proven nothing.

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WorkCopy } from "../mutate/work-copy.ts";
import type { Ran } from "../passed-reporter.ts";
import { type Guard, unguarded } from "./guard.ts";

const REPORTER = fileURLToPath(import.meta.resolve("../passed-reporter.ts"));
const RUN_MAX_MS = 180_000;

/** Of each file of the suite, a case that relies on the guards of no row. */
export const CONTROLS: Readonly<Record<string, string>> = {
  "test/hostile-agent/come-as-another.test.ts": "P7-A1 cannot plan as a sensor",
  "test/hostile-agent/come-back-to-an-agreement.test.ts": "N1 cannot apply what was approved once its plan has expired",
  "test/hostile-agent/come-by-a-session.test.ts":
    'B2 cannot ask for tools/call {"arguments":{},"name":"list_environments"} at the agents\' door by the session of a person',
  "test/hostile-agent/decide-for-people.test.ts": "P7-A1 cannot sign the ledger over HTTP as an agent",
  "test/hostile-agent/flood.test.ts": "P7-F1 cannot keep the service from others by requests that it never ends",
  "test/hostile-agent/forge-a-question.test.ts": "P7-A2 cannot apply because its client accepted a question",
  "test/hostile-agent/keep-to-the-clock.test.ts": "P7-A2 cannot apply as an agent what a policy refuses agents",
  "test/hostile-agent/lose-answers.test.ts":
    "B6 cannot apply anew at a service that was started again, what the one before had begun",
  "test/hostile-agent/persuade-people.test.ts": "P7-A2 cannot apply because its reason says that a person approved",
  "test/hostile-agent/race.test.ts": "B6 cannot apply a step twice by asking sixteen times at once",
  "test/hostile-agent/reach-beyond.test.ts": "B3 cannot plan in an environment that is not there",
  "test/hostile-agent/speak-as-the-provider.test.ts":
    "P7-F1 cannot speak to agents by what they are told of tools, rules and VMs",
  "test/hostile-agent/speak-otherwise.test.ts": "P7-F1 cannot apply by half a message",
  "test/hostile-agent/use-another-agreement.test.ts": "P7-A1 cannot close the plan of another agent",
};

const exact = (title: string): string => `${title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;

/** Undefined where it took too long, or told nothing. */
export const runCases = (
  { folder, temp }: Pick<WorkCopy, "folder" | "temp">,
  test: string,
  titles: readonly string[],
): Promise<Ran | undefined> => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const words = [
    ...["--test", "--test-isolation=none", `--test-reporter=${REPORTER}`],
    ...titles.map((title) => `--test-name-pattern=${exact(title)}`),
    test,
  ];
  const child = spawn(join(folder, "node_modules/.bin/node"), words, {
    cwd: folder,
    detached: true,
    env: { ...env, TMPDIR: temp },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let text = "";
  child.stdout.on("data", (data) => {
    text += String(data);
  });
  const { promise, reject, resolve } = Promise.withResolvers<Ran | undefined>();
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, RUN_MAX_MS);
  child.on("error", reject);
  child.on("close", () => {
    clearTimeout(timer);
    resolve(text === "" ? undefined : (JSON.parse(text) as Ran));
  });
  return promise;
};

/** What keeps a guard from being proven; undefined where each of its cases was seen to fail without it. */
export const tryGuard = async (copy: WorkCopy, guard: Guard): Promise<string | undefined> => {
  const path = join(copy.folder, guard.file);
  const source = readFileSync(path, "utf8");
  const without = unguarded(source, guard);
  if (without === undefined) return `its text is not exactly once in ${guard.file}`;
  const control = CONTROLS[guard.test];
  if (control === undefined) return `${guard.test} has no control`;
  writeFileSync(path, without);
  try {
    const ran = await runCases(copy, guard.test, [...guard.cases, control]);
    if (ran === undefined) return "its run told nothing";
    const green = guard.cases.filter((title) => !ran.failed.includes(title));
    if (green.length > 0) return `not seen to fail: ${green.join("; ")}`;
    return ran.passed.includes(control) ? undefined : `everything fails, its control too: ${control}`;
  } finally {
    writeFileSync(path, source);
  }
};
