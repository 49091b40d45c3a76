// A file that a configuration or a person names, as text; what is wrong with it is a problem at the file itself.

import { resolve } from "node:path";
import { type Parsed, type Problem, problem, wholeFile } from "../formats/problem.ts";
import type { FileCause } from "../ledger/files/file-cause.ts";
import { readTextFile } from "../ledger/files/text-file.ts";

export const unreadableFile = (file: string, cause: FileCause): Problem =>
  problem("file-unreadable", wholeFile(file), { cause });

export const readText = (folder: string, file: string): Parsed<string> => {
  const read = readTextFile(resolve(folder, file));
  switch (read.kind) {
    case "text":
      return { kind: "ok", value: read.value };
    case "not-utf8":
      return bad(problem("text-malformed", wholeFile(file), { cause: "not-utf8" }));
    case "too-large": {
      const { bytes, max } = read;
      return bad(problem("file-too-large", wholeFile(file), { cause: "size", facts: { bytes, max } }));
    }
    case "unreadable":
      return bad(unreadableFile(file, read.cause));
  }
};

const bad = (one: Problem): Parsed<never> => ({ kind: "bad", problems: [one] });
