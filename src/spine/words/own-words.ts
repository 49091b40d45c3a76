// What this program says, as it is recorded. Worked out when this is loaded, so that only what records loads it:
// whoever only reads is spared the time.

import { type RecordedWords, recordedWords } from "./recorded-words.ts";
import { CATALOGUE } from "./words-catalogue.ts";

export const OWN_WORDS: RecordedWords = recordedWords(CATALOGUE);
