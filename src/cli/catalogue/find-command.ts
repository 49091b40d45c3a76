// Which command a command line means: the longest name that its first words spell.
//
// A group is a first word under which commands have a second one; it is found when no command is.

import { COMMANDS, GROUPS } from "./catalogue.ts";
import type { CommandEntry } from "./command-words.ts";

export type Found =
  | { readonly kind: "command"; readonly entry: CommandEntry; readonly rest: readonly string[] }
  /** `word` is what stands where the second word belongs. */
  | { readonly kind: "group"; readonly group: string; readonly word: string | undefined }
  | { readonly kind: "nothing"; readonly word: string | undefined };

const WORDS_MAX = 2;

export const findCommand = (words: readonly string[]): Found => {
  for (let count = WORDS_MAX; count > 0; count -= 1) {
    const name = words.slice(0, count).join(" ");
    const entry = words.length < count ? undefined : COMMANDS.find((one) => one.name === name);
    if (entry !== undefined) return { entry, kind: "command", rest: words.slice(count) };
  }
  const [first, second] = words;
  return first !== undefined && Object.hasOwn(GROUPS, first)
    ? { group: first, kind: "group", word: second }
    : { kind: "nothing", word: first };
};

export const commandsOf = (group: string): readonly CommandEntry[] =>
  COMMANDS.filter(({ name }) => name.startsWith(`${group} `));
