// The tables inside documents that people write: each stands between `<!-- generated: NAME -->` and `<!-- end of NAME
// -->` and is made from the table that the code reads. Every part has a place, and every place a part.

import { clauseLines } from "./agent-clauses.ts";
import { agreementLines } from "./agreement.ts";
import { commandLines } from "./commands.ts";
import { exitCodeLines } from "./exit-codes.ts";
import { exampleLines } from "./good-examples.ts";
import { httpRouteLines } from "./http-routes.ts";
import { roleLines } from "./roles.ts";
import { statusLines } from "./statuses.ts";
import { logEventLines, metricLines } from "./telemetry.ts";
import { wordLines } from "./word-pairs.ts";

const PARTS: Readonly<Record<string, () => readonly string[]>> = {
  "agent-clauses": clauseLines,
  agreement: agreementLines,
  commands: commandLines,
  examples: exampleLines,
  "exit-codes": exitCodeLines,
  "http-routes": httpRouteLines,
  "http-statuses": statusLines,
  "log-events": logEventLines,
  metrics: metricLines,
  roles: roleLines,
  words: wordLines,
};

const PLACE = /^(<!-- generated: ([a-z-]+) -->\n)[\s\S]*?^(<!-- end of \2 -->)$/gm;

/** The documents that have a place, each as it should read. */
export const documentsWithParts = (
  files: ReadonlyMap<string, string>,
  parts: typeof PARTS = PARTS,
): Readonly<Record<string, string>> => {
  const placed = new Set<string>();
  const texts = [...files].filter(([path, text]) => path.endsWith(".md") && text.search(PLACE) >= 0);
  const written = texts.map(([path, text]) => {
    const full = text.replace(PLACE, (_, begin: string, name: string, end: string) => {
      const lines = parts[name];
      if (lines === undefined) throw new Error(`${path}: nothing is called ${name}`);
      placed.add(name);
      return `${begin}\n${lines().join("\n")}\n\n${end}`;
    });
    return [path, full] as const;
  });
  const missing = Object.keys(parts).filter((name) => !placed.has(name));
  if (missing.length > 0) throw new Error(`no document has a place for ${missing.join(", ")}`);
  return Object.fromEntries(written);
};
