// Tiles as C2SP tlog-tiles has them: paths, widths, and the same root as the tree.

import assert from "node:assert/strict";
import { test } from "node:test";
import { leafHash } from "../../src/ledger/record/leaf.ts";
import { EMPTY_FRONTIER, grown, rootOf } from "../../src/ledger/tree/merkle.ts";
import { type TileFile, tilePath, tiler } from "../../src/ledger/tree/tiles.ts";
import type { Sha256 } from "../../src/spine/model.ts";
import { isSha256 } from "../../src/spine/values/hash.ts";

const lineOf = (n: number): Uint8Array => Buffer.from(`line ${n}`);

const tilesOf = (size: number): ReadonlyMap<string, Uint8Array> => {
  const made = tiler();
  const files: TileFile[] = [];
  for (let n = 0; n < size; n += 1) files.push(...made.take(lineOf(n)));
  return new Map([...files, ...made.end()].map(({ bytes, path }) => [path, bytes]));
};

const hashesIn = (bytes: Uint8Array): readonly Sha256[] =>
  Array.from({ length: bytes.length / 32 }, (_, at) =>
    Buffer.from(bytes.subarray(at * 32, at * 32 + 32)).toString("hex"),
  ).map((hex) => {
    assert.ok(isSha256(hex));
    return hex;
  });

test("an index is written in groups of three digits, all but the last behind an x", () => {
  assert.equal(tilePath("0", 1_234_067, 256), "tile/0/x001/x234/067");
  assert.equal(tilePath("entries", 5, 112), "tile/entries/005.p/112");
  assert.equal(tilePath("2", 1_000, 256), "tile/2/x001/000");
});

test("a tree of 70,000 lines has the tiles that the specification counts", () => {
  const files = tilesOf(70_000);
  const at = (prefix: string): readonly string[] => [...files.keys()].filter((path) => path.startsWith(prefix));
  assert.equal(at("tile/0/").length, 274);
  assert.deepEqual(at("tile/1/"), ["tile/1/000", "tile/1/001.p/17"]);
  assert.deepEqual(at("tile/2/"), ["tile/2/000.p/1"]);
  assert.equal(files.get("tile/0/273.p/112")?.length, 112 * 32);
  assert.equal(at("tile/entries/").length, 274);
});

test("the hashes of a tile are those of the tree, and its bundle holds the lines", () => {
  for (const size of [1, 255, 256, 257, 600]) {
    const files = tilesOf(size);
    const root = rootOf(Array.from({ length: size }, (_, n) => leafHash(lineOf(n))).reduce(grown, EMPTY_FRONTIER));
    const leaves = [...files].filter(([path]) => path.startsWith("tile/0/")).flatMap(([, bytes]) => hashesIn(bytes));
    assert.equal(rootOf(leaves.reduce(grown, EMPTY_FRONTIER)), root);
    const bundles = Buffer.concat(
      [...files].filter(([path]) => path.startsWith("tile/entries/")).map(([, bytes]) => bytes),
    );
    let from = 0;
    for (let n = 0; n < size; n += 1) {
      const length = bundles.readUInt16BE(from);
      assert.deepEqual(bundles.subarray(from + 2, from + 2 + length), lineOf(n));
      from += 2 + length;
    }
    assert.equal(from, bundles.length);
  }
  const whole = tilesOf(256);
  const [above] = hashesIn(whole.get("tile/1/000.p/1") ?? new Uint8Array());
  const below = hashesIn(whole.get("tile/0/000") ?? new Uint8Array());
  assert.equal(above, rootOf(below.reduce(grown, EMPTY_FRONTIER)));
});

test("an empty tree has no tile", () => {
  assert.deepEqual([...tilesOf(0)], []);
});
