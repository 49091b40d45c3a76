// The anchor: signed checkpoints kept outside the ledger, one note after another.
//
// A chain cannot see that its own tail was cut; the anchor can. A note is durable before anybody is told that it stands.
// Not here: what a note says (checkpoint.ts), whether a ledger fits it (verify.ts).

import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeOwnFolder, openOwn } from "./own-file.ts";
import { plainBytes } from "./plain-file.ts";

/** Notes end with an empty line of their own, so that a torn last one is seen. */
const SEPARATOR = "\n";

/** A note that was cut short while it was written is taken away first: nobody was told that it stands. */
export const appendNote = (path: string, note: string): void => {
  makeOwnFolder(dirname(path));
  const isFresh = !existsSync(path);
  const { notes, torn } = readNotes(path);
  if (!isTornNote(torn)) throw new Error("the anchor ends with what is no note");
  const file = openOwn(path, "a");
  try {
    if (torn !== "") ftruncateSync(file, Buffer.byteLength(notes.map((one) => `${one}${SEPARATOR}`).join("")));
    writeSync(file, `${note}${SEPARATOR}`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (isFresh) syncFolder(dirname(path));
};

/** A file whose name is not on the disk is not there after a power cut. */
const syncFolder = (folder: string): void => {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Every note as it stands, the oldest first; a text after the last whole note is returned as a torn one. */
export const readNotes = (path: string): { readonly notes: readonly string[]; readonly torn: string } => {
  return notesIn(anchorBytes(path));
};

/** Nothing when there is no anchor yet. */
export const anchorBytes = (path: string): Buffer => (existsSync(path) ? plainBytes(path) : Buffer.alloc(0));

export const notesIn = (bytes: Buffer): ReturnType<typeof readNotes> => {
  const text = bytes.toString("utf8");
  const notes: string[] = [];
  let from = 0;
  for (const match of text.matchAll(/\n\n(?:— [^\n]+\n)+\n/g)) {
    const end = match.index + match[0].length;
    notes.push(text.slice(from, end - SEPARATOR.length));
    from = end;
  }
  return { notes, torn: text.slice(from) };
};

/** How many bytes of the file a note takes. */
export const noteBytes = (note: string): number => Buffer.byteLength(`${note}${SEPARATOR}`);

/** The beginning of a note and no more, as a crash during a write leaves it; or nothing. */
export const isTornNote = (text: string): boolean => TORN.test(text);

/** Half of a dash reads as U+FFFD. */
const TORN = /^[^\n]*(?:\n\d*(?:\n[A-Za-z0-9+/]*=?(?:\n(?:\n(?:— [^\n]*\n)*(?:—|— [^\n]*|\ufffd)?)?)?)?)?$/u;
