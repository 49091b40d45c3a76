// Why the system did not give or take a file, as a closed cause: its own code where we have words for it.

import { FILE_WORDS } from "../../spine/words/causes/system-words.ts";

export type FileCause = keyof typeof FILE_WORDS;

const isFileCause = (code: unknown): code is FileCause => typeof code === "string" && Object.hasOwn(FILE_WORDS, code);

export const fileCause = (error: unknown): FileCause => {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return isFileCause(code) ? code : "other";
};
