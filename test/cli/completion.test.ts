// completion: the scripts are made from the catalogue, and the one for bash completes in a real bash.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { COMMANDS, GROUPS } from "../../src/cli/catalogue/catalogue.ts";
import { actionText } from "../../src/spine/rules/action-text.ts";
import { ACTIONS } from "../../src/spine/rules/actions.ts";
import { atDesk } from "./desk.ts";

const scriptFor = (shell: string): Promise<string> =>
  atDesk({}, async (dedalus) => {
    const { code, err, out } = await dedalus("completion", shell);
    assert.equal(code, 0, err);
    return out;
  });

const CONFIG = `version: 1
operator: alice
ledger: { engine: sqlite, path: ledger/dedalus.db }
anchor: anchor.txt
signingKey: keys/ledger.key
environments:
  home: { adapter: replay, approval: single-operator, desired: desired.yaml, maxObservationAge: 5 min, path: current.json }
  # cluster:
  lab-2: { adapter: replay, approval: single-operator, desired: desired.yaml, maxObservationAge: 5 min, path: current.json }
`;

const DEDALUS = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));

type Complete = (...words: readonly string[]) => readonly string[];

/** A folder with a configuration, and what a bash there offers for the last word. */
const inBash = async (t: TestContext): Promise<Complete> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-completion-"));
  t.after(() => rmSync(folder, { force: true, recursive: true }));
  writeFileSync(join(folder, "script.bash"), await scriptFor("bash"));
  writeFileSync(join(folder, "dedalus.yaml"), CONFIG);
  writeFileSync(join(folder, "other.yaml"), CONFIG.replace("home:", "away:"));
  return (...words) => {
    const program = `set -u; source ./script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dedalus; printf '%s\\n' \${COMPREPLY[@]+"\${COMPREPLY[@]}"}`;
    const { status, stderr, stdout } = spawnSync("bash", ["--norc", "-c", program, "bash", DEDALUS, ...words], {
      cwd: folder,
      encoding: "utf8",
    });
    assert.deepEqual([status, stderr], [0, ""], words.join(" "));
    return stdout.split("\n").filter((line) => line !== "");
  };
};

test("bash completes commands, second words and options", async (t) => {
  const complete = await inBash(t);
  const singles = COMMANDS.map(({ name }) => name).filter((name) => !name.includes(" "));
  assert.deepEqual(complete("").toSorted(), [...singles, ...Object.keys(GROUPS), "help", "version"].toSorted());
  assert.deepEqual(complete("dri"), ["drift"]);
  assert.deepEqual(complete("token", ""), ["create", "rotate", "revoke", "list"]);
  assert.deepEqual(complete("plan", "sh"), ["show"]);
  assert.deepEqual(complete("ledger", "verify", "--ex"), ["--export"]);
  assert.deepEqual(complete("drift", "--e"), ["--env"]);
  assert.deepEqual(complete("no-such-command", "--e"), []);
});

test("bash completes every option of every command", async (t) => {
  const complete = await inBash(t);
  for (const { name, options, place } of COMMANDS) {
    const server = place === "both" ? ["--server"] : [];
    const wanted = [...options.map((option) => `--${option.name}`), "--json", "--verbose", ...server, "--help"];
    assert.deepEqual(complete(...name.split(" "), "--"), wanted, name);
  }
});

test("bash completes values: environments of the named configuration, actions, roles, files and shells", async (t) => {
  const complete = await inBash(t);
  assert.deepEqual(complete("drift", "--env", ""), ["home", "lab-2"]);
  assert.deepEqual(complete("drift", "--env", "=", "l"), ["lab-2"]);
  assert.deepEqual(complete("drift", "--config", "other.yaml", "--env", ""), ["away", "lab-2"]);
  assert.deepEqual(complete("drift", "--config", "none.yaml", "--env", ""), []);
  assert.deepEqual(complete("plan", "--env", "home", "--action", ""), Object.keys(ACTIONS).map(actionText));
  assert.deepEqual(complete("token", "create", "--role", "ob"), ["observer"]);
  assert.deepEqual(complete("register", "oth"), ["other.yaml"]);
  assert.deepEqual(complete("completion", "").toSorted(), ["bash", "fish", "zsh"]);
  assert.deepEqual(complete("explain", "oth"), ["other.yaml"], "where no plan fits, a plan.json may be meant");
});

test("what cannot be looked up offers nothing, and says nothing", async (t) => {
  const complete = await inBash(t);
  assert.deepEqual(complete("history", ""), [], "there is no ledger");
  for (const words of [["vms"], ["plans"], ["vms", "--config", "none.yaml"], ["nonsense"], []]) {
    await atDesk({ "dedalus.yaml": CONFIG }, async (dedalus) => {
      assert.deepEqual(await dedalus("__complete", ...words), { code: 0, err: "", out: "" }, words.join(" "));
    });
  }
});

for (const [shell, check] of [
  ["zsh", "-n"],
  ["fish", "--no-execute"],
] as const) {
  test(`${shell} takes its script, which names every command and option`, async (t) => {
    const script = await scriptFor(shell);
    for (const { name, options } of COMMANDS) {
      assert.ok(script.includes(name), name);
      for (const option of options) assert.ok(script.includes(option.name), `${name} ${option.name}`);
    }
    const { error, status, stderr } = spawnSync(shell, [check], { encoding: "utf8", input: script });
    if (error !== undefined) return t.diagnostic(`${shell} is not installed`);
    assert.deepEqual([status, stderr], [0, ""]);
  });
}

test("another shell is an error that names those there are", async () => {
  await atDesk({}, async (dedalus) => {
    const { code, out } = await dedalus("completion", "powershell", "--json");
    assert.equal(code, 2);
    const [refusal] = JSON.parse(out).error.refusals;
    assert.deepEqual([refusal.code, refusal.facts.known], ["usage", ["bash", "fish", "zsh"]]);
  });
});
