// A cause may have a summary of its own, and a code may teach nothing: what is said of a mistyped word is not said of a
// missing record.

import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalJson } from "../../src/service/json/error-json.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { inWords, REFUSAL_WORDS } from "../../src/spine/words/refusals/refusal-words.ts";
import type { RefusalWords } from "../../src/spine/words/template.ts";

const MISTYPED = refuse("usage", { cause: "command-missing" });
const UNKNOWN = refuse("usage", { cause: "record-unknown", facts: { seq: 41, size: 3 } });
const FOREIGN = refuse("observation-foreign", { facts: { desired: "home", observed: "lab" } });

test("what is asked for and is not there has a headline of its own, and a mistyped command that of its code", () => {
  const { summaries, summary } = REFUSAL_WORDS.usage;
  assert.equal(inWords(UNKNOWN).summary, summaries["record-unknown"]);
  assert.notEqual(inWords(UNKNOWN).summary, summary);
  assert.equal(inWords(MISTYPED).summary, summary);
});

test("every cause with a headline of its own is a cause of its code", () => {
  for (const { because, summaries = {} } of Object.values<RefusalWords>(REFUSAL_WORDS)) {
    const causes = typeof because === "string" ? [] : Object.keys(because);
    assert.deepEqual(
      Object.keys(summaries).filter((cause) => !causes.includes(cause)),
      [],
    );
  }
});

test("a usage error carries no why as JSON, and a refusal by a rule does", () => {
  for (const usage of [MISTYPED, UNKNOWN]) assert.equal("why" in refusalJson(usage).text, false);
  assert.equal(typeof refusalJson(FOREIGN).text.why, "string");
});
