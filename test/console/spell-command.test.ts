// Every command that a page offers is one of the command line, with arguments that it takes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readArguments } from "../../src/cli/arguments/arguments.ts";
import { findCommand } from "../../src/cli/catalogue/find-command.ts";
import { SPELLINGS, type Spelling, spellCommand } from "../../src/console/spell-command.ts";

const SPELLED: Readonly<Record<Spelling, readonly string[]>> = {
  proof: SPELLINGS.proof({ seq: "3" }),
  records: SPELLINGS.records({
    correlation: "01A",
    environment: "home",
    from: "3",
    kind: "plan",
    to: "5",
    vm: "web 01",
  }),
  stateAt: SPELLINGS.stateAt({ seq: "3" }),
  verify: SPELLINGS.verify({}),
};

for (const [name, words] of Object.entries(SPELLED))
  test(`the command of ${name} is one, with arguments that it takes`, () => {
    const found = findCommand(words);
    assert.ok(found.kind === "command", words.join(" "));
    const read = readArguments(found.entry, found.rest);
    assert.ok(!Array.isArray(read), JSON.stringify(read));
  });

test("what a shell would take for something else is quoted, and what is empty is left out", () => {
  assert.equal(spellCommand("records", { kind: "plan; rm -rf /" }), "dedalus ledger show --kind 'plan; rm -rf /'");
  assert.equal(spellCommand("records", { from: "" }), "dedalus ledger show");
});
