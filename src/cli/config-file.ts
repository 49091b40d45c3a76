// dedalus.yaml as a command finds it: the file that --config names, or the one in this folder.

import { dirname } from "node:path";
import { type Config, parseConfig } from "../formats/dedalus-yaml.ts";
import type { Parsed } from "../formats/problem.ts";
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
  const read = readText(io.folder, file);
  const parsed = read.kind === "ok" ? parseConfig(read.value, file) : read;
  if (parsed.kind === "bad") return parsed;
  return { kind: "ok", value: { config: parsed.value, file, home: pathIn(io.folder, dirname(file)) } };
};
