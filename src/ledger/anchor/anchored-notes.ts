// The notes of a long anchor a page at a time: only what a page needs is read of the file.
//
// The file grows and is never rewritten, so where its notes begin is remembered, sparsely, and each reader walks on
// from where the last one ended: a piece at a time, so that others are served meanwhile. A file that is another by
// then, or no longer ends its last note where it did, is walked anew. Not here: what a note says (tree/checkpoint.ts).

import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { statFile } from "../files/file-stats.ts";
import { assertPlainAt } from "../files/plain-file.ts";

export type NotePage = {
  /** How many the anchor holds. */
  readonly count: number;
  /** Where the page begins, counted from 0. */
  readonly from: number;
  readonly newest?: string;
  /** The oldest first. */
  readonly notes: readonly string[];
};

export type AnchoredNotes = {
  /** The newest page where no beginning is given. */
  readonly page: (from: number | undefined, limit: number) => Promise<NotePage>;
};

/** A whole note, and the bytes that it takes in the file with what ends it. */
type PlacedNote = { readonly at: number; readonly end: number; readonly note: string };

type Walked = {
  readonly count: number;
  readonly file: string;
  readonly last?: PlacedNote;
  /** Where every note begins whose number is a multiple of STRIDE. */
  readonly places: readonly number[];
};

const STRIDE = 100;

export const anchoredNotes = (path: string): AnchoredNotes => {
  let known: Walked | undefined;
  return {
    page: async (asked, limit) => {
      if (statFile(path) === undefined) return { count: 0, from: asked ?? 0, notes: [] };
      assertPlainAt(path);
      const { open } = await import("node:fs/promises");
      const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const walked = await walkOn(file, known);
        known = walked;
        const from = asked ?? Math.max(0, walked.count - limit);
        const newest = walked.last === undefined ? {} : { newest: walked.last.note };
        return { count: walked.count, from, ...newest, notes: await readPage(file, walked, from, limit) };
      } finally {
        await file.close();
      }
    },
  };
};

const walkOn = async (file: FileHandle, known: Walked | undefined): Promise<Walked> => {
  const { dev, ino, size } = await file.stat();
  const name = `${dev}:${ino}`;
  const isSame = known !== undefined && known.file === name && (await isStillThere(file, known.last));
  const before: Walked = isSame ? known : { count: 0, file: name, places: [] };
  let { count, last } = before;
  const found: number[] = [];
  for await (const some of readPlaced(file, last?.end ?? 0, size)) {
    for (const placed of some) {
      if (count % STRIDE === 0) found.push(placed.at);
      count += 1;
    }
    last = some.at(-1);
  }
  const places = found.length === 0 ? before.places : [...before.places, ...found];
  return { count, file: name, ...(last === undefined ? {} : { last }), places };
};

const isStillThere = async (file: FileHandle, last: PlacedNote | undefined): Promise<boolean> => {
  if (last === undefined) return true;
  for await (const [first] of readPlaced(file, last.at, last.end)) return first?.note === last.note;
  return false;
};

const readPage = async (
  file: FileHandle,
  { count, last, places }: Walked,
  from: number,
  limit: number,
): Promise<readonly string[]> => {
  const to = Math.min(count, from + limit);
  if (from >= to || last === undefined) return [];
  const mark = Math.floor(from / STRIDE);
  const after = places[Math.floor((to - 1) / STRIDE) + 1] ?? last.end;
  const notes: string[] = [];
  for await (const some of readPlaced(file, places[mark] ?? 0, after)) notes.push(...some.map(({ note }) => note));
  return notes.slice(from - mark * STRIDE, to - mark * STRIDE);
};

const PIECE_BYTES = 64 * 1024;

/** The whole notes between two places, as many at a time as a piece of the file has. */
async function* readPlaced(file: FileHandle, from: number, to: number): AsyncGenerator<readonly PlacedNote[]> {
  let at = from;
  let length = PIECE_BYTES;
  while (at < to) {
    const piece = Buffer.alloc(Math.min(length, to - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    const some = placedIn(piece.subarray(0, bytesRead), at);
    if (some.length > 0) yield some;
    else if (bytesRead < piece.length || at + bytesRead >= to) return;
    // Twice as much where a piece ends no note: however long a note is, it is read in few steps.
    length = some.length > 0 ? PIECE_BYTES : length * 2;
    at = some.at(-1)?.end ?? at;
  }
}

/** The end of a note as anchor.ts reads it, a character for each byte: a place in the text is one in the file. */
const NOTE_END = /\n\n(?:\u00e2\u0080\u0094 [^\n]+\n)+\n/g;

const placedIn = (bytes: Buffer, start: number): readonly PlacedNote[] => {
  const placed: PlacedNote[] = [];
  let at = 0;
  for (const match of bytes.toString("latin1").matchAll(NOTE_END)) {
    const end = match.index + match[0].length;
    placed.push({ at: start + at, end: start + end, note: bytes.toString("utf8", at, end - 1) });
    at = end;
  }
  return placed;
};
