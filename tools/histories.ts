// Writes the history of the present version of the rules: test/histories/N, its records as lines, its blobs by digest,
// and the kinds of records that are in it.
//
// Only while that version is not released: afterwards its history stands for ever, and another version gets its own.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ACT_KINDS } from "../src/kernel/command/record-kinds.ts";
import { RULES_VERSION } from "../src/spine/rules/rules-version.ts";
import { historyOf, isHistoryFixed } from "./histories/released.ts";
import { tellHistory } from "./histories/tell-history.ts";
import { ROOT } from "./sources.ts";

const folder = historyOf(ROOT, RULES_VERSION);

if (isHistoryFixed(ROOT, RULES_VERSION)) {
  process.stderr.write(
    `rules ${RULES_VERSION} are released and their history stands; see docs/decisions/0009 on how a rule is changed\n`,
  );
  process.exitCode = 1;
} else {
  const { blobs, lines } = tellHistory();
  rmSync(folder, { force: true, recursive: true });
  mkdirSync(join(folder, "blobs"), { recursive: true });
  writeFileSync(join(folder, "records.jsonl"), lines.map((line) => `${line}\n`).join(""));
  writeFileSync(join(folder, "kinds.json"), `${JSON.stringify(ACT_KINDS.toSorted(), undefined, 2)}\n`);
  for (const [digest, text] of blobs) writeFileSync(join(folder, "blobs", `${digest}.txt`), text);
  process.stdout.write(`rules ${RULES_VERSION}: ${lines.length} records, ${blobs.size} blobs\n`);
}
