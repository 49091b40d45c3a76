// Joins: the only file that names concrete adapters. keeps P7-S2

import { replaySource } from "./adapters/replay/replay.ts";
import type { Source } from "./adapters/source.ts";
import { parseCurrent } from "./formats/current-json.ts";
import type { Parsed } from "./formats/problem.ts";

/** A source that gives a recorded look again. */
export const replayOf = (text: string, file: string, options: Parameters<typeof parseCurrent>[2]): Parsed<Source> => {
  const parsed = parseCurrent(text, file, options);
  return parsed.kind === "ok" ? { kind: "ok", value: replaySource(parsed.value) } : parsed;
};
