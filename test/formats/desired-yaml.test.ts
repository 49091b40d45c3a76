// desired.yaml: what is read, what is refused and where, and that no text brings the parser down.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseDesired } from "../../src/formats/desired-yaml.ts";
import { parseMemory } from "../../src/formats/memory-text.ts";
import type { Problem } from "../../src/formats/problem.ts";
import { cannot } from "../cannot.ts";

const problems = (text: string): readonly Problem[] => {
  const parsed = parseDesired(text, "desired.yaml");
  return parsed.kind === "ok" ? [] : parsed.problems;
};
const entries = (...lines: readonly string[]): string =>
  ["version: 1", "environment: home", "vms:", ...lines.map((line) => `  - ${line}`), ""].join("\n");
const entry = (keys: string): readonly Problem[] => problems(entries(`{ ${keys} }`));
const placed = (text: string): readonly string[] =>
  problems(text).map(({ at, code }) => `${at.line}:${at.column} ${at.field} ${code}`);
const only = (list: readonly Problem[]): Problem => {
  const [first, ...rest] = list;
  assert.ok(first !== undefined && rest.length === 0, `one problem expected: ${JSON.stringify(list)}`);
  return first;
};

test("the documented file is read to entries with keys in order", () => {
  const text = entries(
    "{ vmid: 101, name: web-01, target: running, cpus: 2, memory: 2 GiB }",
    "{ vmid: 102, name: batch-01, target: stopped, stop: shutdown }   # a comment",
    "{ vmid: 103, name: ledger-db, target: running, protected: true }",
    '{ target: stopped, stop: power-off, name: "104", vmid: 104, identity: "opaque text" }',
  );
  const parsed = parseDesired(text, "desired.yaml");
  assert.equal(
    JSON.stringify(parsed),
    JSON.stringify({
      kind: "ok",
      value: {
        environment: "home",
        vms: [
          { cpus: 2, kind: "desired", memory: 2147483648, name: "web-01", target: "running", vmid: 101 },
          { kind: "desired", name: "batch-01", stop: "shutdown", target: "stopped", vmid: 102 },
          { kind: "desired", name: "ledger-db", protected: true, target: "running", vmid: 103 },
          { identity: "opaque text", kind: "desired", name: "104", stop: "power-off", target: "stopped", vmid: 104 },
        ],
      },
    }),
  );
});

test("block style, a byte order mark, document marks and CRLF change nothing", () => {
  const lines = [
    "---",
    "version: 1",
    "environment: home",
    "vms:",
    "- vmid: 1",
    "  name: a",
    "  target: running",
    "...",
  ];
  const plain = parseDesired(lines.join("\n"), "f");
  assert.equal(plain.kind, "ok");
  assert.deepEqual(parseDesired(`\ufeff${lines.join("\r\n")}`, "f"), plain);
  assert.deepEqual(parseDesired(entries("{ vmid: 1, name: a, target: running }"), "f"), plain);
});

test("an explicit empty list is a file, and nothing in its place is not", () => {
  assert.deepEqual(problems("version: 1\nenvironment: home\nvms: []\n"), []);
  assert.deepEqual(placed("version: 1\nenvironment: home\nvms:\n"), ["3:5 vms type-wrong"]);
});

test("all problems are listed at once, in the order of the text, each at its place", () => {
  const text = `version: 2
environmnt: home
vms:
  - { vmid: 0x65, name: 101, target: yes, cpus: 2.5, memory: 2 GB }
  - { vmid: 102, name: b, target: stopped, vmid: 5, 7: 8 }
  - &a { vmid: 102, name: !!str c, target: running, protected: false, stop: shutdown }
  - *a
  - { vmid: 1, name: d, target: running, <<: { cpus: 2 } }
  -
`;
  assert.deepEqual(placed(text), [
    "1:1 environment key-missing",
    "1:10 version version-unknown",
    "2:1 environmnt key-unknown",
    "4:13 vms[0].vmid value-wrong",
    "4:25 vms[0].name type-wrong",
    "4:38 vms[0].target value-wrong",
    "4:49 vms[0].cpus value-wrong",
    "4:62 vms[0].memory unit-unknown",
    "5:35 vms[1].target stop-unsaid",
    "5:44 vms[1].vmid key-duplicate",
    "5:53 vms[1] type-wrong",
    "6:5  text-aliased",
    "6:16 vms[2].vmid vmid-duplicate",
    "6:27  text-aliased",
    "6:64 vms[2].protected value-wrong",
    "6:77 vms[2].stop stop-idle",
    "7:5  text-aliased",
    '8:42 vms[4]["<<"] text-aliased',
    "9:4 vms[5] type-wrong",
  ]);
});

cannot("P7-A2", "stop a VM without saying how", {
  neighbour: () => entry("vmid: 1, name: a, target: stopped, stop: shutdown"),
  offence: () => entry("vmid: 1, name: a, target: stopped"),
});

