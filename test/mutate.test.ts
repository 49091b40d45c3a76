// The mutator: the mutants of a text are what they should be, a planted survivor is reported, and a killed one is not.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { measureCoverage, runsThrough } from "../tools/mutate/coverage.ts";
import { type Equivalent, staleRows, withoutEquivalents } from "../tools/mutate/equivalent.ts";
import { type Mutant, mutantsOf, mutated } from "../tools/mutate/mutants.ts";
import { optionsOf } from "../tools/mutate/options.ts";
import type { RunFolder } from "../tools/mutate/run-tests.ts";
import { tryMutant } from "../tools/mutate/trial.ts";
import { mountsBelow } from "../tools/mutate/work-copy.ts";

const changes = (source: string): readonly string[] =>
  mutantsOf("src/x.ts", source)
    .map((mutant) => mutated(source, mutant))
    .sort();

test("each conjunct is dropped alone, whatever stands in parentheses or has a type", () => {
  assert.deepEqual(changes("const f = (a: A, b: B, c: C): boolean => a && (b as D) && c;"), [
    "const f = (a: A, b: B, c: C): boolean => (a && (b as D));",
    "const f = (a: A, b: B, c: C): boolean => (a) && c;",
    "const f = (a: A, b: B, c: C): boolean => (b) && c;",
    "const f = (a: A, b: B, c: C): boolean => (c);",
  ]);
});

test("a bound moves by one, and an operator turns without losing its parentheses", () => {
  assert.deepEqual(changes("x = (a - b) * c < d;"), [
    "x = (a + b) * c < d;",
    "x = (a - b) * c <= d;",
    "x = (a - b) / c < d;",
  ]);
  assert.deepEqual(changes("const MAX = 7;"), ["const MAX = 8;"]);
});

test("of a comparison for sorting only the sign counts, so its numbers are left alone", () => {
  assert.deepEqual(changes("x = list.sort((a, b) => (a < b ? -1 : 1));"), [
    "x = list.sort((a, b) => (a <= b ? -1 : 1));",
    "x = list.sort((a, b) => (false ? -1 : 1));",
    "x = list.sort((a, b) => (true ? -1 : 1));",
  ]);
});

test("a condition is fixed both ways, so that an early return is taken always and never", () => {
  assert.deepEqual(changes("if (!a) f = b;"), ["if ((a)) f = b;", "if (false) f = b;", "if (true) f = b;"]);
  assert.deepEqual(changes("x = a ? b : c;"), ["x = false ? b : c;", "x = true ? b : c;"]);
});

test("a row of a list is left out, a spread member too, and a choice among members is left to the choice", () => {
  assert.deepEqual(changes('const S = new Set(["a", ...b]);'), [
    'const S = new Set(["a"]);',
    "const S = new Set([...b]);",
  ]);
  assert.deepEqual(changes("x = { ...a, b };"), ["x = { b };"]);
  assert.deepEqual(changes("x = { ...(a ? {} : { b }) };"), [
    "x = { ...(false ? {} : { b }) };",
    "x = { ...(true ? {} : { b }) };",
  ]);
});

test("a call for its effect is not made, and some is put for every", () => {
  assert.deepEqual(changes("check(a);"), [";"]);
  assert.deepEqual(changes("await check(a);"), [";"]);
  assert.deepEqual(changes("x = a.some(f);"), ["x = a.every(f);"]);
  assert.deepEqual(changes("x = a.toString;"), [], "what every object has is no quantifier");
  assert.deepEqual(changes('x = "a sentence";'), []);
});

test("of two equal lines a row means the first, unless it says which", () => {
  const mutants = mutantsOf("src/x.ts", "f = 1;\nf = 1;\n");
  const row: Equivalent = { because: "", file: "src/x.ts", lineText: "f = 1;", original: "1", replacement: "2" };
  assert.deepEqual(
    withoutEquivalents(mutants, [row]).map(({ line }) => line),
    [2],
  );
  assert.deepEqual(
    withoutEquivalents(mutants, [{ ...row, nth: 1 }]).map(({ line }) => line),
    [1],
  );
});

test("a mutant tells its line, and an equivalent one is left out as long as its line stands", () => {
  const source = "// Ä\nconst a = 1;\nconst b = 1;\n";
  const [first, second] = mutantsOf("src/x.ts", source);
  assert.ok(first !== undefined && second !== undefined);
  assert.deepEqual([first.line, first.lineText, first.original], [2, "const a = 1;", "1"]);
  const { file, lineText, original, replacement } = first;
  const row: Equivalent = { because: "nobody reads it", file, lineText, original, replacement };
  assert.deepEqual(withoutEquivalents([first, second], [row]), [second]);
  assert.deepEqual(staleRows([first, second], ["src/x.ts"], [row]), []);
  assert.deepEqual(staleRows([second], ["src/x.ts"], [row]), [row]);
  assert.deepEqual(staleRows([second], ["src/y.ts"], [row]), [], "other rooms judge their own");
});

