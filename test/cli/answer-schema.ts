// What was printed with --json, held against the published schema of what its command answers. Every command that a
// test runs at a desk is checked by this, whatever else the test is about.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { findCommand } from "../../src/cli/catalogue/find-command.ts";
import { ANSWER_NAMES, type AnswerName } from "../../src/service/json/answer-names.ts";

const FOLDER = new URL("../../schemas/", import.meta.url);
const ID = "https://schemas.dedalus.example/v1/answer.schema.json";

// Each part is compiled once and called, and not copied to wherever it stands.
const ajv = new Ajv2020({ inlineRefs: false, strictTypes: false });
for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".schema.json")))
  ajv.addSchema(JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")));

/** What is wrong with the value; undefined when it fits. */
export const misfitOf = (answer: AnswerName | "errorAnswer", value: unknown): string | undefined => {
  const fits = ajv.getSchema(`${ID}#/$defs/${answer}`) ?? assert.fail(`no schema is called ${answer}`);
  return fits(value) ? undefined : ajv.errorsText(fits.errors, { dataVar: answer });
};

/** What the words ask for; undefined where there is no such command. */
export const answerNamed = (argv: readonly string[]): AnswerName | undefined => {
  const words = argv.filter((word) => word !== "--json");
  if (words.some((word) => word === "help" || word === "--help" || word === "-h")) return "help";
  if (words[0] === "version" || words[0] === "--version") return "version";
  const found = findCommand(words);
  return found.kind === "command" ? found.entry.answer : undefined;
};

/** The domains of errors, and the exit codes that each may end with; 5 and 8 say more than the domain does. */
const EXITS: Readonly<Record<string, readonly number[]>> = {
  input: [2, 5, 8],
  internal: [1, 5],
  interrupted: [5, 130],
  kernel: [3, 5, 8],
  transport: [5, 8],
  validation: [5, 6, 7],
};

export const isErrorValue = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "error" in value;

type Planned = {
  readonly counts?: { readonly awaitingRestart: number; readonly differ: number; readonly refused: number };
  readonly unanswered?: object;
  readonly verdict?: { readonly kind: string };
};

/**
 * 3 only where something was refused; a plan or a drift with 0 refuses nothing, one with 4 has steps, or refuses
 * nothing and waits for a restart.
 */
const assertExit = (shown: string, code: number, answer: AnswerName | undefined, value: unknown): void => {
  const isRefusing = (JSON.stringify(value).match(/"rule":"/) ?? []).length > 0;
  if (code === 3) assert.ok(isRefusing, `${shown}nothing is refused`);
  const { counts, unanswered, verdict } = value as Planned;
  const judges = answer === "planned" || answer === "drift" || answer === "audit";
  if (!judges || counts === undefined || unanswered !== undefined) return;
  const { awaitingRestart, differ, refused } = counts;
  const expected = verdict?.kind === "refused" ? 3 : differ > 0 ? 4 : refused > 0 ? 3 : awaitingRestart > 0 ? 4 : 0;
  assert.equal(code, expected, `${shown}${JSON.stringify(counts)}`);
};

/** One value, which fits; or of what has no end one a line. */
export const assertAnswer = (argv: readonly string[], code: number, out: string): void => {
  const shown = `${argv.join(" ")} (exit ${code}): `;
  const answer = answerNamed(argv);
  const isEndless = answer === "simulation" || argv.includes("--follow");
  const lines = isEndless && code !== 2 ? out.split("\n").filter((line) => line !== "") : [out];
  for (const line of lines) {
    const value: unknown = JSON.parse(line);
    const misfit =
      answer === undefined || (isErrorValue(value) && misfitOf("errorAnswer", value) === undefined)
        ? misfitOf("errorAnswer", value)
        : misfitOf(answer, value);
    assert.equal(misfit, undefined, `${shown}${misfit}\n${line.slice(0, 2_000)}`);
    assertExit(shown, code, answer, value);
    if (!isErrorValue(value)) continue;
    const { domain } = (value as { readonly error: { readonly domain: string } }).error;
    assert.ok(EXITS[domain]?.includes(code), `${shown}an error of ${domain}`);
  }
};

assert.equal(new Set(ANSWER_NAMES).size, ANSWER_NAMES.length);
