// Where a line is broken at the width of a terminal, and what is never broken: commands, times with their instants, ids
// and numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { columns } from "../../src/cli/views/columns.ts";
import { command as marked } from "../../src/cli/views/marks.ts";
import { COLOUR } from "../../src/cli/views/paint.ts";
import { hangOf, widthOf, wrap, wrapped } from "../../src/cli/views/wrap.ts";

test("a text is broken at blanks, and what follows stands behind the indent", () => {
  assert.deepEqual(wrap("one two three four", 9, 2), ["one two", "  three", "  four"]);
  assert.deepEqual(wrap("one two", 7, 2), ["one two"]);
  assert.deepEqual(wrap("", 7, 2), [""]);
  assert.deepEqual(wrap("unbreakable", 4, 2), ["unbreakable"], "a word that is too long stays whole");
  assert.deepEqual(wrap("key unbreakable", 9, 2), ["key unbreakable"], "and where it is, if it fits no other line");
  assert.deepEqual(wrap("  a b", 4, 2), ["  a", "  b"]);
  assert.deepEqual(wrap("one twothree", 9, 6), ["one", " twothree"], "the indent gives way to a word");
});

test("colours take no room", () => {
  const painted = `${COLOUR.bold("one")} two`;
  assert.equal(widthOf(painted), 7);
  assert.deepEqual(wrap(painted, 7, 0), [painted]);
  assert.equal(widthOf(columns([[COLOUR.red("a"), "b"]])[0] ?? ""), 4);
});

test("a command that is to be pasted, and a time with its instant, are never broken", () => {
  const command = marked("dedalus approve 01KA4QJ5V8R3W2T6Y7Z8N9M0P1 --step 1 --reason TEXT");
  assert.deepEqual(wrap(`  ${command}`, 20, 4), [`  ${command}`]);
  assert.deepEqual(wrap(`next: Have it approved: ${command}`, 30, 6), ["next: Have it approved:", `  ${command}`]);
  const quoted = marked("chmod 600 '/a folder,  with blanks/observe' && dedalus  plan");
  assert.deepEqual(wrap(COLOUR.dim(quoted), 20, 2), [COLOUR.dim(quoted)]);
  assert.deepEqual(wrap(`note:   ${quoted}, or not`, 20, 2), ["note:", `  ${quoted},`, "  or not"]);
  assert.deepEqual(wrap("is dedalus a tool", 10, 0), ["is dedalus", "a tool"], "only a command is one");
  const time = "3 min ago (2026-11-17 14:03:02Z)";
  assert.deepEqual(wrap(`observed ${time}, and`, 36, 2), ["observed", `  ${time},`, "  and"]);
});

test("a command alone on its line that does not fit there moves to the edge", () => {
  const command = marked("dedalus freeze --env home");
  const alone = " ".repeat(12) + command;
  assert.deepEqual(wrap(alone, 40, 4), [alone]);
  assert.deepEqual(wrap(alone, 37, 4), [alone]);
  assert.deepEqual(wrap(alone, 36, 4), [`  ${command}`]);
  assert.deepEqual(wrap(alone, 26, 4), [` ${command}`]);
  assert.deepEqual(wrap(alone, 20, 4), [`  ${command}`]);
});

test("a number stays with the word that says of what, and an end with its time", () => {
  assert.deepEqual(wrap("approved (VM 102, stop)", 12, 2), ["approved", "  (VM 102,", "  stop)"]);
  assert.deepEqual(wrap("it is step 12 of them", 10, 0), ["it is", "step 12 of", "them"]);
  const end = "expires in 57 min (2026-11-17 15:03:02Z)";
  assert.deepEqual(wrap(`a step, ${end}`, 44, 2), ["a step,", `  ${end}`]);
});

test("a line hangs below its text: behind its columns, or behind its first word and a colon", () => {
  assert.equal(hangOf(" ~ 102  resize web-02: memory 2 GiB → 4 GiB  [medium]", 60), 8);
  assert.equal(hangOf("  why:  A VM is protected", 60), 8);
  assert.equal(hangOf("  next: Plan again", 60), 8);
  assert.equal(hangOf("  some words", 60), 4);
  assert.equal(hangOf("a  b  c", 6), 3, "a column that begins in the second half is none to hang behind");
  assert.deepEqual(wrapped(["one two three"], undefined), ["one two three"], "a pipe gets lines as they are");
});
