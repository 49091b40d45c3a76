// The command line as a whole: usage errors, help, the error shape, the table of exit codes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { EXIT_CODES } from "../../src/cli/exit-codes.ts";
import { atDesk, current, DESIRED, vm } from "./desk.ts";

const refused = async (...argv: readonly string[]) => atDesk({}, async (dedalus) => dedalus(...argv));

test("a misspelt command or option is bad input, with the word that was probably meant", async () => {
  assert.match((await refused("plam")).err, /dedalus plan --help$/m);
  const { code, err, out } = await refused("plan", "--desird", "x");
  assert.equal(code, 2);
  assert.equal(out, "");
  assert.match(err, /Did you mean --desired\?/);
});

test("all problems of a command line are listed at once", async () => {
  const { err } = await refused("audit", "extra", "--nonsense");
  for (const part of [
    "no option --nonsense",
    "--desired FILE is missing",
    "--replay FILE is missing",
    "does not take extra",
  ]) {
    assert.ok(err.includes(part), part);
  }
});

test("the same mistake has the same cause, whichever command it is made with", async () => {
  const told = async (...argv: readonly string[]) => {
    const { out } = await refused(...argv, "--json");
    const [{ cause, code, facts }] = JSON.parse(out).error.refusals;
    return { cause, code, facts };
  };
  const notASeq = (argument: string) => ({ cause: "not-a-seq", code: "usage", facts: { argument, found: "x" } });
  assert.deepEqual(await told("replay", "--to", "x"), notASeq("--to"));
  assert.deepEqual(await told("ledger", "prove", "x"), notASeq("SEQ"));
  assert.deepEqual((await told("explain", "plan.json")).cause, "needs-option");
  assert.deepEqual((await told("plan", "--env", "home", "--action", "vm.start")).cause, "needs-option");
});

test("no command at all is bad input, under the code for it", async () => {
  const { code, out } = await refused("--json");
  assert.equal(code, 2);
  const [{ cause, code: refusal }] = JSON.parse(out).error.refusals;
  assert.deepEqual([refusal, cause], ["usage", "command-missing"]);
});

test("-v is the version, as for git and gh, and no option of a command", async () => {
  const [short, long] = [await refused("-v"), await refused("--version")];
  assert.deepEqual([short.code, short.out], [0, long.out]);
  assert.match(short.out, /^dedalus \d/);
  assert.equal((await refused("rules", "-v")).code, 2);
});

test("an option without its value, or given twice, is bad input", async () => {
  assert.match((await refused("plan", "--desired")).err, /--desired needs a value/);
  assert.match((await refused("plan", "--desired", "a", "--desired", "b")).err, /--desired is given twice/);
});

test("--only takes vmids and nothing else", async () => {
  const files = { "current.json": current([vm(101, "web-01", "running")]), "desired.yaml": DESIRED };
  await atDesk(files, async (dedalus) => {
    for (const only of ["abc", "101,", "1e2", "0", "-5", "1000000000"]) {
      const argv = ["plan", "--desired", "desired.yaml", "--replay", "current.json", `--only=${only}`];
      assert.equal((await dedalus(...argv)).code, 2, only);
    }
  });
});

test("every command has help with an example, and every example is a command", async () => {
  for (const { example, name } of COMMANDS) {
    const { code, out } = await refused(...name.split(" "), "--help");
    assert.equal(code, 0);
    assert.match(out, /Examples?:\n {2}dedalus /);
    for (const line of example) assert.ok(`${line} `.startsWith(`dedalus ${name} `), line);
  }
});

test("under --json an error is one JSON value on stdout, with domain, outcome and rule", async () => {
  const { code, err, out } = await refused("plan", "--desired", "none.yaml", "--replay", "none.json", "--json");
  assert.equal(code, 2);
  assert.equal(err, "");
  const { error } = JSON.parse(out);
  assert.equal(error.domain, "input");
  assert.equal(error.outcome, "not_executed");
  assert.equal(error.refusals[0].code, "file-unreadable");
  assert.deepEqual(error.refusals[0].position, { column: 1, field: "", file: "none.yaml", line: 1 });
});

test("docs/ci.md shows the table of exit codes as it is", () => {
  const page = readFileSync(new URL("../../docs/ci.md", import.meta.url), "utf8");
  for (const { code, meaning } of Object.values(EXIT_CODES))
    assert.ok(page.includes(`| ${code} | ${meaning} |`), meaning);
});

test("a group of commands has help of its own, and a second word that is near is proposed", async () => {
  const seconds = COMMANDS.flatMap(({ name }) => (name.startsWith("ledger ") ? [name.slice(7)] : []));
  assert.ok(seconds.length > 0);
  const { code, out } = await refused("ledger", "--help");
  assert.equal(code, 0);
  for (const second of seconds) assert.match(out, new RegExp(`^  ${second} `, "m"));
  assert.equal((await refused("help", "ledger")).out, out);
  assert.equal((await refused("help", "ledger", "verify")).out, (await refused("ledger", "verify", "--help")).out);
  assert.match((await refused("ledger")).err, /ledger needs a second word: show/);
  assert.match((await refused("ledger", "shwo")).err, /dedalus ledger show --help$/m);
  assert.match((await refused("help", "ledger", "verfy")).err, /dedalus ledger verify --help$/m);
  assert.match((await refused("verify")).err, /dedalus ledger verify --help$/m);
  assert.match((await refused("ledgr", "show")).err, /dedalus ledger --help$/m);
});
