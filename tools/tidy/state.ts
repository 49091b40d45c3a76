// Module state that can change: a second request would be judged on what the first one left behind.
//
// Found are let and var of a module, collections that a module keeps open, constants that the file itself alters, and
// patterns that remember where they stopped. Looked for in the spine, the kernel and the views.

import type { RuleId } from "../../src/spine/rules/invariants.ts";
import { VIEWS } from "./bans.ts";
import { type Finding, findingAt, type Source } from "./finding.ts";

const INSTEAD = "Pass the value on as an argument, or build it where it is used; a constant of a module never changes.";

export const moduleState = (source: Source): readonly Finding[] => {
  const rule = ruleFor(source.file);
  if (rule === undefined) return [];
  return declarations(source.bare).flatMap((declared) => {
    const why = changes(declared, source.bare);
    return why === undefined ? [] : [findingAt(rule, source, declared.at, `${declared.name} ${why}`, INSTEAD)];
  });
};

const ruleFor = (file: string): RuleId | undefined => {
  if (VIEWS.test(file)) return "P7-D1";
  return /^src\/(?:spine|kernel)\//.test(file) ? "P7-D2" : undefined;
};

type Declared = { readonly at: number; readonly name: string; readonly word: string; readonly rest: string };

const DECLARATION = /(?<=^|[;}\n])[ \t]*(?:export\s+)?(const|let|var)\s+([\w$]+)([^\n]*(?:\n\s[^\n]*)?)/g;

const declarations = (bare: string): readonly Declared[] => {
  const depths = depthsOf(bare);
  return Array.from(bare.matchAll(DECLARATION))
    .filter(({ index }) => depths[index] === 0)
    .map(({ 1: word = "", 2: name = "", 3: rest = "", index }) => ({
      at: index + 1,
      name,
      rest,
      word,
    }));
};

/** How many brackets are open before each position. */
const depthsOf = (bare: string): Int32Array => {
  const depths = new Int32Array(bare.length + 1);
  for (let at = 0; at < bare.length; at += 1) {
    const opens = "([{".includes(bare[at] as string) ? 1 : 0;
    const closes = ")]}".includes(bare[at] as string) ? 1 : 0;
    depths[at + 1] = (depths[at] as number) + opens - closes;
  }
  return depths;
};

const OPEN_COLLECTION =
  /^(?:\s*:(?!\s*Readonly)[^=]*)?\s*=\s*(?:new\s+(?:Map|Set|WeakMap|WeakSet|Array)\b|\[\s*\]\s*;|\{\s*\}\s*;)/;
const REMEMBERING_PATTERN = /^[^=]*=\s*\/[^/]*\/[a-z]*[gy]/;

const changes = ({ name, rest, word }: Declared, bare: string): string | undefined => {
  if (word !== "const") return `is declared with ${word} at the top of a module`;
  if (OPEN_COLLECTION.test(rest)) return "is a collection that stays open to change";
  if (REMEMBERING_PATTERN.test(rest)) return "is a pattern that remembers where it stopped";
  return alterations(name).test(bare) ? "is altered after it was made" : undefined;
};

const alterations = (name: string): RegExp => {
  const own = `(?<![\\w$.])${name.replaceAll("$", "\\$")}`;
  const verbs = "set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin";
  return new RegExp(
    `${own}\\.(?:${verbs})\\(|${own}(?:\\.[\\w$]+|\\[[^\\]\\n]*\\])+\\s*(?:[-+*/|&?]{0,2}=(?![=>])|\\+\\+|--)|\\bdelete\\s+${own}\\b|\\bObject\\.assign\\(\\s*${own}\\b`,
  );
};
