// No English where facts are made: what is hashed, recorded, compared or told is a code, a number or what somebody
// said, and its words are in the catalogue.
//
// Every text of the rooms that decide, remember, read, touch and serve is looked at, wherever it ends up: a sentence
// that is no fact today is one tomorrow. Left out: words themselves, what only a programmer reads (an exception, an
// assertion), the rules' own sentences, and rooms whose job is text (cli/, and simulator/, which speaks as Proxmox VE
// does). Of cli/ the facts are looked at: --json prints them.

import { type Finding, findingAt, type Source } from "./finding.ts";

const ROOMS = /^src\/(?:adapters|formats|kernel|ledger|service|spine)\//;
/** Sentences by their job, each file with its reason. */
const SPOKEN: readonly RegExp[] = [
  /^src\/adapters\/[a-z]+\/words\.ts$/, // what only one adapter finds
  /^src\/spine\/rules\/invariants\.ts$/, // the rules, which no hash covers
  /^src\/adapters\/[a-z]+\/beginning\.ts$/, // a section of a file for people, with its comments
  /^src\/formats\/desired-draft\.ts$/, // a file for people, with its comments
  /^src\/adapters\/proxmox\/examine\/(?:grants|no-access)\.ts$/, // commands to copy, with comments of a shell
];

/** A room of texts, whose facts are facts nevertheless. */
const WITH_FACTS = /^src\/cli\//;
const FACTS = /\bfacts\s*(?::|=)\s*\{/g;
/** Files of words: a table says them, which can be reworded, and never a function. */
const TABLED = /^src\/spine\/words\//;
const DECLARED = /^(?:export )?(?:async )?(?:const|function|type) ([A-Za-z_]+)/gm;
const isInTable = (bare: string, at: number): boolean => {
  const before = Array.from(bare.slice(0, at).matchAll(DECLARED)).at(-1)?.[1] ?? "";
  return /^[A-Z_]+$/.test(before);
};

/** Texts of others, or of formats that are fixed, which merely look like English. */
const DATA: readonly string[] = [
  "Connection terminated unexpectedly", // said by the driver pg (client.js)
  "timeout expired", // said by the driver pg (client.js)
  "a saved state of dedalus", // signed with every saved state
  "dedalus ledger", // how a server lists our connections
];

const TEXTS = /"( *)"|[`}]([ \n]*)(?=`|\$\{)/g;
/** A language with words of its own. */
const SQL = /^\s*(?:BEGIN|CREATE|DELETE|DO|INSERT|PRAGMA|SELECT|SET|UPDATE|WITH) /;
const SENTENCE = /(?:^|[^A-Za-z0-9_.'$-])[a-z]{2,} [a-z]{2,}(?:$|[^A-Za-z0-9_(.'$-])/;
const SMALL_WORD = /(?:^|\s)(?:a|an|and|at|by|for|in|is|no|not|of|on|or|the|to|with)(?:\s|$)/;
/** Before the text, in the same statement: whoever reads it mends the program. */
const FOR_PROGRAMMERS = /(?:\b\w*Error|\bsuper|\bassert\w*(?:\.\w+)?|\bSymbol)\([^;]*$/;
const BEFORE_MAX = 200;

export const english = (source: Source): readonly Finding[] => {
  const { bare, code, file } = source;
  const isLookedAt = lookAt(file, bare);
  if (isLookedAt === undefined || SPOKEN.some((one) => one.test(file))) return [];
  return Array.from(bare.matchAll(TEXTS)).flatMap((found) => {
    const text = code.slice(found.index + 1, found.index + 1 + (found[1] ?? found[2] ?? "").length);
    if (!isEnglish(text) || DATA.includes(text) || !isLookedAt(found.index)) return [];
    if (FOR_PROGRAMMERS.test(bare.slice(Math.max(0, found.index - BEFORE_MAX), found.index))) return [];
    return [findingAt("G3", source, found.index, `says ${JSON.stringify(text)} in English`, INSTEAD)];
  });
};

/** Which places of a file are looked at; undefined: none. */
const lookAt = (file: string, bare: string): ((at: number) => boolean) | undefined => {
  if (TABLED.test(file)) return (at) => !isInTable(bare, at);
  if (ROOMS.test(file)) return () => true;
  if (!WITH_FACTS.test(file)) return undefined;
  const facts = Array.from(bare.matchAll(FACTS), ({ 0: { length }, index }) => {
    const from = index + length;
    return { from, to: endOfBraces(bare, from) };
  });
  return (at) => facts.some(({ from, to }) => from <= at && at < to);
};

/** Texts are blanked, so that every brace is one of the code. */
const endOfBraces = (bare: string, from: number): number => {
  let depth = 1;
  let at = from;
  for (; at < bare.length && depth > 0; at += 1) {
    if (bare[at] === "{") depth += 1;
    else if (bare[at] === "}") depth -= 1;
  }
  return at;
};

const INSTEAD = "Make it a code with facts, and write its words in src/spine/words/.";
const isEnglish = (text: string): boolean =>
  /\S/.test(text) && /\s/.test(text) && !SQL.test(text) && (SENTENCE.test(text) || SMALL_WORD.test(text));
