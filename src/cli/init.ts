// dedalus init: a commented, valid dedalus.yaml and desired.yaml. It overwrites nothing and leaves no half of a pair.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loginName } from "../config.ts";
import { isName } from "../formats/fields.ts";
import { refuse } from "../spine/refusals.ts";
import type { Run } from "./command.ts";
import { inTheWay, pathIn, reasonOf, writeWhole } from "./files.ts";
import { configTemplate, desiredTemplate } from "./init-templates.ts";
import { badInput } from "./outcome.ts";

export const run: Run = async ({ positionals: [folder = ""], text }, io) => {
  const operator = text.get("operator") ?? loginName();
  if (!isName(operator)) {
    return badInput([
      refuse("usage", {
        because: `${JSON.stringify(operator)} is no name for an operator`,
        next: "Give --operator NAME.",
      }),
    ]);
  }
  const files = [
    { file: join(folder, "dedalus.yaml"), text: configTemplate(operator) },
    { file: join(folder, "desired.yaml"), text: desiredTemplate() },
  ];
  const obstacles = files.flatMap(({ file }) => inTheWay(io.folder, file, () => false) ?? []);
  if (obstacles.length > 0) return badInput(obstacles);
  try {
    mkdirSync(pathIn(io.folder, folder), { recursive: true });
  } catch (error) {
    return badInput([
      refuse("file-unwritable", { because: `the folder ${folder} cannot be made: ${reasonOf(error)}` }),
    ]);
  }
  for (const { file, text } of files) {
    const unwritten = writeWhole(io.folder, file, text);
    if (unwritten !== undefined) {
      for (const other of files) rmSync(pathIn(io.folder, other.file), { force: true });
      return badInput([unwritten]);
    }
  }
  const written = files.map(({ file }) => file);
  return {
    exit: "done",
    json: { written },
    text: () => [
      ...written.map((file) => `wrote ${file}`),
      "Next: write what should run into desired.yaml, and check both files with:",
      `  dedalus doctor --config ${join(folder, "dedalus.yaml")}`,
    ],
  };
};
