// What a command is: its words, and a function from arguments to an outcome.

import type { AnswerName } from "../service/json/answer-names.ts";
import type { Outcome } from "./outcome.ts";
import type { Io } from "./process/io.ts";

export type OptionSpec = {
  readonly name: string;
  /** The name of its value in the help text; absent for a flag. */
  readonly value?: string;
  readonly required?: true;
  /** Another option that serves in its place. */
  readonly orElse?: string;
  /** It may be given more than once, or once with commas between its values. */
  readonly many?: true;
  readonly help: string;
};
/** What the commands are for, in the order of a day; the overview lists them so. */
export const COMMAND_GROUPS = {
  observe: "see what is there, and what is going on",
  plan: "say what should be, and see what would change",
  decide: "approve, deny, or stop everything",
  apply: "change VMs, one confirmed step after another",
  ledger: "prove what was decided and done",
  setup: "configuration, tokens, and help",
} as const;
export type CommandGroup = keyof typeof COMMAND_GROUPS;

/**
 * Where a command asks. `both`: at a ledger or at a service, and it does not know which. The others ask no service, and
 * say why when one is named.
 */
export type CommandPlace = "both" | "files" | "ledger" | "machine" | "program";

export type Usage = {
  readonly group: CommandGroup;
  readonly name: string;
  /** What it prints with --json: a schema of schemas/answer.schema.json. */
  readonly answer: AnswerName;
  /** A few words, without a full stop: a line of the overview holds them. */
  readonly summary: string;
  /** What the summary has no room for, as sentences. */
  readonly more?: string;
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
  readonly place: CommandPlace;
};
/** As the first line of its help. */
export const sentenceOf = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;

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
  { help: "print hashes whole", name: "verbose" },
  {
    help: "ask this service (default: DEDALUS_SERVER; then a dedalus.yaml here; then ~/.config/dedalus/client.yaml)",
    name: "server",
    value: "URL",
  },
  { help: "show this help", name: "help" },
];

/** What its help and its completion offer: `--server` only where a service can be asked. */
export const offeredOptions = ({ options, place }: Pick<Usage, "options" | "place">): readonly OptionSpec[] => [
  ...options,
  ...COMMON_OPTIONS.filter(({ name }) => name !== "server" || place === "both"),
];
