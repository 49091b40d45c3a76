// Writes the history of the present version of the rules: test/histories/N, its records as lines and its blobs by digest.
//
// Only while that version is not released: afterwards its history stands for ever, and another version gets its own.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { RULES_VERSION } from "../src/spine/rules/rules-version.ts";
import { tellHistory } from "./histories/tell-history.ts";

const UNRELEASED = 1;

const folder = new URL(`../test/histories/${RULES_VERSION}/`, import.meta.url);

if (RULES_VERSION > UNRELEASED) {
  process.stderr.write(
    `rules ${RULES_VERSION} have a history that stands; see docs/decisions on how a rule is changed\n`,
  );
  process.exitCode = 1;
} else {
  const { blobs, lines } = tellHistory();
  rmSync(folder, { force: true, recursive: true });
  mkdirSync(new URL("blobs/", folder), { recursive: true });
  writeFileSync(new URL("records.jsonl", folder), lines.map((line) => `${line}\n`).join(""));
  for (const [digest, text] of blobs) writeFileSync(new URL(`blobs/${digest}.txt`, folder), text);
  process.stdout.write(`rules ${RULES_VERSION}: ${lines.length} records, ${blobs.size} blobs\n`);
}
