// dedalus.yaml as a command finds it: the file that --config names, or the one in this folder.

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Config, parseConfig } from "../formats/dedalus-yaml.ts";
import { type Parsed, type Problem, problem } from "../formats/problem.ts";
import type { Arguments } from "./command.ts";
import { pathIn, readText } from "./files.ts";
import type { Io } from "./io.ts";

export type Configured = {
  readonly config: Config;
  readonly file: string;
  /** The folder of the file; the paths in it are read from there. */
  readonly home: string;
};

export const CONFIG_FILE = "dedalus.yaml";

export const readConfig = ({ text }: Arguments, io: Io): Parsed<Configured> => {
  const file = text.get("config") ?? CONFIG_FILE;
  if (!text.has("config") && !existsSync(pathIn(io.folder, file))) return { kind: "bad", problems: [nowhere()] };
  const read = readText(io.folder, file);
  const parsed = read.kind === "ok" ? parseConfig(read.value, file) : read;
  if (parsed.kind === "bad") return parsed;
  return { kind: "ok", value: { config: parsed.value, file, home: pathIn(io.folder, dirname(file)) } };
};

const nowhere = (): Problem =>
  problem(
    "file-unreadable",
    { column: 1, field: "", file: CONFIG_FILE, line: 1 },
    "there is none in this folder",
    "Go to its folder, name it with --config FILE, or make one: dedalus init FOLDER",
  );
