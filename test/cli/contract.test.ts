// The contract lock, on a real copy of the program: one changed letter, and nothing decides any more.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
let copy = "";

before(() => {
  copy = mkdtempSync(join(tmpdir(), "dedalus-contract-"));
  for (const part of ["src", "bin", "DESIGN.md", "package.json"])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
});
after(() => rmSync(copy, { force: true, recursive: true }));

const dedalus = (...argv: readonly string[]) => {
  const { status, stderr, stdout } = spawnSync(join(copy, "bin/dedalus"), argv, { cwd: copy, encoding: "utf8" });
  return { code: status, err: stderr, out: stdout };
};

/** The smallest command line that a command accepts. */
const argumentsOf = ({ options, positionals }: (typeof COMMANDS)[number]): readonly string[] => [
  ...positionals.filter(({ required }) => required).map(() => "1"),
  ...options.filter(({ required }) => required).flatMap(({ name }) => [`--${name}`, "1"]),
];

test("one changed letter in DESIGN.md makes every command that decides refuse with exit 6", () => {
  const text = readFileSync(join(ROOT, "DESIGN.md"), "utf8");
  writeFileSync(join(copy, "DESIGN.md"), text.replace("never", "nevar"));
  for (const entry of COMMANDS) {
    const { name, needsContract } = entry;
    if (!needsContract) continue;
    const { code, err } = dedalus(...name.split(" "), ...argumentsOf(entry));
    assert.equal(code, 6, name);
    assert.match(err, /Contract differs from the code: .+ \(P7-F1, contract-broken\)/);
    assert.match(err, /next: Restore DESIGN.md/);
  }
});

test("help, version, doctor and ledger verify run with a broken contract, and doctor says what is wrong", () => {
  writeFileSync(join(copy, "DESIGN.md"), "something else\n");
  assert.equal(dedalus("help").code, 0);
  assert.equal(dedalus("version").code, 0);
  assert.match(dedalus("ledger", "verify").err, /there is none in this folder/);
  const { code, out } = dedalus("doctor");
  assert.equal(code, 6);
  assert.match(out, /contract/);
});

test("a missing DESIGN.md is a broken contract, not a crash", () => {
  rmSync(join(copy, "DESIGN.md"));
  const { code, err } = dedalus("rules");
  assert.equal(code, 6);
  assert.match(err, /contract-broken/);
});

test("a checkout with CRLF line ends keeps the contract", () => {
  const text = readFileSync(join(ROOT, "DESIGN.md"), "utf8");
  writeFileSync(join(copy, "DESIGN.md"), text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n"));
  assert.equal(dedalus("rules", "N1").code, 0);
});

test("the program runs through a link to bin/dedalus, from any folder", () => {
  cpSync(join(ROOT, "DESIGN.md"), join(copy, "DESIGN.md"));
  symlinkSync(join(copy, "bin/dedalus"), join(copy, "link"));
  const { status } = spawnSync(join(copy, "link"), ["rules", "N1"], { cwd: tmpdir() });
  assert.equal(status, 0);
});
