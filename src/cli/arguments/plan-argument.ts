// What names a plan on a command line: a recorded one, or a file.

import { existsSync } from "node:fs";
import { isUlid } from "../../ledger/record/ulid.ts";
import { isPlanWord } from "../../service/read/plan-word.ts";
import { pathIn } from "../files/files.ts";

/** A whole id is one whatever the folder holds; a shorter word is a file where there is one of that name. */
export const isRecordedPlan = (word: string, folder: string): boolean =>
  isUlid(word.toUpperCase()) || (isPlanWord(word) && !existsSync(pathIn(folder, word)));
