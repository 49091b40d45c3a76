// The short way to a sound record: on every field it says what reading says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlainRecord } from "../../src/ledger/record/fast/plain-record.ts";
import { readThoroughly } from "../../src/ledger/record/read-record.ts";
import { GENESIS } from "../../src/ledger/record/record.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { draft, ulid } from "./drafts.ts";

const FIRST = { prev: GENESIS, seq: 0 };
const textOf = (line: Uint8Array): string => Buffer.from(line).toString("utf8");

test("the short way and reading agree on every field, at the edges of what it may hold", () => {
  const first = draft(1, {
    asked: sha256("b"),
    blobs: [sha256("a")],
    body: {},
    causationId: ulid(7),
    environment: "home",
  });
  const good = textOf(seal(first, FIRST).line);
  const swapped = (name: string, value: string): Buffer => {
    const changed = good.replace(new RegExp(`"${name}":(?:"[^"]*"|\\[[^\\]]*\\]|\\d+)`), `"${name}":${value}`);
    assert.ok(changed.includes(`"${name}":${value}`), `${name} is a field`);
    return Buffer.from(changed);
  };
  const hex = (digits: number, last: string): string => `"${"0".repeat(digits - last.length)}${last}"`;
  const hashes = ["9", "a", "f", "/", ":", "`", "g", "A", "é"].map((last) => hex(64, last));
  const ulids = ["Z", "0", "A", "I", "L", "O", "U", "a", "[", "@"].map((last) => hex(26, last));
  const instants = ["01-01T00:00:00", "12-31T23:59:59", "00-01T00:00:00", "13-01T00:00:00", "01-00T00:00:00"]
    .concat([
      "01-32T00:00:00",
      "01-01T24:00:00",
      "01-01T00:60:00",
      "01-01T00:00:60",
      "0a-01T00:00:00",
      "01/01T00:00:00",
    ])
    .map((rest) => `"2026-${rest}.000Z"`);
  const ulidEdges = [...ulids, hex(25, "0"), hex(27, "0"), `"7${"Z".repeat(25)}"`, `"8${"0".repeat(25)}"`];
  const hashEdges = [...hashes, hex(63, "0"), hex(65, "0")];
  const instantEdges = [
    ...instants,
    '"2026-01-01T00:00:00Z"',
    '"2026-01-01T00:00:00.000"',
    '"2026-01-01T00:00:00.0000Z"',
  ];
  const texts = ['"a b"', '"é"', '"𝄞"', '"\u007f"', '""', '"\u0001"', '"\t"'];
  const edges: Readonly<Record<string, readonly string[]>> = {
    asked: hashEdges,
    auditId: ulidEdges,
    blobs: [
      "[]",
      ...hashEdges.map((one) => `[${one}]`),
      `[${hex(64, "0")},${hex(64, "1")}]`,
      `[${hex(64, "0")},]`,
      "[1]",
    ],
    causationId: ulidEdges,
    configHash: hashEdges,
    correlationId: ulidEdges,
    environment: texts,
    eventTime: instantEdges,
    id: texts,
    idempotencyKey: ulidEdges,
    instance: ulidEdges,
    kind: ['"person"', '"agent"', '"kernel"', '"persons"', '"Agent"', '""'], // the actor's, which comes first
    prev: hashEdges,
    processTime: instantEdges,
    roles: ["[]", '["a","b"]', '["a",""]', '["a"', '["a",]', "[1]"],
    seq: ["0", "10", "999999999999999", "01", "-1", "9007199254740992"],
    v: ["1", "2", "01"],
  };
  let agreed = 0;
  for (const [name, values] of Object.entries(edges)) {
    for (const value of values) {
      const line = swapped(name, value);
      assert.equal(isPlainRecord(line), readThoroughly(line).kind === "record", line.toString());
      agreed += isPlainRecord(line) ? 1 : 0;
    }
  }
  assert.equal(agreed, 55, "these of the edges are inside");
});
