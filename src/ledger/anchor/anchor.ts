// The anchor: signed checkpoints kept outside the ledger, one note after another.
//
// A chain cannot see that its own tail was cut; the anchor can. A note is whole and durable before anybody is told that
// it stands: what was written is counted, and the beginning of a note that did not fit is taken away again.
// Not here: what a note says (checkpoint.ts), whether a ledger fits it (verify.ts), whether one is missing
// (anchor-loss.ts).

import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { AnchorUnfitness } from "../failure.ts";
import { statFile } from "../files/file-stats.ts";
import { makeOwnFolder, openOwn } from "../files/own-file.ts";
import { readPlainBytes } from "../files/plain-file.ts";
import { syncFolder } from "../files/sync-folder.ts";

/** Notes end with an empty line of their own, so that a torn last one is seen. */
const SEPARATOR = "\n";

/** What a disk does; a test hands in one that does less. */
export type Disk = {
  /** As long as a writer that lives takes to end its note, and far longer. */
  readonly pause: () => void;
  readonly sync: (file: number) => void;
  /** The number of bytes that were written, which may be fewer. */
  readonly write: (file: number, bytes: Buffer) => number;
};
const PAUSE_MS = 200;
const DISK: Disk = {
  pause: () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  },
  sync: fdatasyncSync,
  write: (file, bytes) => writeSync(file, bytes),
};

/** An anchor that is open for appending: that it can be written was proven by opening it. */
export type AnchorFile = {
  /** Throws when the note is not durable in the file; then it is not there, or only as a torn one. */
  readonly append: (note: string) => void;
  /** Once is enough; nothing is appended afterwards. */
  readonly close: () => void;
  /** How many bytes of whole notes were there when it was last written to, what was appended included. */
  readonly end: () => number;
  /** Whether the path still names the file that was opened, with all of its notes. */
  readonly isInPlace: () => boolean;
};

/** Why a note could not be appended although the system reported no error. */
export class AnchorUnfit extends Error {
  readonly failure: AnchorUnfitness;

  constructor(failure: AnchorUnfitness) {
    super(`the anchor cannot be appended to: ${failure.cause}`);
    this.name = "AnchorUnfit";
    this.failure = failure;
  }
}

/** `end` is how many bytes of it are known to be whole notes. A file that is not there is not made. */
export const openAnchor = (path: string, end: number, disk: Disk = DISK): AnchorFile =>
  fileOf(path, openSync(path, constants.O_RDWR | constants.O_APPEND), end, disk);

/** For the first note of an anchor: makes file and folder where there are none. */
export const appendNote = (path: string, note: string, disk: Disk = DISK): void => appendTo(path, "a+", note, disk);

/** The same where no file may be: one that somebody else has made in this moment is left alone, and told as EEXIST. */
export const appendFirstNote = (path: string, note: string): void => appendTo(path, "ax+", note, DISK);

const appendTo = (path: string, flags: "a+" | "ax+", note: string, disk: Disk): void => {
  makeOwnFolder(dirname(path));
  const file = fileOf(path, openOwn(path, flags), 0, disk);
  try {
    file.append(note);
  } finally {
    file.close();
  }
  syncFolder(dirname(path));
};

const fileOf = (path: string, file: number, knownEnd: number, disk: Disk): AnchorFile => {
  let end = knownEnd;
  let isOpen = true;
  return {
    append: (note) => {
      // The number of a closed descriptor may be another file's by now.
      if (!isOpen) throw new Error("the anchor was closed");
      assertInPlace(path, file, end);
      end = wholeEnd(file, end, note, disk);
      writeWhole(file, Buffer.from(noteText(note)), disk);
      disk.sync(file);
      end = endOf(file, end).end;
    },
    close: () => {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
    end: () => end,
    isInPlace: () => {
      if (!isOpen) return false;
      try {
        assertInPlace(path, file, end);
        return true;
      } catch (error) {
        if (error instanceof AnchorUnfit || "syscall" in Object(error)) return false;
        throw error;
      }
    },
  };
};

/** A file that has lost its name, or some of its notes, keeps nothing for anybody. */
const assertInPlace = (path: string, file: number, end: number): void => {
  const [named, held] = [statSync(path), fstatSync(file)];
  if (numberOf(named) !== numberOf(held)) throw new AnchorUnfit({ cause: "replaced", facts: {} });
  if (held.size < end) throw new AnchorUnfit({ cause: "shortened", facts: {} });
};

/** A file's own, on all disks of a machine. */
const numberOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/**
 * Where the last whole note ends, when nothing follows it. A note that was cut short while it was written is taken
 * away: nobody was told that it stands. It must be the beginning of a note like ours, and be so a while later too:
 * another process may be writing it.
 */
const wholeEnd = (file: number, from: number, note: string, { pause }: Disk): number => {
  const first = endOf(file, from);
  if (first.torn === "") return first.end;
  if (!isTornNote(first.torn, originOf(note))) throw new AnchorUnfit({ cause: "end-foreign", facts: {} });
  pause();
  const second = endOf(file, from);
  if (second.torn === "") return second.end;
  if (second.end !== first.end || second.torn !== first.torn)
    throw new AnchorUnfit({ cause: "other-writer", facts: {} });
  ftruncateSync(file, second.end);
  return second.end;
};

const endOf = (file: number, from: number): { readonly end: number; readonly torn: string } => {
  const { notes, torn } = notesIn(bytesAt(file, from, fstatSync(file).size));
  return { end: notes.reduce((sum, note) => sum + noteBytes(note), from), torn };
};

const bytesAt = (file: number, from: number, to: number): Buffer => {
  const bytes = Buffer.alloc(Math.max(0, to - from));
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
};

/** A disk that is full takes a part and says nothing; the part is taken away again, when nobody wrote behind it. */
const writeWhole = (file: number, bytes: Buffer, disk: Disk): void => {
  const written = disk.write(file, bytes);
  if (written === bytes.length) return;
  const { size } = fstatSync(file);
  const last = bytesAt(file, size - written, size);
  if (last.equals(bytes.subarray(0, written))) ftruncateSync(file, size - written);
  throw new AnchorUnfit({ cause: "written-short", facts: { bytes: bytes.length, written } });
};

/** Every note as it stands, the oldest first; a text after the last whole note is returned as a torn one. */
export const readNotes = (path: string): { readonly notes: readonly string[]; readonly torn: string } =>
  notesIn(statFile(path) === undefined ? Buffer.alloc(0) : readPlainBytes(path));

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

/** A note as it stands in the file. */
export const noteText = (note: string): string => `${note}${SEPARATOR}`;
export const noteBytes = (note: string): number => Buffer.byteLength(noteText(note));

const originOf = (note: string): string => note.slice(0, note.indexOf("\n"));

/** The beginning of a note of this origin and no more, as a crash during a write leaves it; or nothing. */
export const isTornNote = (text: string, origin: string): boolean => {
  const first = `${origin}\n`;
  return TORN.test(text) && (text.startsWith(first) || first.startsWith(text));
};

/** Half of a dash reads as U+FFFD. */
const TORN = /^[^\n]*(?:\n\d*(?:\n[A-Za-z0-9+/]*=?(?:\n(?:\n(?:— [^\n]*\n)*(?:—|— [^\n]*|\ufffd)?)?)?)?)?$/u;
