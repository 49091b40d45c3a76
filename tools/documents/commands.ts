// The table of every command in the groups of the help, from the catalogue that parses their arguments. Options are
// left to
// `dedalus help COMMAND`.

import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { COMMAND_GROUPS, positionalText } from "../../src/cli/command.ts";
import { cell } from "./cell.ts";

export const commandLines = (): readonly string[] => [
  "| command | does |",
  "| --- | --- |",
  ...Object.entries(COMMAND_GROUPS).flatMap(([group, about]) => [
    `| **${group}** | *${cell(about)}* |`,
    ...COMMANDS.filter((one) => one.group === group).map(({ name, positionals, summary }) => {
      const usage = [name, ...positionals.map(positionalText)].join(" ");
      return `| \`${cell(usage)}\` | ${cell(summary)} |`;
    }),
  ]),
];