cannot("P7-A2", "say how to stop a VM that should run", {
  neighbour: () => entry("vmid: 1, name: a, target: stopped, stop: power-off"),
  offence: () => entry("vmid: 1, name: a, target: running, stop: power-off"),
});

cannot("N8", "have two entries for one vmid", {
  neighbour: () => problems(entries("{ vmid: 1, name: a, target: running }", "{ vmid: 2, name: b, target: running }")),
  offence: () => problems(entries("{ vmid: 1, name: a, target: running }", "{ vmid: 1, name: b, target: running }")),
});

cannot("P7-F1", "lose a misspelt key", {
  neighbour: () => entry("vmid: 1, name: a, target: running, protected: true"),
  offence: () => entry("vmid: 1, name: a, target: running, protcted: true"),
});

test("a way to stop is said with target: stopped, and only there", () => {
  assert.equal(only(entry("vmid: 1, name: a, target: stopped")).code, "stop-unsaid");
  assert.equal(only(entry("vmid: 1, name: a, target: running, stop: shutdown")).code, "stop-idle");
  assert.equal(only(entry("vmid: 1, name: a, target: stopped, stop: kill")).code, "value-wrong");
});

test("a problem says what would be right", () => {
  const running = "vmid: 1, name: a, target: running";
  const meant = (words: string): readonly unknown[] => {
    const { cause, facts } = only(entry(words));
    return [cause, facts["meant"]];
  };
  assert.deepEqual(meant(`${running}, memroy: 1 GiB`), ["meant", "memory"]);
  assert.equal(only(entry("vmid: 1, name: 101, target: running")).cause, "name-unquoted");
  assert.deepEqual(meant(`${running}, memory: 2 GB`), ["amount-meant", "2 GiB"]);
  assert.deepEqual(meant(`${running}, memory: 2G`), ["amount-meant", "2 GiB"]);
  assert.deepEqual(meant(`${running}, memory: 512 mb`), ["amount-meant", "512 MiB"]);
  assert.deepEqual(meant(`${running}, memory: 1.5 GiB`), ["amount-meant", "1536 MiB"]);
  assert.equal(only(entry(`${running}, protected: false`)).cause, "protected-false");
  assert.deepEqual(meant("vmid: 010, name: a, target: running"), ["plain-digits-meant", 10]);
  assert.deepEqual(meant("vmid: 1, name: a, target: runing"), ["word-meant", "running"]);
  const twice = entries("{ vmid: 1, name: a, target: running }", "{ vmid: 1, name: b, target: running }");
  assert.equal(only(problems(twice)).facts["firstLine"], 4);
});

test("memory has one meaning or none", () => {
  const codeOf = (memory: string): string => only(entry(`vmid: 1, name: a, target: running, memory: ${memory}`)).code;
  for (const unit of ["2 GB", "2G", "2gb", "2 gib", "2 parsec", "1.5 GB"])
    assert.equal(codeOf(unit), "unit-unknown", unit);
  for (const wrong of [
    "1.5 GiB",
    "0 GiB",
    "02 GiB",
    "-1 GiB",
    "2  GiB",
    "1000 TiB",
    "0",
    "1.5",
    "1e3",
    "0x10",
    '"2048"',
  ]) {
    assert.equal(codeOf(wrong), "value-wrong", wrong);
  }
  for (const wrong of ["true", "null", "[]", "{}"]) assert.equal(codeOf(wrong), "type-wrong", wrong);
  assert.equal(parseMemory("1KiB"), 1024);
  assert.equal(parseMemory("999 TiB"), 999 * 2 ** 40);
});

test("whatever unit is written, the bytes are exact", () => {
  const units = [
    ["KiB", 2 ** 10, 12],
    ["MiB", 2 ** 20, 9],
    ["GiB", 2 ** 30, 6],
    ["TiB", 2 ** 40, 3],
  ] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...units),
      fc.double({ max: 1, min: 0, noNaN: true }),
      fc.constantFrom("", " "),
      ([unit, size, digits], part, gap) => {
        const count = 1 + Math.floor(part * (10 ** digits - 2));
        assert.equal(parseMemory(`${count}${gap}${unit}`), count * size);
      },
    ),
  );
});

test("a text that is not one well-formed document is refused as a text", () => {
  const codes = (text: string): readonly string[] => [...new Set(problems(text).map(({ code }) => code))];
  const good = entries("{ vmid: 1, name: a, target: running }");
  const malformed = [
    "a: [1",
    "a: 'b",
    "]",
    "a:\n\t- b",
    `${good}---\n${good}`,
    `%YAML 1.1\n---\n${good}`,
    good.replace("home", "ho\0me"),
    good.replace("home", "home # \u001b[2J"),
    good.replace("home", "home # \u202e"),
    good.replace("home", "ho\ud800me"),
    good.replace("home", "home # \ufffd"),
    good.replace("home", "home # \ufeff"),
    good.replace("home\n", "home\r"),
  ];
  for (const text of malformed) assert.deepEqual(codes(text), ["text-malformed"], JSON.stringify(text));
  for (const text of ["", " \n\t", "# only\n# comments\n", "---\n", "\ufeff"])
    assert.deepEqual(codes(text), ["file-empty"], JSON.stringify(text));
  for (const mark of ["&a home", "!!str home", "!x home", "*a", "! home"]) {
    assert.deepEqual(codes(good.replace("home", mark)), ["text-aliased"], mark);
  }
});

