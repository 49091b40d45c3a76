// The help texts, made from the same tables that parse the arguments.

import { COMMANDS, GROUPS } from "../catalogue/catalogue.ts";
import { commandsOf } from "../catalogue/find-command.ts";
import {
  COMMAND_GROUPS,
  type CommandGroup,
  offeredOptions,
  positionalText,
  sentenceOf,
  type Usage,
} from "../command.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { columns } from "../views/columns.ts";
import { command } from "../views/marks.ts";
import { SIGNS } from "../views/signs.ts";
import type { TextStyle } from "../views/text-style.ts";
import { wrap } from "../views/wrap.ts";

type Row = readonly [string, string];

const rows = (pairs: readonly Row[]): readonly string[] => columns(pairs.map(([left, right]) => [`  ${left}`, right]));

/** For whom it is laid out; nobody where the help is data. */
type Layout = Pick<TextStyle, "width"> | undefined;

/** Sentences begin at the margin on every line of them. */
const prose = (text: string, layout: Layout): readonly string[] =>
  layout?.width === undefined ? [text] : wrap(text, layout.width, 0);

/** A line to paste is never broken. */
const pasted = (lines: readonly string[], layout: Layout): readonly string[] =>
  lines.map((line) => `  ${layout === undefined ? line : command(line)}`);

/** The day that most readers have: what a page of help is opened for. */
const EXAMPLES = [
  "dedalus drift",
  "dedalus plan",
  "dedalus apply",
  "dedalus start web-01",
  "dedalus explain latest --vm web-01",
] as const;

export const overview = (layout?: Layout): readonly string[] => {
  const groups = Object.entries(COMMAND_GROUPS) as readonly [CommandGroup, string][];
  const width = Math.max(...groups.flatMap(([group]) => rowsOf(group)).map(([left]) => left.length));
  return [
    ...prose("Plans changes to virtual machines, refuses what it cannot prove, and says why.", layout),
    "",
    "Usage: dedalus COMMAND [OPTIONS]",
    ...groups.flatMap(([group, about]) => [
      "",
      `${group.charAt(0).toUpperCase()}${group.slice(1)}: ${about}`,
      ...rows(rowsOf(group).map(([left, right]) => [left.padEnd(width), right])),
    ]),
    "",
    "Every command has --json, --verbose and --help.",
    "",
    "Signs:",
    ...rows(Object.values(SIGNS).map(({ means, sign }) => [sign.padEnd(SIGN_WIDTH), means])),
    "",
    "Exit codes:",
    ...rows(Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning])),
    "",
    "Examples:",
    ...pasted(EXAMPLES, layout),
  ];
};

/** Commands below a first word are in its own overview. */
const rowsOf = (group: CommandGroup): readonly Row[] => [
  ...COMMANDS.filter((one) => one.group === group && familyOf(one) === undefined).map(
    ({ name, summary }): Row => [name, summary],
  ),
  ...Object.entries(GROUPS)
    .filter(([first]) => COMMANDS.some((one) => one.group === group && familyOf(one) === first))
    .map(([first, about]): Row => [`${first} …`, about]),
  ...(group === "setup" ? OWN : []),
];

const EXAMPLES_MAX = 4;
/** As wide as the exit codes below them. */
const SIGN_WIDTH = 3;

const OWN: readonly Row[] = [
  ["help [COMMAND]", "this text, or the help of one command"],
  ["version", "the version of dedalus and of its Node; also --version, -v"],
];

const familyOf = ({ name }: Usage): string | undefined =>
  Object.keys(GROUPS).find((first) => name.startsWith(`${first} `));

export const groupOverview = (group: string, layout?: Layout): readonly string[] => [
  `Usage: dedalus ${group} COMMAND [OPTIONS]`,
  "",
  `${group.charAt(0).toUpperCase()}${group.slice(1)}: ${GROUPS[group]}`,
  ...rows(commandsOf(group).map(({ name, summary }) => [name.slice(group.length + 1), summary])),
  "",
  "Examples:",
  ...pasted(
    commandsOf(group)
      .slice(0, EXAMPLES_MAX)
      .flatMap(({ example }) => example.slice(0, 1)),
    layout,
  ),
];

export const usageOf = (
  { example, more, name, options, place, positionals, summary }: Usage,
  layout?: Layout,
): readonly string[] => [
  ...prose(sentenceOf(summary), layout),
  ...(more === undefined ? [] : prose(more, layout)),
  "",
  ["Usage: dedalus", name, ...positionals.map(positionalText), "[OPTIONS]"].join(" "),
  "",
  ...rows([
    ...positionals.map((one): Row => [one.name, one.help]),
    ...offeredOptions({ options, place }).map(
      (one): Row => [
        `--${one.name}${one.value === undefined ? "" : ` ${one.value}`}`,
        `${one.help}${one.required ? " (required)" : ""}`,
      ],
    ),
  ]),
  "",
  example.length === 1 ? "Example:" : "Examples:",
  ...pasted(example, layout),
];
