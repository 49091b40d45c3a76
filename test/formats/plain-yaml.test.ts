// The short way of reading YAML against the package: whatever it takes, the package reads as the very same tree,
// without a word of complaint. What it does not take is read by the package alone, so it needs no other test than this.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readPlainYaml } from "../../src/formats/yaml/plain-yaml.ts";
import { readByPackage, readYamlText } from "../../src/formats/yaml/yaml-text.ts";

const agree = (text: string): void => {
  const root = readPlainYaml(text);
  if (root !== undefined) assert.deepEqual({ kind: "tree", notes: [], root }, readByPackage(text));
};

const CONFIG = `# What runs where.
version: 1
operator: bench
ledger: { engine: sqlite, path: ledger/dedalus.db }

environments:
  home:   # the cluster in the cellar
    adapter: proxmox
    url: https://10.0.0.5:8006/a#b
    tls: { verify: pinned, sha256: "AA:BB" }
    maxObservationAge: 60 s
    tags: [a, 'b c', { d: true }, []]
  "work":
    desired:
    - vmid: 100
      name: web-1
      nothing: null
    -   vmid: 101
        empty: {}
`;

test("what people write is plain, and the package reads the same", () => {
  assert.ok(readPlainYaml(CONFIG) !== undefined);
  agree(CONFIG);
});

test("a text that is taken never reaches the package's findings", () => {
  assert.deepEqual(readYamlText(CONFIG), readByPackage(CONFIG));
  const broken = CONFIG.replace("[a,", "[*a,");
  assert.equal(readPlainYaml(broken), undefined);
  assert.notDeepEqual(readYamlText(broken), readYamlText(CONFIG));
});

/** Each is good YAML, or bad, that means something special. */
const NOT_PLAIN = {
  "a block scalar": "a: |\n  b\n",
  "a comment that touches a text": 'a: "b"#c\n',
  "a document mark": "---\na: 1\n",
  "a duplicate of indentation": "a:\n    b: 1\n  c: 2\n",
  "a flow on two lines": "a: {\n  b: 1 }\n",
  "a key alone": "a:\n",
  "a key of two words": "a b: 1\n",
  "a merge key": "a: 1\n<<: *b\n",
  "a number of another form": "a: 0x10\n",
  "a number with a point": "a: 1.0\n",
  "a number with a sign": "a: -1\n",
  "a number with an exponent": "a: 1e3\n",
  "a pair in a list": "a: [b: 1]\n",
  "a second colon": "a: b: c\n",
  "a tab": "a:\tb\n",
  "a tag": "a: !b c\n",
  "a text of two lines": "a: b\n  c\n",
  "a text with a line end of another system": "a: b\r\n",
  "an alias": "a: *b\n",
  "an anchor": "a: &b c\n",
  "an empty text": "",
  "an escape": 'a: "\\n"\n',
  "an item alone": "a:\n  -\n",
  "an item of an item": "a:\n  - - b\n",
  "not a number": "a: .nan\n",
  "nothing but a comma": "a: [b,]\n",
  "nothing but a text": "a\n",
  "two quotes": "a: 'b''c'\n",
} as const;

for (const [what, text] of Object.entries(NOT_PLAIN)) {
  test(`is left to the package: ${what}`, () => assert.equal(readPlainYaml(text), undefined));
}

test("what is nested deeper than anybody nests is left to the package", () => {
  const nested = (depth: number): string => `a: ${"[".repeat(depth)}${"]".repeat(depth)}\n`;
  assert.ok(readPlainYaml(nested(15)) !== undefined);
  agree(nested(15));
  assert.equal(readPlainYaml(nested(16)), undefined);
});

const PIECES = [
  ..."abc019_-.:,[]{}#\"'?!&*|>%@~/+ \n\t",
  ...[
    "é",
    "\u00a0",
    "  ",
    "\n  ",
    "\n    ",
    "\n- ",
    "\n  - ",
    ": ",
    ":\n",
    " #",
    "---",
    "true",
    "null",
    "12",
    "1.5",
    "a: ",
    "b: 1\n",
  ],
];

test("on any text, the two agree wherever the short way is taken", () => {
  const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join(""));
  fc.assert(fc.property(soup, agree), { numRuns: 3_000 });
  fc.assert(
    fc.property(soup, (text) => agree(`a: ${text}\n`)),
    { numRuns: 3_000 },
  );
});

test("on a good text with something changed in it, the two agree", () => {
  const change = fc.record({
    at: fc.nat({ max: CONFIG.length }),
    cut: fc.nat({ max: 3 }),
    piece: fc.constantFrom("", ...PIECES),
  });
  const changed = fc
    .array(change, { maxLength: 3, minLength: 1 })
    .map((changes) =>
      changes.reduce((text, { at, cut, piece }) => text.slice(0, at) + piece + text.slice(at + cut), CONFIG),
    );
  fc.assert(fc.property(changed, agree), { numRuns: 3_000 });
});

type Value = boolean | number | string | null | readonly Value[] | { readonly [key: string]: Value };

const scalar = fc.oneof(
  fc.constantFrom<Value>("a", "web-1", "60 s", "https://a:1/b", "./a b", true, false, null),
  fc.nat(),
);
const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9_-]{0,7}$/), tie("value"), { maxKeys: 4 }),
  ),
})).value;

/** In block style where there is something to put into a block, and in flow style for every third collection. */
const lines = (node: Value, indent: string, seed: number): string => {
  if (Array.isArray(node)) {
    if (node.length === 0 || seed % 3 === 0) return flow(node);
    return node.map((one, at) => `\n${indent}- ${item(one, `${indent}  `, seed + at)}`).join("");
  }
  if (typeof node !== "object" || node === null) return String(node);
  const pairs = Object.entries(node);
  if (pairs.length === 0 || seed % 3 === 0) return flow(node);
  return pairs.map(([key, one], at) => `\n${indent}${pair(key, one, indent, seed + at)}`).join("");
};
const item = (node: Value, indent: string, seed: number): string =>
  Array.isArray(node) ? flow(node) : lines(node, indent, seed).trimStart();
const pair = (key: string, node: Value, indent: string, seed: number): string => {
  const below = lines(node, seed % 2 === 0 && Array.isArray(node) ? indent : `${indent}  `, seed);
  return `${key}:${below.startsWith("\n") ? "" : " "}${below}${seed % 5 === 0 ? " # why" : ""}`;
};
const flow = (node: Value): string => {
  if (Array.isArray(node)) return `[${node.map(flow).join(", ")}]`;
  if (typeof node !== "object" || node === null) return String(node);
  const pairs = Object.entries(node).map(([key, one]) => `${key}: ${flow(one)}`);
  return `{ ${pairs.join(", ")} }`;
};

test("every tree that is written plainly is taken, and read the same", () => {
  const trees = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value, { maxKeys: 4, minKeys: 1 });
  fc.assert(
    fc.property(trees, fc.nat({ max: 30 }), (tree, seed) => {
      const text = Object.entries(tree)
        .map(([key, one], at) => `${pair(key, one, "", seed + at)}\n`)
        .join("");
      assert.ok(readPlainYaml(text) !== undefined, text);
      agree(text);
    }),
  );
});
