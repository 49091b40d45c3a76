// Sealing: exact bytes, their hash, the link; what is outside the format is a bug and is asserted. Reading is its
// inverse.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalFlawAt } from "../../src/ledger/record/canonical-scan.ts";
import { isPlainRecord } from "../../src/ledger/record/fast/plain-record.ts";
import { NESTING_MAX, profileText } from "../../src/ledger/record/profile.ts";
import { readRecord, readThoroughly } from "../../src/ledger/record/read-record.ts";
import { type Draft, GENESIS, LINE_BYTES_MAX } from "../../src/ledger/record/record.ts";
import { assertLinked, linkFlaw, recordHash, seal } from "../../src/ledger/record/seal.ts";
import { canonical, type Json } from "../../src/spine/values/canonical.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { canonicalText } from "../spine/reference.ts";
import { chain, draft, instant, ulid } from "./drafts.ts";

const FIRST = { prev: GENESIS, seq: 0 };
const textOf = (line: Uint8Array): string => Buffer.from(line).toString("utf8");

/** The slow way: parse, write again with the reference canonicaliser, compare. */
const isCanonicalSlowly = (line: Uint8Array): boolean => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    const value: Json = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    return profileText(value).kind === "text" && canonicalText(value) === text;
  } catch {
    return false;
  }
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes.
const needsEscape = (key: string): boolean => /["\\\u0000-\u001f]/.test(key);
const key = fc.string({ maxLength: 6, unit: "binary" }).filter((text) => !needsEscape(text));
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.string({ maxLength: 12, unit: "binary" }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(key, tie("json"), { maxKeys: 5 }),
  ),
}));
const body = fc.dictionary(key, json, { maxKeys: 6 });

test("a line is the canonical text of its record, in UTF-8, and its hash is SHA-256(0x00 ‖ line)", () => {
  fc.assert(
    fc.property(body, fc.nat(), (value, seq) => {
      const { hash, line, record } = seal(draft(1, { body: value }), { prev: sha256("before"), seq });
      assert.equal(textOf(line), canonicalText(record));
      assert.equal(
        hash,
        createHash("sha256")
          .update(Buffer.from([0]))
          .update(line)
          .digest("hex"),
      );
      assert.equal(recordHash(line), hash);
    }),
    { numRuns: 200 },
  );
});

test("what was sealed is read back as the same record", () => {
  fc.assert(
    fc.property(body, (value) => {
      const changes: Partial<Draft> = { asked: sha256("c"), blobs: [sha256("a")], body: value, causationId: ulid(7) };
      const { line } = seal(draft(1, changes), FIRST);
      const read = readRecord(line);
      assert.ok(read.kind === "record", JSON.stringify(read));
      assert.equal(canonical(read.record), textOf(line));
    }),
    { numRuns: 200 },
  );
});

test("the order of a draft's keys changes no byte", () => {
  const { actor, body: _, ...rest } = draft(1);
  const turned = {
    ...rest,
    body: { z: 1, a: { y: 2, b: 3 } },
    actor: { roles: actor.roles, kind: actor.kind, id: actor.id },
  };
  const sorted = draft(1, { body: { a: { b: 3, y: 2 }, z: 1 } });
  assert.deepEqual(seal(turned, FIRST).line, seal(sorted, FIRST).line);
});

test("a line has at most 65,535 bytes", () => {
  const spare = LINE_BYTES_MAX - seal(draft(1, { body: { text: "" } }), FIRST).line.length;
  assert.equal(seal(draft(1, { body: { text: "a".repeat(spare) } }), FIRST).line.length, LINE_BYTES_MAX);
  assert.throws(() => seal(draft(1, { body: { text: "a".repeat(spare + 1) } }), FIRST), /at most 65535 bytes/);
  const { line } = seal(draft(1, { body: { text: "a".repeat(spare) } }), FIRST);
  const longer = Buffer.from(textOf(line).replace("aa", "aaa"));
  assert.ok(isPlainRecord(line) && !isPlainRecord(longer));
  assert.equal(readThoroughly(line).kind, "record");
  assert.deepEqual(readThoroughly(longer), {
    flaw: { cause: "too-long", facts: { bytes: LINE_BYTES_MAX + 1, max: LINE_BYTES_MAX } },
    kind: "finding",
    what: "too-long",
  });
});

