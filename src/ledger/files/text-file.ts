// A whole file as text, or why it is none. Bytes that are not UTF-8 are an error: a decoder that replaces them would
// let two files look the same.

import { statSync } from "node:fs";
import { type FileCause, fileCause } from "./file-cause.ts";
import { statFile } from "./file-stats.ts";
import { readPlainBytes } from "./plain-file.ts";

/** Longer texts do not fit one JavaScript string. */
const TEXT_LENGTH_MAX = 512 * 1024 * 1024 - 64;

export type TextFile =
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "not-utf8" }
  | { readonly kind: "too-large"; readonly bytes: number; readonly max: number }
  | { readonly kind: "unreadable"; readonly cause: FileCause };

export const readTextFile = (path: string): TextFile => {
  try {
    const { size } = statSync(path);
    if (size > TEXT_LENGTH_MAX) return { bytes: size, kind: "too-large", max: TEXT_LENGTH_MAX };
    return { kind: "text", value: decoded(readPlainBytes(path)) };
  } catch (error) {
    return error instanceof TypeError ? { kind: "not-utf8" } : { cause: fileCause(error), kind: "unreadable" };
  }
};

const decoded = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

/** Whatever stands there: a file, a folder, a link, and what may not be looked at. Below a file there is nothing. */
export const isThere = (path: string): boolean => {
  try {
    return statFile(path) !== undefined;
  } catch (error) {
    return fileCause(error) !== "ENOTDIR";
  }
};
