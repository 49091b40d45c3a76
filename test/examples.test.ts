// The examples for operators are usable as they are: units that systemd takes, pipelines that parse, a script that
// comments.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { parseDocument } from "yaml";
import { readArguments } from "../src/cli/arguments/arguments.ts";
import { findCommand } from "../src/cli/catalogue/find-command.ts";
import { ROOT } from "../tools/sources.ts";

const UNITS = join(ROOT, "examples/systemd");
const PIPELINES = join(ROOT, "examples/ci");

const freshFolder = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-examples-"));
  t.after(() => rmSync(folder, { force: true, recursive: true }));
  return folder;
};

/** The settings of a unit, by section and name. */
const settingsOf = (file: string): ReadonlyMap<string, string> => {
  const settings = new Map<string, string>();
  let section = "";
  for (const line of readFileSync(join(UNITS, file), "utf8").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key, value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
    assert.ok(name !== undefined || key !== undefined, `${file}: ${line}`);
    if (name !== undefined) section = name;
    else settings.set(`${section}.${key}`, value);
  }
  return settings;
};

test("the timer starts the service, which checks the environment of its own name", () => {
  const units = ["dedalus-drift@.service", "dedalus-drift@.timer", "dedalus.service"];
  assert.deepEqual(readdirSync(UNITS).toSorted(), units);
  const service = settingsOf("dedalus-drift@.service");
  assert.match(service.get("Service.ExecStart") ?? "", / dedalus drift --env %i /);
  const [, words = ""] = /dedalus (.*)$/.exec(service.get("Service.ExecStart") ?? "") ?? [];
  const found = findCommand(words.split(" "));
  assert.ok(
    found.kind === "command" && "text" in readArguments(found.entry, found.rest),
    "the command takes its words",
  );
  assert.equal(service.get("Service.Type"), "oneshot");
  assert.ok(settingsOf("dedalus-drift@.timer").has("Timer.OnCalendar"));
});

const verifyUnit = (folder: string, unit: string) =>
  spawnSync("systemd-analyze", ["verify", "--man=no", join(folder, unit)], { encoding: "utf8" });

for (const [unit, file] of [
  ["dedalus-drift@home.service", "dedalus-drift@.service"],
  ["dedalus.service", "dedalus.service"],
] as const)
  test(`systemd takes ${file}, and would not take a misspelt one`, (t) => {
    const folder = freshFolder(t);
    cpSync(UNITS, folder, { recursive: true });
    const { error, status, stderr } = verifyUnit(folder, unit);
    if (error !== undefined) return t.diagnostic("systemd-analyze is not installed");
    assert.deepEqual([status, stderr], [0, ""]);
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(/^Type=.*$/m, "Type=oneshoot"));
    assert.notEqual(verifyUnit(folder, unit).stderr, "");
  });

for (const file of readdirSync(PIPELINES).filter((name) => name.endsWith(".yaml"))) {
  test(`${file} is YAML without an error or a warning, and runs the script`, () => {
    const text = readFileSync(join(PIPELINES, file), "utf8");
    const { errors, warnings } = parseDocument(text);
    assert.deepEqual([...errors, ...warnings], []);
    assert.match(text, /plan-comment\.sh desired\.yaml current\.json/);
  });
}

const commented = (t: TestContext, desired: string, change: (text: string) => string = (text) => text) => {
  const folder = freshFolder(t);
  cpSync(join(ROOT, "examples/home"), folder, { recursive: true });
  writeFileSync(join(folder, desired), change(readFileSync(join(folder, desired), "utf8")));
  const { status } = spawnSync(join(PIPELINES, "plan-comment.sh"), [desired, "current.json"], {
    cwd: folder,
    env: { ...process.env, PATH: [join(ROOT, "bin"), process.env["PATH"]].join(delimiter) },
  });
  const result = JSON.parse(readFileSync(join(folder, "plan-result.json"), "utf8"));
  return { code: status, comment: readFileSync(join(folder, "comment.md"), "utf8"), result };
};

test("the script comments steps and passes", (t) => {
  const { code, comment, result } = commented(t, "desired.yaml");
  assert.equal(code, 0);
  assert.equal(result.verdict.kind, "clear");
  assert.ok(comment.startsWith("<!-- dedalus plan -->\n"));
  assert.ok(comment.includes(result.plan.hash.slice(0, 12)));
});

test("the script comments a refusal, and fails as the plan does", (t) => {
  const { code, comment, result } = commented(t, "desired-stop-production.yaml");
  assert.equal(code, 3);
  assert.equal(result.verdict.kind, "refused");
  assert.ok(comment.includes("production-touched"));
});

test("the script comments bad input, and fails as the plan does", (t) => {
  const { code, comment, result } = commented(t, "desired.yaml", (text) => text.replace("target:", "traget:"));
  assert.equal(code, 2);
  assert.equal(result.error.domain, "input");
  assert.ok(comment.includes("key-unknown"));
});
