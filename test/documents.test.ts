// The tables inside documents: every part has a place, every place a part, and what stands there is replaced.

import assert from "node:assert/strict";
import { test } from "node:test";
import { documentsWithParts } from "../tools/documents/parts.ts";
import { sources } from "../tools/sources.ts";

const PARTS = { signs: () => ["| a |", "| - |"] };
const page = (inside: string): ReadonlyMap<string, string> =>
  new Map([["docs/a.md", `before\n<!-- generated: signs -->\n${inside}<!-- end of signs -->\nafter\n`]]);

test("a part replaces what stands in its place, and nothing else", () => {
  const full = { "docs/a.md": "before\n<!-- generated: signs -->\n\n| a |\n| - |\n\n<!-- end of signs -->\nafter\n" };
  assert.deepEqual(documentsWithParts(page(""), PARTS), full);
  assert.deepEqual(documentsWithParts(page("old\n"), PARTS), full);
  assert.deepEqual(documentsWithParts(new Map(Object.entries(full)), PARTS), full, "what is right stays");
});

test("a place for a part that does not exist is an error, and so is a part without a place", () => {
  assert.throws(() => documentsWithParts(page(""), {}), /nothing is called signs/);
  assert.throws(
    () => documentsWithParts(new Map([["docs/a.md", "before\n"]]), PARTS),
    /no document has a place for signs/,
  );
});

test("the documents show the tables as they are", () => {
  const files = sources();
  for (const [path, text] of Object.entries(documentsWithParts(files)))
    assert.equal(files.get(path), text, `${path}: run make docs and read the difference`);
});