const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)]);

test("nothing outside the profile of JSON is sealed", () => {
  const outside: readonly (readonly [Json, RegExp])[] = [
    [1.5, /number-unsafe/],
    [2 ** 53, /number-unsafe/],
    [Number.NaN, /number-unsafe/],
    ["\ud800", /half-surrogate/],
    [{ "\udead": 1 }, /half-surrogate/],
    [{ 'a"b': 1 }, /key-escaped/],
    [{ "a\\b": 1 }, /key-escaped/],
    [{ "a\nb": 1 }, /key-escaped/],
    [nested(NESTING_MAX - 1), /too-deep/],
  ];
  for (const [value, because] of outside) {
    assert.throws(() => seal(draft(1, { body: { value } }), FIRST), because, JSON.stringify(value));
    assert.throws(() => seal(draft(1, { body: { z: [value], a: 1 } }), FIRST), because, "unsorted too");
  }
  assert.doesNotThrow(() => seal(draft(1, { body: { value: nested(NESTING_MAX - 2) } }), FIRST));
});

test("a record with a wrong field is not sealed", () => {
  const flawed: readonly (readonly [object, RegExp])[] = [
    [{ auditId: "x" }, /field-no-ulid.*auditId/],
    [{ actor: { id: "", kind: "person", roles: [] } }, /field-no-.*actor/],
    [{ actor: { id: "a", kind: "robot", roles: [] } }, /field-no-.*actor/],
    [{ blobs: ["x"] }, /field-no-.*blobs/],
    [{ configHash: sha256("a").toUpperCase() }, /field-no-.*configHash/],
    [{ environment: "" }, /field-no-.*environment/],
    [{ eventTime: "2026-11-15T10:00:00Z" }, /field-no-.*eventTime/],
    [{ kind: "" }, /field-no-.*kind/],
    [{ body: [] }, /field-no-.*body/],
  ];
  for (const [changes, because] of flawed) assert.throws(() => seal({ ...draft(1), ...changes }, FIRST), because);
  assert.throws(() => seal(draft(1), { prev: GENESIS, seq: -1 }), /field-no-size.*seq/);
});

test("a record goes only behind the one it names", () => {
  const [first, second, third] = chain(3);
  assert.ok(first && second && third);
  assertLinked({ hash: GENESIS, size: 0 }, first);
  assertLinked({ hash: first.hash, size: 1 }, second);
  assert.throws(() => assertLinked({ hash: first.hash, size: 1 }, third), /out-of-order/);
  assert.throws(() => assertLinked({ hash: third.hash, size: 1 }, second), /broken-link/);
});

test("a link that does not hold is told with what is there and what should be", () => {
  const tail = { hash: sha256("last"), size: 3 };
  assert.equal(linkFlaw(tail, { prev: tail.hash, seq: 3 }), undefined);
  assert.deepEqual(linkFlaw(tail, { prev: tail.hash, seq: 4 }), {
    flaw: { cause: "out-of-order", facts: { seqThere: 4, size: 3 } },
    what: "out-of-order",
  });
  assert.deepEqual(linkFlaw(tail, { prev: GENESIS, seq: 3 }), {
    flaw: { cause: "link-broken", facts: { before: 2, hash: tail.hash, prev: GENESIS } },
    what: "broken-link",
  });
  assert.deepEqual(linkFlaw({ hash: GENESIS, size: 0 }, { prev: tail.hash, seq: 0 }), {
    flaw: { cause: "first-link-broken", facts: { hash: GENESIS, prev: tail.hash } },
    what: "broken-link",
  });
});

