// What a completion script is made from: the commands, what each option takes, and what stands where a word is expected.

/** `environments` are read from dedalus.yaml by the shell itself, which takes a moment; starting Dedalus would take longer. */
export type Takes =
  | { readonly kind: "anything" | "environments" | "files" | "folders" | "nothing" }
  | { readonly kind: "words"; readonly words: readonly string[] };

export type CompletedOption = { readonly help: string; readonly name: string; readonly takes: Takes };
export type Completed = {
  readonly name: string;
  readonly options: readonly CompletedOption[];
  /** What its first word is; commands take one at most. */
  readonly positional: Takes;
  readonly summary: string;
};

export type FirstWord = { readonly help: string; readonly word: string };

/** The words that may come first: commands of one word, and groups. */
export type CompletedProgram = { readonly commands: readonly Completed[]; readonly first: readonly FirstWord[] };

/** Second words by the first one. */
export const secondsOf = ({ commands }: CompletedProgram): ReadonlyMap<string, readonly FirstWord[]> => {
  const seconds = new Map<string, readonly FirstWord[]>();
  for (const { name, summary } of commands) {
    const [first = "", second] = name.split(" ");
    if (second !== undefined) seconds.set(first, [...(seconds.get(first) ?? []), { help: summary, word: second }]);
  }
  return seconds;
};

/** The names below environments: in a dedalus.yaml that is indented by two, which is all a shell should judge. */
export const ENVIRONMENTS_SED = String.raw`/^environments:/,/^[^ #]/s/^  \([A-Za-z0-9][A-Za-z0-9._-]*\):.*/\1/p`;
