// Templates: every form of a fact, with the bounds between its units, and what stands beside a sentence.

import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnostic, factsOfDiagnostic } from "../../src/spine/diagnostic-codes.ts";
import { DIAGNOSTIC_WORDS, diagnosticsText, filledWithDiagnostic } from "../../src/spine/words/diagnostic-words.ts";
import { bytesText, filled, filledWithSaid, namedIn, spanText, unfilled } from "../../src/spine/words/template.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test("a span is told in the largest unit of which there are two", () => {
  const spans: readonly (readonly [number, string])[] = [
    [0, "0 s"],
    [1.4, "1 s"],
    [2 * MINUTE - 1, "119 s"],
    [2 * MINUTE, "2 minutes"],
    [2 * HOUR - 1, "120 minutes"],
    [2 * HOUR, "2 hours"],
    [2 * DAY - 1, "48 hours"],
    [2 * DAY, "2 days"],
    [7 * DAY, "7 days"],
  ];
  for (const [seconds, text] of spans) assert.equal(spanText(seconds), text);
});

test("a size is told in the largest unit that divides it", () => {
  const sizes: readonly (readonly [number, string])[] = [
    [0, "0 bytes"],
    [512, "512 bytes"],
    [2 ** 10, "1 KiB"],
    [2 ** 10 + 1, "1025 bytes"],
    [2 ** 20, "1 MiB"],
    [2 ** 20 + 2 ** 10, "1025 KiB"],
    [2 ** 30, "1 GiB"],
    [1.5 * 2 ** 30, "1536 MiB"],
    [2 ** 40, "1 TiB"],
    [1.5 * 2 ** 40, "1536 GiB"],
  ];
  for (const [bytes, text] of sizes) assert.equal(bytesText(bytes), text);
});

test("what was found is in quotes where another fact says that it is a text, and bare where it says anything else", () => {
  const said = (found: string | number, foundAs?: string): string =>
    filled("{found:as foundAs}", { found, ...(foundAs === undefined ? {} : { foundAs }) });
  assert.equal(said("off", "text"), '"off"');
  assert.equal(said('a "b"', "text"), '"a \\"b\\""');
  assert.equal(said("true", "text"), '"true"');
  assert.equal(said("true", "bare"), "true");
  assert.equal(said(7, "bare"), "7");
  assert.equal(said("off"), "off");
});

test("the facts that a template names are known, and a text that somebody writes is none", () => {
  const template = "{ env: NAME } {size:bytes} of {name}: {found:as foundAs}, {count:VM|VMs}, {rights:@ on }, {name}";
  assert.deepEqual(namedIn(template), ["size", "name", "found", "foundAs", "count", "rights", "name"]);
  assert.deepEqual(namedIn("nothing is named"), []);
});

test("a form fits a fact of its type, and any other is shown as it is", () => {
  assert.equal(filled("{x:bytes}", { x: 1024 }), "1 KiB");
  assert.equal(filled("{x:bytes}", { x: "many" }), "many");
  assert.equal(filled("{x:span}", { x: 120 }), "2 minutes");
  assert.equal(filled("{x:span}", { x: "long" }), "long");
  assert.equal(filled("{x:commas}", { x: "one" }), "one");
  assert.equal(filled("{x:shell}", { x: "it's; rm" }), "'it'\\''s; rm'");
  assert.equal(filled("{x:VM|VMs}, {y:VM|VMs}", { x: 1, y: 2 }), "1 VM, 2 VMs");
  assert.equal(filled("{x}", { x: false }), "false");
  assert.equal(unfilled("{x:bytes} of {y}"), "X of Y");
});

test("what was said follows a sentence once: where it has its place in it, it is not added", () => {
  assert.equal(filledWithSaid("it failed", { said: "disk full" }), "it failed: disk full");
  assert.equal(filledWithSaid("it failed ({said})", { said: "disk full" }), "it failed (disk full)");
  assert.equal(filledWithSaid("it failed", {}), "it failed");
});

test("a diagnostic is a fact under its own name, with what was said where something was", () => {
  assert.deepEqual(factsOfDiagnostic(diagnostic("task-done")), { diagnostic: "task-done" });
  assert.deepEqual(factsOfDiagnostic(diagnostic("connect-timed-out", { facts: { ms: 5 } })), {
    diagnostic: "connect-timed-out",
    ms: 5,
  });
  assert.deepEqual(factsOfDiagnostic({ ...diagnostic("task-failed"), said: "no space" }), {
    diagnostic: "task-failed",
    said: "no space",
  });
});

test("the sentence of a diagnostic follows, and what is no diagnostic adds nothing", () => {
  const { "task-done": words } = DIAGNOSTIC_WORDS;
  assert.equal(filledWithDiagnostic("stopped", { diagnostic: "task-done" }), `stopped: ${words}`);
  assert.equal(filledWithDiagnostic("stopped", { diagnostic: "no-such-code" }), "stopped");
  assert.equal(filledWithDiagnostic("stopped", { diagnostic: "valueOf" }), "stopped");
  assert.equal(filledWithDiagnostic("stopped", { diagnostic: ["task-done"] }), "stopped");
  assert.equal(filledWithDiagnostic("stopped", {}), "stopped");
});

test("diagnostics are told as they happened, each with what was said of it", () => {
  const { "connect-timed-out": timedOut, "task-failed": failed } = DIAGNOSTIC_WORDS;
  assert.equal(
    diagnosticsText([
      diagnostic("connect-timed-out", { facts: { ms: 5 } }),
      { ...diagnostic("connect-timed-out", { facts: { ms: 7 } }), said: "late" },
      { ...diagnostic("task-failed"), said: "no space" },
    ]),
    `${filled(timedOut, { ms: 5 })}; ${filled(timedOut, { ms: 7 })}: late; ${failed}: no space`,
  );
});
