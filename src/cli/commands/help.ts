// The help texts, made from the same tables that parse the arguments.

import { commandsOf } from "../arguments/find-command.ts";
import { COMMANDS, GROUPS } from "../catalogue.ts";
import { COMMON_OPTIONS, positionalText, type Usage } from "../command.ts";
import { EXIT_CODES } from "../exit-codes.ts";

const rows = (pairs: readonly (readonly [string, string])[]): readonly string[] => {
  const width = Math.max(...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
};

export const overview = (): readonly string[] => [
  "dedalus: plans changes to virtual machines, refuses what it cannot prove, and says why",
  "",
  "Usage: dedalus COMMAND [OPTIONS]",
  "",
  ...rows([
    ...COMMANDS.filter(({ name }) => !name.includes(" ")).map(({ name, summary }) => [name, summary] as const),
    ...Object.entries(GROUPS).map(([group, about]) => [`${group} …`, about] as const),
    ["help [COMMAND]", "this text, or the help of one command"],
    ["version", "the version of dedalus and of its Node"],
  ]),
  "",
  "Every command has --json and --help. Exit codes:",
  ...rows(Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning] as const)),
  "",
  "Example: dedalus plan --desired desired.yaml --replay current.json",
];

export const groupOverview = (group: string): readonly string[] => [
  `dedalus ${group}: ${GROUPS[group]}`,
  "",
  `Usage: dedalus ${group} COMMAND [OPTIONS]`,
  "",
  ...rows(commandsOf(group).map(({ name, summary }) => [name.slice(group.length + 1), summary] as const)),
  "",
  "Example:",
  ...commandsOf(group).flatMap(({ example }) => example.slice(0, 1).map((line) => `  ${line}`)),
];

export const usageOf = ({ example, name, options, positionals, summary }: Usage): readonly string[] => [
  `dedalus ${name}: ${summary}`,
  "",
  ["Usage: dedalus", name, ...positionals.map(positionalText), "[OPTIONS]"].join(" "),
  "",
  ...rows([
    ...positionals.map((one) => [one.name, one.help] as const),
    ...[...options, ...COMMON_OPTIONS].map(
      (one) =>
        [
          `--${one.name}${one.value === undefined ? "" : ` ${one.value}`}`,
          `${one.help}${one.required ? " (required)" : ""}`,
        ] as const,
    ),
  ]),
  "",
  "Example:",
  ...example.map((line) => `  ${line}`),
];