test("a block that is badly indented is one mistake, whatever it does to the lines behind it", () => {
  const shifted = (name: string): string =>
    `version: 1\nenvironment: home\nvms:\n${Array.from({ length: 30 }, (_, at) => `  - vmid: ${at + 1}\n${name}: a\n    target: running\n`).join("")}`;
  for (const name of ["  name", "     name", "\t name"]) assert.equal(problems(shifted(name)).length, 1, name);
  assert.deepEqual(parseDesired(shifted("    name"), "desired.yaml").kind, "ok");
  const before = problems(`a: "\\q"\n${shifted("     name")}`).map(({ cause }) => cause);
  assert.equal(before[0], "BAD_DQ_ESCAPE", "what stands before it is a mistake of its own");
  assert.equal(before.length, 2);
});

test("a file past the limit is not parsed", () => {
  const tooLarge = `version: 1 #${"é".repeat(5 * 1024 * 1024)}`;
  assert.equal(only(problems(tooLarge)).code, "file-too-large");
});

test("a key named like a part of JavaScript is a key like any other", () => {
  for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    assert.equal(only(entry(`vmid: 1, name: a, target: running, ${key}: 1`)).code, "key-unknown", key);
    assert.equal(only(problems(`${key}: 1\n${entries()}[]`.replace("vms:\n[]", "vms: []"))).code, "key-unknown", key);
  }
});

test("no depth brings the parser down", () => {
  const deep = [
    "[".repeat(100_000),
    "{a: ".repeat(100_000),
    "- ".repeat(100_000),
    "? ".repeat(100_000),
    "[{".repeat(50_000),
  ];
  const indented = Array.from({ length: 500 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n");
  for (const text of [...deep, indented]) assert.equal(only(problems(text)).cause, "too-deep", text.slice(0, 8));
  const [mistakenBefore] = problems(`a: [b, "\\q"]\n${"- ".repeat(100)}`);
  assert.equal(mistakenBefore?.cause, "BAD_DQ_ESCAPE");
});

test("an alias bomb is refused without being expanded", () => {
  const bomb = Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(10)}]`);
  assert.ok(problems(["a0: &a0 x", ...bomb].join("\n")).some(({ code }) => code === "text-aliased"));
});

test("of more mistakes than anybody reads a thousand are listed, in whatever way a text is wrong", () => {
  const units = [
    "]",
    "} ",
    "[ ]",
    ", ",
    '"\n',
    "|\n",
    '"a" } ',
    "! ",
    "a: [b\n",
    "- {x: 1}\n",
    "a: ]\n",
    "%a\n",
    "&a ",
  ];
  const before = ["", "version: 1\nvms:\n  - { a: b ", 'vms:\n  - "x" ', "a: {}\n", "a: [", "a: {"];
  for (const text of before.flatMap((start) => units.map((unit) => start + unit.repeat(5_000)))) {
    const found = problems(text);
    const last = found.at(-1);
    assert.ok(found.length <= 1_002, `${found.length}: ${text.slice(0, 40)}`);
    if (found.length > 1_000) assert.equal(last?.code, "problems-many", text.slice(0, 40));
  }
});

test("every one of many wrong keys is listed up to the thousandth, and then word of the rest", () => {
  const keys = (length: number): string => Array.from({ length }, (_, at) => `nme${at % 7}${at}: 1\n`).join("");
  assert.equal(problems(keys(900)).length, 903);
  const found = problems(keys(5_000));
  assert.equal(found.length, 1_001);
  assert.equal(found.at(-1)?.code, "problems-many");
  assert.ok(found.slice(0, -1).every(({ code }) => code !== "problems-many"));
});

test("no text throws, and every problem lies within it", () => {
  const pieces = [
    "vms:",
    "- ",
    "{",
    "}",
    "[",
    "]",
    ":",
    "? ",
    "&a ",
    "*a",
    "!t ",
    "\n",
    "  ",
    "name",
    "101",
    '"',
    "'",
    "|",
    ">",
    "#",
    ",",
    "%",
    "---\n",
    "\t",
    "é",
    "\0",
    "\ud800",
  ];
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3, unit: "binary" })), { maxLength: 40 }),
      (parts) => {
        const text = parts.join("");
        const lines = text.split("\n");
        for (const { at } of problems(text)) {
          assert.ok(at.line >= 1 && at.line <= lines.length, `line ${at.line}`);
          assert.ok(at.column >= 1 && at.column <= (lines[at.line - 1] ?? "").length + 1, `column ${at.column}`);
        }
      },
    ),
    { numRuns: 500 },
  );
});