const SOURCE = `export const isGrown = (age: number): boolean => age >= 18 && age < 200;
export const unused = (n: number): boolean => n > 3;
export const ONE: 1 = 1;
`;
/** A tree of one source and one test, which asks at the lower bound and far from the upper one. */
const tree = (t: TestContext): RunFolder => {
  const top = mkdtempSync(join(tmpdir(), "dedalus-mutate-test-"));
  t.after(() => rmSync(top, { recursive: true }));
  mkdirSync(join(top, "src"));
  mkdirSync(join(top, "test"));
  symlinkSync(resolve("node_modules"), join(top, "node_modules"));
  writeFileSync(join(top, "package.json"), '{ "type": "module" }');
  writeFileSync(join(top, "src/age.ts"), SOURCE);
  const compilerOptions = { module: "nodenext", noEmit: true, strict: true, target: "es2024", types: [] };
  writeFileSync(join(top, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  writeFileSync(
    join(top, "test/age.test.ts"),
    `import assert from "node:assert/strict";
import { test } from "node:test";
import { isGrown } from "../src/age.ts";
test("bounds", () => assert.deepEqual([17, 18, 300].map(isGrown), [false, true, false]));
`,
  );
  return { folder: top, temp: tmpdir() };
};
const mutantTo = (replacement: string): Mutant =>
  mutantsOf("src/age.ts", SOURCE).find((mutant) => mutant.replacement === replacement) ?? assert.fail(replacement);

test("a planted survivor is reported, a killed mutant is not, and the source is put back", async (t) => {
  const provider = tree(t);
  const covered = await measureCoverage(provider, "test/age.test.ts", 60_000);
  assert.ok(covered !== undefined);
  const fateOf = async (replacement: string, more: Partial<Parameters<typeof tryMutant>[2]> = {}) =>
    (await tryMutant(provider, mutantTo(replacement), { direct: [covered], worlds: [], ...more })).fate;
  assert.equal(await fateOf("age > 18"), "direct");
  assert.equal(await fateOf("age <= 200"), "survived");
  assert.equal(await fateOf("2"), "compiler");
  assert.equal(await fateOf("age > 18", { direct: [], worlds: [covered] }), "world");
  assert.equal(readFileSync(join(provider.folder, "src/age.ts"), "utf8"), SOURCE);
});

test("tests that do not run through a mutant are not asked, and tests that fail as they are measure nothing", async (t) => {
  const provider = tree(t);
  const covered = await measureCoverage(provider, "test/age.test.ts", 60_000);
  assert.ok(covered !== undefined);
  assert.ok(runsThrough(covered, "src/age.ts", mutantTo("age > 18").start));
  assert.ok(!runsThrough(covered, "src/age.ts", mutantTo("n >= 3").start));
  assert.ok(!runsThrough(covered, "src/other.ts", 0));
  writeFileSync(join(provider.folder, "src/age.ts"), mutated(SOURCE, mutantTo("age > 18")));
  assert.equal(await measureCoverage(provider, "test/age.test.ts", 60_000), undefined);
});

test("the words of a run are read strictly, and the room of a file is taken from its path", () => {
  const read = (...args: readonly string[]) => optionsOf(args, () => 0.5);
  assert.deepEqual(read().rooms, ["adapters", "kernel", "ledger", "spine"]);
  assert.equal(read().seed, 2 ** 30);
  assert.deepEqual(read("--file", "src/spine/plan/plan.ts").rooms, ["spine"]);
  assert.deepEqual([read("--all").count, read("--count", "3").count], [undefined, 3]);
  for (const wrong of [["--room", "cellar"], ["--count=-1"], ["--seed", "x"], ["--file", "src/none.ts"]]) {
    assert.throws(() => read(...wrong), RangeError);
  }
});

test("what is mounted below a copy is unmounted before the copy is removed, the innermost first, and nothing else", () => {
  const table = [
    "tmpfs /tmp/copy-1 tmpfs rw 0 0",
    "disk /tmp/copy-1/tmp/disk tmpfs rw 0 0",
    "inner /tmp/copy-1/tmp/disk/inner ext4 rw 0 0",
    "other /tmp/copy-12/tmp/disk tmpfs rw 0 0",
    "",
  ].join("\n");
  assert.deepEqual(mountsBelow("/tmp/copy-1", table), ["/tmp/copy-1/tmp/disk/inner", "/tmp/copy-1/tmp/disk"]);
});
