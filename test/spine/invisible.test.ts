// What cannot be seen is found in every text: also where most texts are known to be ordinary by a short way.

import assert from "node:assert/strict";
import { test } from "node:test";
import { hasInvisible, INVISIBLE_CLASS, visible } from "../../src/spine/values/invisible.ts";

const CHARACTERS_END = 0x110000;

test("a character is invisible exactly where the published class has it", () => {
  const whole = new RegExp(`[${INVISIBLE_CLASS}]`, "u");
  for (let code = 0; code < CHARACTERS_END; code += 1) {
    const character = String.fromCodePoint(code);
    assert.equal(hasInvisible(character), whole.test(character), `U+${code.toString(16)}`);
  }
});

test("what is invisible is written as its code, wherever it stands in a text", () => {
  assert.equal(visible("web-01\u202e and 10 → 20 …"), "web-01\\u{202e} and 10 → 20 …");
  assert.equal(visible("web-01 — “ready”"), "web-01 — “ready”");
  assert.equal(visible("soft\u00adhyphen"), "soft\\u{ad}hyphen");
});
