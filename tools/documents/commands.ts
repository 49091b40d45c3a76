// The table of every command, from the catalogue that parses their arguments. Options are left to `dedalus help COMMAND`.

import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { positionalText } from "../../src/cli/command.ts";
import { cell } from "./cell.ts";

export const commandLines = (): readonly string[] => [
  "| command | does |",
  "| --- | --- |",
  ...COMMANDS.map(({ name, positionals, summary }) => {
    const usage = [name, ...positionals.map(positionalText)].join(" ");
    return `| \`${cell(usage)}\` | ${cell(summary)} |`;
  }),
];
