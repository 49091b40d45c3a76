// parseJson(): the value of a JSON text, or every flaw of the text with its line and column.
//
// Stricter than JSON.parse: a key written twice, half a surrogate pair and bottomless nesting are flaws, because each
// would let one text mean two things. So is an escape in a key: once V8 13.6 has parsed {"a":1,"\\":1}, it reads the
// second key of {"a":1,"\u0022":1} as that one. A byte order mark is skipped, as RFC 8259 allows. Keeps P7-F1.
// Not here: what a format asks of the value (one file per format).

import { refuse } from "../../spine/rules/refusals.ts";
import { type Parsed, problem, wholeFile } from "../problem.ts";
import { mayRepeatKey } from "./json-members.ts";
import { flawProblems, isSome, withoutMark } from "./json-position.ts";
import { type JsonFlaw, scan } from "./json-scan.ts";

/** The longest text the platform can hold is about as long. */
const JSON_BYTES_MAX = 512 * 1024 * 1024;
const BYTES_PER_UNIT_MAX = 3;

export const parseJson = (text: string, file: string, bytesMax = JSON_BYTES_MAX): Parsed<unknown> => {
  const top = wholeFile(file);
  if (text.length * BYTES_PER_UNIT_MAX > bytesMax && Buffer.byteLength(text) > bytesMax) {
    return { kind: "bad", problems: [problem("file-too-large", top, { cause: "larger", facts: { max: bytesMax } })] };
  }
  const body = withoutMark(text);
  if (body.trim() === "") return { kind: "bad", problems: [problem("file-empty", top, { cause: "nothing" })] };
  const value = parsed(body);
  if (value !== undefined && !isDoubtful(body, value)) return { kind: "ok", value };
  const flaws = scan(body, ignore);
  if (isSome(flaws)) return { kind: "bad", problems: flawProblems(text, file, flaws) };
  return value === undefined
    ? { kind: "bad", problems: flawProblems(text, file, [UNEXPLAINED]) }
    : { kind: "ok", value };
};

/** JSON has no undefined, so it is free to mean "not JSON". */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Never false for a text with a flaw; a doubt that is unfounded only costs the exact scan. */
const isDoubtful = (text: string, value: unknown): boolean =>
  mayRepeatKey(text, value) || !text.isWellFormed() || text.includes("\\ud") || text.includes("\\uD");

/** JSON.parse decides; should the exact scan ever see no flaw where JSON.parse does, the text is still turned away. */
const UNEXPLAINED: JsonFlaw = { at: 0, field: "", refusal: refuse("text-malformed", { cause: "not-json" }) };

const ignore = (): void => undefined;
