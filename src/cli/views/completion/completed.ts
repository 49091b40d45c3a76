// What a completion script is made from: the commands, what each option takes, and what stands where a word is
// expected.

/** What the command itself is asked for, because only it knows: it reads, and says nothing where it cannot. */
export const LOOKED_UP = ["environments", "plans", "vms"] as const;
export type LookedUp = (typeof LOOKED_UP)[number];

/** The hidden command that answers: `dedalus __complete vms WORDS…`, with the words that stand there so far. */
export const LOOKUP_COMMAND = "__complete";

export type Takes =
  | { readonly kind: LookedUp | "anything" | "files" | "folders" | "nothing" }
  | { readonly kind: "words"; readonly words: readonly string[] };

/** How one shell offers each kind. */
export type Offers = {
  readonly [K in Takes["kind"]]: (takes: Extract<Takes, { readonly kind: K }>) => string;
};
export const offering =
  (offers: Offers) =>
  (takes: Takes): string =>
    (offers[takes.kind] as (takes: Takes) => string)(takes);

export type CompletedOption = { readonly help: string; readonly name: string; readonly takes: Takes };
export type Completed = {
  readonly name: string;
  readonly options: readonly CompletedOption[];
  /** What its words are; where there are several, the first of them. */
  readonly positional: Takes;
  readonly summary: string;
};

export type FirstWord = { readonly help: string; readonly word: string };

/** The words that may come first: commands of one word, and groups. */
export type CompletedProgram = { readonly commands: readonly Completed[]; readonly first: readonly FirstWord[] };

/** The commands that have two words. */
export const namesOfTwo = ({ commands }: CompletedProgram): readonly string[] =>
  commands.map(({ name }) => name).filter((name) => name.includes(" "));

/** Second words by the first one. */
export const secondsOf = ({ commands }: CompletedProgram): ReadonlyMap<string, readonly FirstWord[]> => {
  const seconds = new Map<string, readonly FirstWord[]>();
  for (const { name, summary } of commands) {
    const [first = "", second] = name.split(" ");
    if (second !== undefined) seconds.set(first, [...(seconds.get(first) ?? []), { help: summary, word: second }]);
  }
  return seconds;
};
