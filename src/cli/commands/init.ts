// dedalus init: a commented, valid dedalus.yaml and desired.yaml, and the key that signs checkpoints.
//
// It overwrites nothing: what is there already stops it before it writes. When a write fails, what it wrote goes again.

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { loginName } from "../../config.ts";
import { type Problem, problem } from "../../formats/problem.ts";
import { fileCause } from "../../ledger/files/file-cause.ts";
import { makeKeyFile } from "../../ledger/tree/key-file.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isSubject, RESERVED_SUBJECTS } from "../../spine/values/subject.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failure.ts";
import { inTheWay, pathIn, writeWhole } from "../files.ts";
import { configTemplate, desiredTemplate, KEY_FILE } from "./init-templates.ts";

export const run: CommandRun = async ({ positionals: [folder = ""], text }, io) => {
  const named = text.get("operator");
  const operator = named ?? loginName();
  if (!isSubject(operator)) {
    const cause = named === undefined ? "login" : RESERVED_SUBJECTS.includes(named) ? "reserved" : "form";
    return badInput([refuse("subject-name", { cause, facts: { name: operator } })]);
  }
  const files = [
    { file: join(folder, "dedalus.yaml"), text: configTemplate(operator) },
    { file: join(folder, "desired.yaml"), text: desiredTemplate() },
  ];
  const key = join(folder, KEY_FILE);
  const obstacles = [...files.map(({ file }) => file), key].flatMap(
    (file) => inTheWay(io.folder, file, () => false) ?? [],
  );
  if (obstacles.length > 0) return badInput(obstacles);
  try {
    mkdirSync(pathIn(io.folder, folder), { recursive: true });
  } catch (error) {
    return badInput([refuse("file-unwritable", { cause: `folder-${fileCause(error)}`, facts: { folder } })]);
  }
  const keysFolder = pathIn(io.folder, dirname(key));
  const isKeysFolderOurs = !existsSync(keysFolder);
  for (const write of [
    ...files.map(
      ({ file, text }) =>
        () =>
          writeWhole(io.folder, file, text),
    ),
    () => made(io.folder, key),
  ]) {
    const unwritten = write();
    if (unwritten === undefined) continue;
    for (const { file } of files) rmSync(pathIn(io.folder, file), { force: true });
    if (isKeysFolderOurs) rmSync(keysFolder, { force: true, recursive: true });
    return badInput([unwritten]);
  }
  const written = files.map(({ file }) => file);
  return {
    exit: "done",
    json: { key, written },
    text: () => [
      ...written.map((file) => `wrote ${file}`),
      `made ${key}, the key that signs checkpoints: yours alone (mode 0600); keep a copy of it elsewhere`,
      "Next: write what should run into desired.yaml, and check both files with:",
      `  dedalus doctor --config ${join(folder, "dedalus.yaml")}`,
    ],
  };
};

const made = (folder: string, file: string): Problem | undefined => {
  try {
    makeKeyFile(pathIn(folder, file));
    return undefined;
  } catch (error) {
    return problem("file-unwritable", { column: 1, field: "", file, line: 1 }, { cause: fileCause(error) });
  }
};