test("the scan of the bytes says what parsing and writing again says, for any line and any slip in it", () => {
  const slip = fc.record({ at: fc.nat(), byte: fc.nat(255), how: fc.constantFrom("swap", "insert", "remove") });
  fc.assert(
    fc.property(body, fc.option(slip), (value, slipped) => {
      const line = Buffer.from(canonicalText(value));
      assert.equal(canonicalFlawAt(line), -1);
      if (slipped === null) return;
      const at = slipped.at % line.length;
      const middle = slipped.how === "remove" ? [] : [slipped.byte];
      const bad = Buffer.concat([
        line.subarray(0, at),
        Uint8Array.from(middle),
        line.subarray(slipped.how === "insert" ? at : at + 1),
      ]);
      assert.equal(canonicalFlawAt(bad) === -1, isCanonicalSlowly(bad), bad.toString());
    }),
    { numRuns: 1500 },
  );
});

test("the short way to a record takes plain lines, and none that reading refuses", () => {
  const places = fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255) }), { maxLength: 2 });
  fc.assert(
    fc.property(body, places, fc.boolean(), (value, slips, isShort) => {
      const changes: Partial<Draft> = isShort
        ? {}
        : { asked: sha256("c"), blobs: [sha256("a"), sha256("b")], causationId: ulid(7) };
      const line = Buffer.from(seal(draft(1, { body: value, ...changes }), FIRST).line);
      assert.ok(isPlainRecord(line));
      for (const { at, byte } of slips) line[at % line.length] = byte;
      if (isPlainRecord(line)) assert.equal(readThoroughly(line).kind, "record", line.toString());
    }),
    { numRuns: 500 },
  );
});

test("the short way takes no line with a field too many, too few, twice or out of its place", () => {
  const good = textOf(seal(draft(1, { body: {}, causationId: ulid(7) }), FIRST).line);
  const fields = good.slice(1, -1).split(/,(?="[a-zA-Z]+":)/);
  const lineOf = (list: readonly string[]): Buffer => Buffer.from(`{${list.join(",")}}`);
  assert.ok(isPlainRecord(lineOf(fields)));
  for (const more of [" ", "}", "\n"]) assert.ok(!isPlainRecord(Buffer.from(good + more)));
  const deep = (lists: number): Buffer =>
    Buffer.from(good.replace('"body":{}', `"body":{"a":${"[".repeat(lists)}${"]".repeat(lists)}}`));
  assert.ok(isPlainRecord(deep(NESTING_MAX - 2)) && readThoroughly(deep(NESTING_MAX - 2)).kind === "record");
  assert.ok(!isPlainRecord(deep(NESTING_MAX - 1)) && readRecord(deep(NESTING_MAX - 1)).kind === "finding");
  for (const other of [
    ...fields.flatMap((field, at) => [fields.toSpliced(at, 0, field), fields.toSpliced(at, 0, '"c":{}')]),
    ...fields.map((_, at) => fields.toSpliced(at, 1)),
    fields.toReversed(),
    [...fields, '"w":1'],
    fields.map((field) => field.replace('"body":{}', '"body":{"b":1,"a":2}')),
    fields.map((field) => field.replace('"body":{}', '"body":[]')),
    fields.map((field) => field.replace('"seq":0', '"seq":00')),
    fields.map((field) => field.replace('"seq":0', '"seq":9007199254740992')),
  ]) {
    const line = lineOf(other);
    assert.equal(isPlainRecord(line) && readThoroughly(line).kind === "finding", false, line.toString());
    if (other.length > fields.length) assert.ok(!isPlainRecord(line), line.toString());
  }
});

