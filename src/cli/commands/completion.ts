// dedalus completion: a script that completes commands, options and their values in a shell, made from the catalogue.

import { TOKEN_ROLES } from "../../kernel/command/roles.ts";
import { actionText } from "../../spine/rules/action-text.ts";
import { ACTIONS } from "../../spine/rules/actions.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { CommandEntry } from "../catalogue/command-words.ts";
import { type CommandRun, type OptionSpec, offeredOptions } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { bashScript } from "../views/completion/bash.ts";
import type { Completed, CompletedProgram, FirstWord, Takes } from "../views/completion/completed.ts";
import { fishScript } from "../views/completion/fish.ts";
import { zshScript } from "../views/completion/zsh.ts";

const SHELLS = { bash: bashScript, fish: fishScript, zsh: zshScript } as const;
const isShell = (word: string): word is keyof typeof SHELLS => Object.hasOwn(SHELLS, word);

/** Handed in by the catalogue, which loads this. */
type CommandCatalogue = {
  readonly commands: readonly CommandEntry[];
  readonly groups: Readonly<Record<string, string>>;
};

export const completionOf =
  (catalogue: CommandCatalogue): CommandRun =>
  async ({ positionals: [shell = ""] }) => {
    if (!isShell(shell)) {
      const facts = { argument: "SHELL", found: shell, known: Object.keys(SHELLS) };
      return badInput([refuse("usage", { cause: "not-one-of", facts })]);
    }
    const lines = SHELLS[shell](programOf(catalogue));
    return { exit: "done", isVerbatim: true, json: { script: `${lines.join("\n")}\n`, shell }, text: () => lines };
  };

/** By the name of a value in the help text. */
const VALUES: Readonly<Record<string, Takes>> = {
  ACTION: { kind: "words", words: Object.keys(ACTIONS).map(actionText) },
  DIR: { kind: "folders" },
  FILE: { kind: "files" },
  FOLDER: { kind: "folders" },
  PLAN: { kind: "plans" },
  ROLE: { kind: "words", words: TOKEN_ROLES },
  SHELL: { kind: "words", words: Object.keys(SHELLS) },
  VM: { kind: "vms" },
  VMS: { kind: "vms" },
};

const ANYTHING: Takes = { kind: "anything" };

const takenBy = ({ name, value }: OptionSpec): Takes => {
  if (value === undefined) return { kind: "nothing" };
  return name === "env" ? { kind: "environments" } : (VALUES[value] ?? ANYTHING);
};

const programOf = ({ commands: entries, groups }: CommandCatalogue): CompletedProgram => {
  const commands = entries.map(
    ({ name, options, place, positionals: [first], summary }): Completed => ({
      name,
      options: offeredOptions({ options, place }).map((option) => ({
        help: option.help,
        name: option.name,
        takes: takenBy(option),
      })),
      positional: first === undefined ? { kind: "nothing" } : (VALUES[first.name] ?? ANYTHING),
      summary,
    }),
  );
  const first: readonly FirstWord[] = [
    ...commands.filter(({ name }) => !name.includes(" ")).map(({ name, summary }) => ({ help: summary, word: name })),
    ...Object.entries(groups).map(([word, help]) => ({ help, word })),
    { help: "the help of one command", word: "help" },
    { help: "the version of dedalus", word: "version" },
  ];
  return { commands, first };
};
