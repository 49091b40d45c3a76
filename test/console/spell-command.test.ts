// Every command that a page shows is one that the command line understands, with whatever somebody else wrote in it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { readArguments } from "../../src/cli/arguments/arguments.ts";
import { findCommand } from "../../src/cli/catalogue/find-command.ts";
import { SPELLINGS, spellCommandAt } from "../../src/console/spell-command.ts";

const ABOUT = {
  correlation: "01A",
  environment: "home",
  from: "3",
  kind: "plan",
  seq: "3",
  to: "5",
  plan: "01KA4QJ5V8R3W2T6Y7Z8N9M0P1",
  step: "2",
  vm: "it's a drill; $(id)",
};

const SERVER = "https://dedalus.example:7400";

/** As a shell takes it apart. */
const wordsOf = (text: string): readonly string[] =>
  execFileSync("bash", ["-c", `printf '%s\\0' ${text}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);

const causesIn = (given: ReturnType<typeof readArguments>): readonly unknown[] =>
  "positionals" in given ? [] : given.map(({ cause }) => cause);

for (const command of Object.keys(SPELLINGS) as (keyof typeof SPELLINGS)[])
  test(`${command} is a command, and its words are what was meant`, () => {
    const [program, ...words] = wordsOf(spellCommandAt(SERVER, command, ABOUT));
    assert.equal(program, "dedalus");
    const found = findCommand(words);
    assert.equal(found.kind, "command");
    // Pasted anywhere, it asks this service; what is asked of no service takes none.
    const asks = found.entry.place === "both" ? ["--server", SERVER] : [];
    assert.deepEqual(words, [...SPELLINGS[command](ABOUT), ...asks]);
    const given = readArguments(found.entry, found.rest);
    // Whoever pastes it as it is, without a reason of their own, is asked for one.
    if (words.includes("REASON")) assert.deepEqual(causesIn(given), ["placeholder"]);
    else assert.ok("positionals" in given, JSON.stringify(given));
  });

test("what is empty is left out, and what nobody named is everywhere", () => {
  assert.equal(spellCommandAt(SERVER, "records", { from: "" }), `dedalus ledger show --server ${SERVER}`);
  assert.equal(spellCommandAt(SERVER, "fleet", {}), `dedalus list --server ${SERVER}`);
});
