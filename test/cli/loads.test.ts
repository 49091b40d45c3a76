// What a command loads. A short one is mostly loading, so that what it does not need is loaded by whoever does: reading
// loads nothing that decides, acts, or speaks of refusals. Counted in files and never timed.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { now } from "../../src/clock.ts";
import { atDesk, current, DESIRED, vm } from "./desk.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const START = join(ROOT, "src/start.ts");
const LOADED = "loaded.txt";

/** Runs before the program, and writes down the address of everything that is loaded by its own hook or past it. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import module, { syncBuiltinESMExports } from "node:module";
  import { appendFileSync } from "node:fs";
  const { registerHooks } = module;
  const watched = ({ load, ...rest }) => ({
    ...rest,
    load: (url, context, next) => {
      appendFileSync(${JSON.stringify(LOADED)}, url + "\\n");
      return load(url, context, next);
    },
  });
  module.registerHooks = (hooks) => registerHooks(watched(hooks));
  syncBuiltinESMExports();
`)}`;

type Loading = (exit: number, ...argv: readonly string[]) => ReadonlySet<string>;

const atLedger = (work: (loading: Loading, folder: string) => void): Promise<void> => {
  const files = {
    "current.json": current([vm(101, "web-01", "stopped"), vm(102, "web-02", "running")], { observedAt: now() }),
    "wanted.yaml": DESIRED,
  };
  return atDesk(files, async (dedalus, folder) => {
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    const config = join(folder, "dedalus.yaml");
    writeFileSync(config, readFileSync(config, "utf8").replace("desired: desired.yaml", "desired: wanted.yaml"));
    assert.equal((await dedalus("register", "--env", "home", "wanted.yaml")).code, 0);
    work((exit, ...argv) => {
      writeFileSync(join(folder, LOADED), "");
      const words = ["--import", WATCH, START, ...argv];
      const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
      assert.equal(status, exit, stderr);
      const urls = readFileSync(join(folder, LOADED), "utf8").trimEnd().split("\n");
      return new Set(urls.map((url) => url.replace(`file://${ROOT}`, "")));
    }, folder);
  });
};

/**
 * What whoever reads does not load; a descriptor is read at every start, and who asks and may read is proven by the
 * kernel.
 */
const NOT_FOR_READING = {
  "an adapter": /^src\/adapters\/[^/]+\/(?!descriptor\.ts|words\.ts)/,
  "an engine that is not configured": /^src\/ledger\/engines\/postgres\/(?!descriptor\.ts|address\.ts)/,
  "a package": /\/?node_modules\//,
  "how requests are decided": /^src\/kernel\/(?:apply|decide)\/(?!actors\.ts|agent-door\.ts|session-proof\.ts)/,
  "how a plan is made": /^src\/spine\/plan\/(?!policy(?:-window)?\.ts)/,
  "how acts are performed": /^src\/service\/act\//,
  "the reader of JSON files": /^src\/formats\/(?:json\/|current-json|plan-json|result-json)/,
  "the simulator": /^src\/simulator\//,
  "the words of refusals": /^src\/spine\/words\/refusals\/refusal-words\.ts$/,
  "the writer": /^src\/(?:kernel\/writer\.ts|ledger\/write\/sequencer\.ts)$/,
} as const;
type Kind = keyof typeof NOT_FOR_READING;

const kindsOf = (loaded: ReadonlySet<string>): readonly Kind[] =>
  (Object.keys(NOT_FOR_READING) as Kind[]).filter((kind) =>
    [...loaded].some((file) => NOT_FOR_READING[kind].test(file)),
  );

test("status loads nothing that it does not need", () =>
  atLedger((loading) => {
    const loaded = loading(0, "status");
    assert.ok(loaded.has("src/service/read/status.ts"), "what is loaded was seen");
    assert.deepEqual(kindsOf(loaded), []);
  }));

test("a plan loads what decides and observes, and nothing of other providers and engines", () =>
  atLedger((loading) => {
    const loaded = loading(4, "plan", "--env", "home");
    assert.deepEqual(kindsOf(loaded), [
      "an adapter",
      "how requests are decided",
      "how a plan is made",
      "how acts are performed",
      "the reader of JSON files",
      "the words of refusals",
      "the writer",
    ]);
    assert.ok(![...loaded].some((file) => /^src\/adapters\/proxmox\/(?!descriptor\.ts|words\.ts)/.test(file)));
  }));

test("a refusal loads its words", () =>
  atLedger((loading) => assert.deepEqual(kindsOf(loading(2, "status", "--vm", "x")), ["the words of refusals"])));

test("a configuration that is not plain YAML loads the package", () =>
  atLedger((loading, folder) => {
    const file = join(folder, "dedalus.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace('"alice"', '"al\\x69ce"'));
    assert.deepEqual(kindsOf(loading(0, "status")), ["a package"]);
  }));

/** Beside the texts of the commands, which are all in it. */
const OVERVIEW_LOADS_MAX = 28;

test("the overview loads no command, nothing that runs one, and no refusal", () =>
  atLedger((loading) => {
    const ours = [...loading(0, "--help")].filter((file) => file.startsWith("src/"));
    assert.deepEqual(
      ours.filter((file) => /^src\/(?:service|kernel|formats|wire|spine\/(?:rules|words))|cli\/run/.test(file)),
      [],
    );
    assert.ok(ours.length <= OVERVIEW_LOADS_MAX, `${ours.length} files: ${ours.join(", ")}`);
  }));

test("the overview is the same by its short way and by the long one of every command", () => {
  const said = (...argv: readonly string[]) => spawnSync(process.execPath, [START, ...argv], { encoding: "utf8" });
  const long = said("help", "--verbose");
  assert.equal(long.status, 0, long.stderr);
  assert.match(long.stdout, /^Usage: dedalus COMMAND/m);
  for (const argv of [[], ["help"], ["-h"], ["--help"]]) {
    const short = said(...argv);
    assert.deepEqual([short.status, short.stdout, short.stderr], [0, long.stdout, ""]);
  }
});

test("an overview that cannot be written is told, and no success", () => {
  const full = openSync("/dev/full", "w");
  try {
    const { status, stderr } = spawnSync(process.execPath, [START, "--help"], {
      encoding: "utf8",
      stdio: ["ignore", full, "pipe"],
    });
    assert.deepEqual([status, stderr], [2, "standard output could not be written: ENOSPC\n"]);
  } finally {
    closeSync(full);
  }
});
