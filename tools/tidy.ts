// findings(): what is untidy in a set of sources, as values; a clean tree gives an empty list.
//
// Pure: texts in, findings out, so that a test can plant an offence and its neighbour. Rules that any linter knows are
// left to the linter (biome.json); these checks know the rooms and the rules of this repository.

import { banned } from "./tidy/bans.ts";
import { circles } from "./tidy/cycles.ts";
import { english } from "./tidy/english.ts";
import { sharedNames } from "./tidy/exports.ts";
import { sharedFileNames } from "./tidy/file-names.ts";
import { type Finding, sourceOf } from "./tidy/finding.ts";
import { habits } from "./tidy/habits.ts";
import { strayNames } from "./tidy/named-files.ts";
import { wrongArrows } from "./tidy/rooms.ts";
import { moduleState } from "./tidy/state.ts";
import { insiders } from "./tidy/strangers.ts";

const CHECKS = [wrongArrows, banned, moduleState, habits, english, insiders] as const;
/** What only all sources together show. */
const WHOLE = [circles, sharedFileNames, sharedNames, strayNames] as const;

export const findings = (files: ReadonlyMap<string, string>): readonly Finding[] => {
  const sources = Array.from(files, ([file, text]) => sourceOf(file, text));
  return [
    ...sources.flatMap((source) => CHECKS.flatMap((check) => check(source))),
    ...WHOLE.flatMap((check) => check(sources)),
  ];
};

export const findingText = ({ file, instead, line, rule, what }: Finding): string =>
  `${file}:${line} ${what} (${rule}). ${instead}`;
