// Runs every test file, in one process more than there are cores (JOBS says otherwise), and joins what they report: a
// quarter of their time they wait for servers, browsers and disks.
//
// Files of a folder share a process, a few at a time: loading the sources takes longer than most of them. The slowest
// files begin first, each by itself, and then folders whose tests wait for servers, disks and whole commands, so that
// none of them is left for the end. What one process compiled is cached for the others, and temporary files are in
// memory where there is room (scratch-folder.ts; TMPDIR says otherwise). A process prints when it has ended, so that no
// two mix. Not here: whether every rule was attacked (rules.ts).

import { spawn } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import type { Ran } from "./passed-reporter.ts";
import { memoryScratch } from "./scratch-folder.ts";
import { ROOT } from "./sources.ts";

const CACHE = join(ROOT, ".cache");
const REPORTS = join(CACHE, "test-reports");
const FILES_MAX = 12;
const SLOWEST = 20;
/** By what was measured; a process of its own each, so that they run beside one another. */
const SLOWEST_FILES = [
  "test/release.test.ts",
  "test/package.test.ts",
  "test/sim/simulation.test.ts",
  "test/sim/explorer.test.ts",
];
/** One process for all files: they share what takes longer to begin than they take. */
const TOGETHER = ["test/console/rules"];
/** Slow ones first, by what was measured; every other folder after them. */
const SLOW = [
  "test/console/rules",
  "test",
  "test/console",
  "test/integrations",
  "test/live",
  "test/ledger",
  "test/boundary/approval",
  "test/boundary",
];

type Batch = { readonly files: readonly string[]; readonly report: string };

const batches = (): readonly Batch[] => {
  const all = globSync("test/**/*.test.ts", { cwd: ROOT }).toSorted();
  const alone = SLOWEST_FILES.map((file) => [file]);
  const byFolder = Map.groupBy(
    all.filter((file) => !SLOWEST_FILES.includes(file)),
    dirname,
  );
  const rank = (folder: string): number => (SLOW.includes(folder) ? SLOW.indexOf(folder) : SLOW.length);
  const shared = [...byFolder]
    .toSorted(([one], [other]) => rank(one) - rank(other))
    .flatMap(([folder, files]) => (TOGETHER.includes(folder) ? [files] : chunked(files)));
  return [...alone, ...shared].map((files, at) => ({ files, report: join(REPORTS, `${at}.json`) }));
};

const chunked = (files: readonly string[]): readonly (readonly string[])[] =>
  files.length <= FILES_MAX ? [files] : [files.slice(0, FILES_MAX), ...chunked(files.slice(FILES_MAX))];

/** Its exit code, and what it printed. */
const runBatch = (
  { files, report }: Batch,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number; readonly printed: string }> =>
  new Promise((resolve, reject) => {
    const flags = ["--test", "--test-isolation=none", "--test-reporter=spec", "--test-reporter-destination=stdout"];
    const told = ["--test-reporter=./tools/passed-reporter.ts", `--test-reporter-destination=${report}`];
    const child = spawn(process.execPath, [...flags, ...told, ...files], {
      cwd: ROOT,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const pieces: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => pieces.push(piece));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, printed: Buffer.concat(pieces).toString() }));
  });

/** A process that ended without its report has failed as a whole, and names its files. */
const ranIn = ({ files, report }: Batch, code: number): Ran => {
  const ran = readReport(report);
  if (ran === undefined) return { failed: [`no report of ${files.join(" ")}`], leftOut: [], passed: [], took: {} };
  return code === 0 || ran.failed.length > 0 ? ran : { ...ran, failed: [`exit ${code} of ${files.join(" ")}`] };
};

const readReport = (path: string): Ran | undefined => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Ran;
  } catch {
    return undefined;
  }
};

const runAll = async (jobs: number, env: NodeJS.ProcessEnv): Promise<Ran> => {
  rmSync(REPORTS, { force: true, recursive: true });
  mkdirSync(REPORTS, { recursive: true });
  const waiting = [...batches()];
  const all: Ran[] = [];
  const work = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      const { code, printed } = await runBatch(batch, env);
      process.stdout.write(printed);
      all.push(ranIn(batch, code));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return {
    failed: all.flatMap(({ failed }) => failed),
    leftOut: all.flatMap(({ leftOut }) => leftOut),
    passed: all.flatMap(({ passed }) => passed),
    took: Object.assign({}, ...all.map(({ took }) => took)),
  };
};

/** Where the time went: whoever adds a test sees what it costs everybody. */
const slowest = (took: Ran["took"]): readonly string[] =>
  Object.entries(took)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, SLOWEST)
    .map(([file, ms]) => `${`${(ms / 1_000).toFixed(1)} s`.padStart(8)}  ${file}`);

const scratch = process.env["TMPDIR"] === undefined ? memoryScratch() : undefined;
const ran = await runAll(Number(process.env["JOBS"] ?? availableParallelism() + 1), {
  NODE_COMPILE_CACHE: join(CACHE, "compiled"),
  ...process.env,
  ...(scratch === undefined ? {} : { TMPDIR: scratch.folder }),
});
scratch?.remove();
writeFileSync(join(CACHE, "passed-tests.json"), `${JSON.stringify(ran, undefined, 1)}\n`);
for (const line of slowest(ran.took)) process.stdout.write(`${line}\n`);
for (const title of ran.failed) process.stdout.write(`failed: ${title}\n`);
process.stdout.write(`${ran.passed.length} passed, ${ran.failed.length} failed, ${ran.leftOut.length} skipped\n`);
process.exitCode = ran.failed.length === 0 && ran.passed.length > 0 ? 0 : 1;
