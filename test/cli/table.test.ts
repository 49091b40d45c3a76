// A table fits the terminal: which columns give way, and what is never lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Column, table } from "../../src/cli/views/table.ts";

const WIDE: readonly Column[] = [
  { heading: "WHEN", shorten: 1 },
  { drop: 2, dropOnly: "where-same", heading: "ENV" },
  { align: "right", drop: 3, heading: "N" },
  { heading: "WHAT", wraps: true },
];
const TEXT = "some words that say what became of it, and why it did not";
const when = { short: "3 min ago", whole: "3 min ago (2026-11-17 14:03:02Z)" };
const rowsIn = (...environments: readonly string[]) =>
  environments.map((name, at) => [when, name, String(10 ** at), TEXT]);

test("a table gives way column by column until it fits, and a pipe gets all of it", () => {
  const rows = rowsIn("home", "home");
  const [heading, first, second, ...more] = table(WIDE, rows, {});
  assert.equal(heading, "WHEN                              ENV    N  WHAT");
  assert.equal(first, `${when.whole}  home   1  ${TEXT}`);
  assert.equal(second, `${when.whole}  home  10  ${TEXT}`);
  assert.deepEqual(more, []);
  assert.equal(table(WIDE, rows, { width: 70 })[0], "WHEN       ENV    N  WHAT");
  assert.equal(table(WIDE, rows, { width: 44 })[0], "WHEN        N  WHAT", "a column that says nothing goes first");
  assert.equal(table(WIDE, rows, { width: 40 })[0], "WHEN       WHAT");
});

test("what differs between rows is not left out because it often says the same", () => {
  assert.equal(table(WIDE, rowsIn("home", "lab"), { width: 40 })[0], "WHEN       ENV   WHAT");
});

test("only the last column takes a second line, below its own text", () => {
  const lines = table(WIDE, rowsIn("home"), { width: 46 });
  assert.deepEqual(lines, [
    "WHEN       N  WHAT",
    "3 min ago  1  some words that say what became",
    "              of it, and why it did not",
  ]);
});

test("a table that cannot be narrow enough is broken, and loses nothing that it always shows", () => {
  const lines = table([{ heading: "NAME" }, { heading: "KIND" }], [["a-very-long-name-of-a-vm", "plan"]], {
    width: 20,
  });
  assert.deepEqual(
    lines.flatMap((line) => line.trim().split(/ +/)),
    ["NAME", "KIND", "a-very-long-name-of-a-vm", "plan"],
  );
});
