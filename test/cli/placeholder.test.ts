// A command that is pasted as it was printed has the mark of a reason that nobody wrote: it is refused wherever a text
// is asked for, before anything is opened.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readArguments } from "../../src/cli/arguments/arguments.ts";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";

const REASONED = COMMANDS.filter(({ options }) => options.some(({ name }) => name === "reason"));

/** What a command minds about this reason, whatever else it lacks. */
const minded = (usage: (typeof REASONED)[number], reason: string): readonly string[] => {
  const given = readArguments(usage, ["--reason", reason]);
  return "flags" in given
    ? []
    : given.filter(({ facts }) => facts["argument"] === "--reason").map(({ cause }) => cause ?? "");
};

test("every command that asks for a reason refuses the mark of one", () => {
  assert.ok(REASONED.length >= 10, `${REASONED.length}`);
  for (const usage of REASONED) {
    for (const mark of ["…", "...", '"…"', "<reason>", "TEXT", "<…>", " … "]) {
      assert.deepEqual(minded(usage, mark), ["placeholder"], `${usage.name} ${mark}`);
    }
  }
});

test("a reason of one's own words is taken, whatever marks it has", () => {
  for (const usage of REASONED) {
    for (const reason of ["rebuilt…", "… and again", "42", "text", "why not?", "修理"]) {
      assert.deepEqual(minded(usage, reason), [], `${usage.name} ${reason}`);
    }
  }
});
