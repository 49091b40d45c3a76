// What a command is: its words, and a function from arguments to an outcome.

import type { AnswerName } from "../service/json/answer-names.ts";
import type { Io } from "./io.ts";
import type { Outcome } from "./outcome.ts";

export type OptionSpec = {
  readonly name: string;
  /** The name of its value in the help text; absent for a flag. */
  readonly value?: string;
  readonly required?: true;
  readonly help: string;
};
export type Usage = {
  readonly name: string;
  /** What it prints with --json: a schema of schemas/answer.schema.json. */
  readonly answer: AnswerName;
  readonly summary: string;
  readonly positionals: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly help: string;
    /** One or more of them; only the last can be. */
    readonly many?: true;
  }[];
  readonly options: readonly OptionSpec[];
  readonly example: readonly string[];
  /** Commands that help to mend a broken contract run without it; every other one verifies it first. */
  readonly needsContract: boolean;
};
/** As a usage line writes it. */
export const positionalText = ({ many, name, required }: Usage["positionals"][number]): string => {
  const word = many === true ? `${name}…` : name;
  return required ? word : `[${word}]`;
};

export type Arguments = {
  readonly positionals: readonly string[];
  readonly text: ReadonlyMap<string, string>;
  readonly flags: ReadonlySet<string>;
};
export type CommandRun = (given: Arguments, io: Io) => Promise<Outcome>;

/** Understood by every command. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { help: "print one JSON value and nothing else", name: "json" },
  { help: "show this help", name: "help" },
];
