// Words that are gone, each with the word of the field in its place: what the tidy test looks for, and the table of
// docs/style.md.
//
// `everywhere` is searched in sources too; `texts` only where somebody reads it who uses Dedalus, because the code may
// need the word.

export type GoneWord = {
  readonly gone: string;
  readonly now: string;
  readonly pattern: string;
  readonly where: "everywhere" | "texts";
};

export const GONE_WORDS: readonly GoneWord[] = [
  { gone: "wish", now: "desired entry, desired state", pattern: "[Ww]ish(?:es|ed)?", where: "everywhere" },
  { gone: "hindrance", now: "blocker", pattern: "[Hh]indrances?", where: "everywhere" },
  { gone: "pretended", now: "simulated", pattern: "[Pp]retend(?:s|ed)?", where: "everywhere" },
  { gone: "rearm", now: "unlock", pattern: "[Rr]earm(?:s|ed)?", where: "everywhere" },
  { gone: "latch", now: "read-only", pattern: "[Ll]atch(?:es|ed)?", where: "everywhere" },
  { gone: "standing", now: "status", pattern: "[Ss]tandings?", where: "everywhere" },
  {
    gone: "a look, the look",
    now: "observation",
    pattern: "(?:[Aa]|[Tt]he|[Oo]ne|[Ll]ive|[Ff]resh|[Pp]artial|[Cc]omplete) looks?(?! like| at the| alike)",
    where: "everywhere",
  },
  {
    gone: "… when not said, unless said",
    now: "default: …",
    pattern: "when (?:it is )?not said|unless (?:it is )?said",
    where: "texts",
  },
  { gone: "wanted", now: "desired", pattern: "(?<![-{])[Ww]anted", where: "texts" },
  {
    gone: "take back, taken back",
    now: "withdraw, undo",
    pattern: "(?:[Tt]ak(?:e|es|en|ing)|[Tt]ook) back",
    where: "texts",
  },
  {
    gone: "local door, door of agents",
    now: "the ledger's own files, over MCP",
    pattern: "local door|[Dd]oors? of agents",
    where: "texts",
  },
  { gone: "wears a number", now: "a number belongs to", pattern: "wears?", where: "texts" },
];
