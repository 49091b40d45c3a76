// A file in pieces: every byte of it, once and in order, and no file left open.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readPieces } from "../../src/ledger/files/pieces.ts";

const bytesOf = async (path: string): Promise<Buffer> => {
  const copies: Buffer[] = [];
  for await (const piece of readPieces(path)) copies.push(Buffer.from(piece));
  return Buffer.concat(copies);
};

test("the pieces of a file are its bytes, whatever its length", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-pieces-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "file");
  for (const length of [0, 1, 262_143, 262_144, 262_145, 700_000]) {
    const bytes = Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) % 256));
    writeFileSync(path, bytes);
    assert.ok((await bytesOf(path)).equals(bytes), `${length} bytes`);
  }
});

test("a file that is not read to its end is closed too", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-pieces-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "file");
  writeFileSync(path, Buffer.alloc(600_000));
  const isOpen = (): boolean =>
    readdirSync("/proc/self/fd").some((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === path;
      } catch {
        return false; // closed between the list and the observation
      }
    });
  for await (const piece of readPieces(path)) {
    assert.ok(piece.length > 0 && isOpen());
    break;
  }
  assert.ok(!isOpen());
});
