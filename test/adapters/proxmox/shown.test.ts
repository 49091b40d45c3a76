// A provider's text as it is shown: one line, and never long.

import assert from "node:assert/strict";
import { test } from "node:test";
import { shownText } from "../../../src/spine/values/shown-text.ts";

test("a text of 300 characters is shown whole, and a longer one ends in a sign that there was more", () => {
  assert.equal(shownText("x".repeat(300)), "x".repeat(300));
  assert.equal(shownText(`y${"x".repeat(300)}`), `y${"x".repeat(298)}…`);
  assert.equal(shownText("  one\n line\t"), "one line");
});

test("what comes after 1200 characters is not read", () => {
  assert.equal(shownText(`a${" ".repeat(1198)}b`), "a b");
  assert.equal(shownText(`a${" ".repeat(1199)}b`), "a");
});
