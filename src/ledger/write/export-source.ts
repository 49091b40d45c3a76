// An export as what lines are carried from: its lines, its blobs, and the keys that its records name.
//
// For one that was verified. Whatever is altered after that is met by the root that whoever carries it compares at the
// end.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Engine, Head } from "../engine.ts";
import { BLOBS_FOLDER, LINES_FILE } from "../files/export-names.ts";
import { readPieces } from "../files/pieces.ts";
import { readPlainBytes } from "../files/plain-file.ts";
import { keyUseOf } from "../record/asked.ts";
import type { LineSource } from "./carry.ts";

const LINE_FEED = 0x0a;
const PAGE_LINES = 256;

export const exportSource = (folder: string, head: Head): LineSource & Pick<Engine, "pages"> => {
  const read: Engine["read"] = async function* (from, to) {
    let seq = 0;
    for await (const line of linesOf(join(folder, LINES_FILE))) {
      if (seq >= to) return;
      if (seq >= from) yield line;
      seq += 1;
    }
  };
  const pages: Engine["pages"] = async function* (from, to) {
    let page: Uint8Array[] = [];
    for await (const line of read(from, to)) {
      page.push(line);
      if (page.length < PAGE_LINES) continue;
      yield page;
      page = [];
    }
    yield page;
  };
  return {
    blob: async (digest) => {
      const file = join(folder, BLOBS_FOLDER, digest);
      return existsSync(file) ? readPlainBytes(file) : undefined;
    },
    head: async () => head,
    keyUse: async (record) => keyUseOf(record),
    pages,
    read,
  };
};

/** Each in bytes of its own. */
async function* linesOf(file: string): AsyncGenerator<Uint8Array> {
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of readPieces(file)) {
    const bytes: Buffer = Buffer.concat([held, piece]);
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      yield bytes.subarray(from, end);
      from = end + 1;
    }
    held = bytes.subarray(from);
  }
}