test("a text that means the same in other bytes is not canonical", () => {
  const others = [
    '{"a": 1}',
    '{"a":1} ',
    ' {"a":1}',
    '{"a":1}{}',
    '{"b":1,"a":2}',
    '{"a":1,"a":1}',
    '{"a":1,"a":2}',
    '{"a":-0}',
    '{"a":00}',
    '{"a":01}',
    '{"a":-01}',
    '{"a":1.0}',
    '{"a":1e2}',
    '{"a":1E2}',
    '{"a":+1}',
    '{"a":9007199254740992}',
    '{"a":-9007199254740993}',
    '{"a":99999999999999999}',
    '{"a":-}',
    '{"a":"\\/"}',
    '{"a":"\\u0041"}',
    '{"a":"\\u001F"}',
    '{"a":"\\u000a"}',
    '{"a":"\\u0022"}',
    '{"a":"\\ud834\\udd1e"}',
    '{"a":"\\ud800"}',
    '{"\\u0061":1}',
    '{"\\"":1}',
    '{"a":"\t"}',
    '{"a":tru}',
    '{"a":truex}',
    '{"a":}',
    '{"a"}',
    '{"a":1,}',
    '{,"a":1}',
    '{"a":[1,]}',
    '{"a":[,1]}',
    '{"a":[1 ,2]}',
    '{"a":"x}',
    '{"a":1',
    "[]",
    "1",
    '"a"',
    "",
    "{",
    "\ufeff{}",
    '{"\ufb33":1,"\u{1d11e}":2}',
    '{"ab":1,"a":2}',
    '{"a!":1,"a":2}',
    '{"a":undefined}',
    "{\"a\":'b'}",
  ];
  for (const text of others) {
    assert.notEqual(canonicalFlawAt(Buffer.from(text)), -1, text);
    assert.equal(readRecord(Buffer.from(text)).kind, "finding", text);
  }
  const own = [
    "{}",
    '{"":1,"a":2}',
    '{"a":1,"a!":2,"ab":3}',
    '{"\u{1d11e}":1,"\ufb33":2}',
    '{"\u00e9":0,"\ud7ff":1,"\u{10ffff}":2,"\ue000":3}',
    '{"a":[true,false,null,-1,0,"\\"\\\\\\b\\f\\n\\r\\t\\u001f\u007f/"],"b":[],"c":{}}',
    '{"a":9007199254740991,"b":-9007199254740991}',
  ];
  for (const text of own) {
    assert.equal(canonicalFlawAt(Buffer.from(text)), -1, text);
    assert.ok(isCanonicalSlowly(Buffer.from(text)), text);
  }
});

test("bytes that are no UTF-8 are not canonical", () => {
  for (const bytes of ["c080", "eda080", "ff", "e282", "f4908080"]) {
    const line = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes, "hex"), Buffer.from('"}')]);
    assert.notEqual(canonicalFlawAt(line), -1, bytes);
    assert.deepEqual(readRecord(line), {
      flaw: { cause: "not-utf8", facts: {} },
      kind: "finding",
      what: "unreadable",
    });
  }
});

test("a key with an escape is never believed, whatever was parsed before", () => {
  const line = (name: string): Buffer => Buffer.from(textOf(seal(draft(1), FIRST).line).replace('"text"', name));
  for (const name of ['"\\\\"', '"\\u0022"', '"\\u0074ext"', '"\\\\"', '"t\\"xt"']) {
    const read = readRecord(line(name));
    assert.ok(read.kind === "finding" && read.what === "not-canonical", name);
  }
  assert.equal(readRecord(line('"text"')).kind, "record");
});

test("a line is said to be what it is: unreadable, of another format, no record, too long", () => {
  const good = textOf(seal(draft(1), FIRST).line);
  const what = (text: string): string => {
    const read = readRecord(Buffer.from(text));
    return read.kind === "finding" ? read.what : read.kind;
  };
  assert.equal(what(good), "record");
  assert.equal(what(good.replace('"kind":"annotate"', '"kind":"nobody.knows"')), "record");
  assert.equal(what("nonsense"), "unreadable");
  assert.equal(what("[1]"), "unreadable");
  assert.equal(what(good.replace('"v":1}', '"v":2}')), "newer-format");
  assert.equal(what('{"ratio":0.5,"v":2}'), "newer-format");
  assert.equal(what(good.replace('"v":1}', '"v":"1"}')), "not-a-record");
  assert.equal(what(good.replace(',"v":1}', "}")), "not-a-record");
  assert.equal(what(good.replace('"seq":0', '"seq":-1')), "not-a-record");
  assert.equal(what(good.replace(',"v":1}', ',"v":1,"x":1}')), "not-a-record");
  assert.equal(what(good.replace(instant(1), "2026-13-15T10:00:00.001Z")), "not-a-record");
  assert.equal(what(good.replace("{", "{ ")), "not-canonical");
  assert.equal(what(` ${good}`), "not-canonical", "from the first byte on");
  assert.equal(what("null"), "unreadable");
  assert.equal(what(good.replace("record 1", "a".repeat(LINE_BYTES_MAX))), "too-long");
});
