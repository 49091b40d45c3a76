// What must hold of every problem and refusal, whatever it is about: a known code, a place in the text, and words that
// are safe to print.

import type { Problem } from "../../src/formats/problem.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { isRefusalCode, refusalRow } from "../../src/spine/rules/refusals.ts";
import { inWords } from "../../src/spine/words/refusals/refusal-words.ts";
import { SECRET } from "./corpus.ts";

/** Control characters, invisible ones and halves of pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}]/u;

export const unprintable = (where: string, texts: readonly string[]): readonly string[] =>
  texts.some((text) => UNPRINTABLE.test(text)) ? [`unprintable text in ${where}`] : [];

export const objectionsToRefusal = (refusal: Refusal): readonly string[] => {
  const { code, rule, stage } = refusal;
  if (!isRefusalCode(code)) return [`unknown code ${code}`];
  const { because, next } = inWords(refusal);
  const row = refusalRow(code);
  return [
    ...(row.rule === rule && row.stage === stage ? [] : [`${code} under another rule or stage than its row`]),
    ...(because === "" || next === "" ? [`${code} without words`] : []),
    ...unprintable(`a refusal ${code}`, [because, next]),
  ];
};

export const objectionsToProblems = (problems: readonly Problem[], text: string): readonly string[] => {
  if (problems.length === 0) return ["a bad parse without a problem"];
  const lines = text.split("\n");
  return [...outOfOrder(problems), ...problems.flatMap((problem) => objectionsToProblem(problem, lines))];
};

const objectionsToProblem = (problem: Problem, lines: readonly string[]): readonly string[] => {
  const { at, code } = problem;
  const { because, next } = inWords(problem);
  return [
    ...objectionsToRefusal(problem),
    ...unprintable(`the field of ${code}`, [at.field]),
    ...(isInside(at, lines) ? [] : [`${code} at a place outside of the text`]),
    ...([because, next, at.field].some((words) => words.includes(SECRET)) ? [`a secret shown by ${code}`] : []),
  ];
};

/** The end of a line, and the end of the last one, are places too. */
const isInside = ({ column, line }: Problem["at"], lines: readonly string[]): boolean => {
  const found = Number.isInteger(line) ? lines[line - 1] : undefined;
  return found !== undefined && Number.isInteger(column) && column >= 1 && column <= found.length + 1;
};

const outOfOrder = (problems: readonly Problem[]): readonly string[] => {
  const isAfter = ({ at }: Problem, before: Problem | undefined): boolean =>
    before === undefined || at.line > before.at.line || (at.line === before.at.line && at.column >= before.at.column);
  return problems.every((problem, index) => isAfter(problem, problems[index - 1])) ? [] : ["problems out of order"];
};
