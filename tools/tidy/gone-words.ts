// Words that are gone, each with the word of the field in its place: what the tidy test looks for, and the table of docs/style.md.

export type GoneWord = {
  readonly gone: string;
  readonly now: string;
  readonly pattern: string;
};

export const GONE_WORDS: readonly GoneWord[] = [
  { gone: "wish", now: "desired entry, desired state", pattern: "[Ww]ish(?:es|ed)?" },
  { gone: "hindrance", now: "blocker", pattern: "[Hh]indrances?" },
  { gone: "pretended", now: "simulated", pattern: "[Pp]retend(?:s|ed)?" },
  { gone: "rearm", now: "unlock", pattern: "[Rr]earm(?:s|ed)?" },
  { gone: "latch", now: "read-only", pattern: "[Ll]atch(?:es|ed)?" },
  { gone: "standing", now: "status", pattern: "[Ss]tandings?" },
  {
    gone: "a look, the look",
    now: "observation",
    pattern: "(?:[Aa]|[Tt]he|[Oo]ne|[Ll]ive|[Ff]resh|[Pp]artial|[Cc]omplete) looks?(?! like| at the| alike)",
  },
];
