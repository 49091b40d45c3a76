// Exported names: none means two things, and none is exported for nobody.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sources } from "../tools/sources.ts";
import { settledNames, sharedNames, unusedExports } from "../tools/tidy/exports.ts";
import { sourceOf } from "../tools/tidy/finding.ts";
import { findingText } from "../tools/tidy.ts";
import { cannot } from "./cannot.ts";

const parsed = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([file, text]) => sourceOf(file, text));
const tree = Array.from(sources(), ([file, text]) => sourceOf(file, text));

test("every value that is exported is imported", () => {
  assert.deepEqual(unusedExports(tree).map(findingText), []);
});

test("no name is excused that means one thing by now", () => {
  assert.deepEqual(settledNames(tree), []);
});

cannot("P7-F1", "export one name from two files", {
  neighbour: () => sharedNames(parsed({ "src/a.ts": "export type Ledge = 1;", "src/b.ts": "type Ledge = 2;" })),
  offence: () => sharedNames(parsed({ "src/a.ts": "export type Ledge = 1;", "src/b.ts": "export const Ledge = 2;" })),
});
cannot("P7-F1", "export a value for nobody", {
  neighbour: () =>
    unusedExports(
      parsed({ "src/a.ts": "export const a = 1;", "test/b.ts": 'import { type B, a as c } from "../src/a.ts";' }),
    ),
  offence: () =>
    unusedExports(
      parsed({ "src/a.ts": "export const a = 1;", "test/b.ts": 'import { type B, b as a } from "../src/a.ts";' }),
    ),
});
cannot("P7-F1", "pass for used by being named in a text", {
  neighbour: () => unusedExports(parsed({ "src/a.ts": "export const a = 1;", "src/b.ts": 'import("./a.ts");' })),
  offence: () => unusedExports(parsed({ "src/a.ts": "export const a = 1;", "src/b.ts": '// import("./a.ts");' })),
});

const loading = (site: string) => parsed({ "src/a.ts": "export const a = 1;", "src/b.ts": site });
for (const [way, offence, neighbour] of [
  ["by name", '(await import("./a.ts")).b;', '(await import("./a.ts")).a;'],
  ["in braces", 'const { b: a } = await import("./a.ts");', 'const { a: b } = await import("./a.ts");'],
  ["in then", 'import("./a.ts").then(({ b }) => b);', 'import("./a.ts").then(({ a }) => a);'],
  ["by name or whole", '(await import("./a.ts")).b;', 'const all = await import("./a.ts");'],
] as const) {
  cannot("P7-F1", `pass for used because another value of the file is loaded, ${way}`, {
    neighbour: () => unusedExports(loading(neighbour)),
    offence: () => unusedExports(loading(offence)),
  });
}
