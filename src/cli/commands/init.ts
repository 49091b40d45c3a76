// dedalus init: a commented, valid dedalus.yaml and desired.yaml, and the key that signs checkpoints. With --from the
// configuration is that of a live provider, and desired.yaml is left to import.
//
// It overwrites nothing: what is there already stops it before it writes. When a write fails, what it wrote
// goes again, and nothing else does.

import { mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { readConfigPath, readEnvironmentName, readLoginName } from "../../config.ts";
import { type Problem, problem, wholeFile } from "../../formats/problem.ts";
import { fileCause } from "../../ledger/files/file-cause.ts";
import { statEntry } from "../../ledger/files/file-stats.ts";
import { makeKeyFile } from "../../ledger/tree/key-file.ts";
import { applyingFinding } from "../../service/examine/applying.ts";
import { NO_POLICY } from "../../spine/plan/policy.ts";
import type { NextStep } from "../../spine/rules/askable.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { shellText } from "../../spine/values/shell.ts";
import { isSubject, RESERVED_SUBJECTS } from "../../spine/values/subject.ts";
import { CHECK_WORDS, FOUND_WORDS } from "../../spine/words/remarks/installation-words.ts";
import { filled } from "../../spine/words/template.ts";
import { beginnings } from "../../wire.ts";
import { refusalOutcome } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { findInTheWay, NOTHING_OURS, pathIn, writeWhole } from "../files/files.ts";
import { CONFIG_FILE, readConfig } from "../files/find-config.ts";
import type { Io } from "../process/io.ts";
import { command } from "../views/marks.ts";
import type { Spell } from "../views/next-step.ts";
import { askForProvider, type Provider } from "./init-from.ts";
import { configTemplate, desiredTemplate, GITIGNORE, KEY_FILE, liveTemplate } from "./init-templates.ts";

export const run: CommandRun = async (given, io) => {
  const {
    positionals: [folder = ""],
    text,
  } = given;
  const named = text.get("operator");
  const operator = named ?? readLoginName();
  if (!isSubject(operator)) {
    const cause = named === undefined ? "login" : RESERVED_SUBJECTS.includes(named) ? "reserved" : "form";
    return badInput([refuse("subject-name", { cause, facts: { name: operator } })]);
  }
  const config = join(folder, "dedalus.yaml");
  const desired = join(folder, "desired.yaml");
  const key = join(folder, KEY_FILE);
  const obstacles = [config, ...(text.has("from") ? [] : [desired]), key].flatMap(
    (file) => findInTheWay(io.folder, file, NOTHING_OURS) ?? [],
  );
  if (obstacles.length > 0) return badInput(obstacles);
  const provider = await askForProvider(given, io);
  if (provider !== undefined && "code" in provider) {
    return provider.code === "usage" ? badInput([provider]) : refusalOutcome(provider);
  }
  // A .gitignore of somebody's own is left as it is.
  const ignore = join(folder, ".gitignore");
  const isIgnoreTheirs = statEntry(pathIn(io.folder, ignore)) !== undefined;
  const files = [
    ...(provider === undefined
      ? [
          { file: config, text: configTemplate(operator, await beginnings()) },
          { file: desired, text: desiredTemplate() },
        ]
      : [{ file: config, text: liveTemplate(operator, provider) }]),
    ...(isIgnoreTheirs ? [] : [{ file: ignore, text: GITIGNORE }]),
  ];
  try {
    mkdirSync(pathIn(io.folder, folder), { recursive: true });
  } catch (error) {
    return badInput([refuse("file-unwritable", { cause: `folder-${fileCause(error)}`, facts: { folder } })]);
  }
  const keysFolder = pathIn(io.folder, dirname(key));
  const isKeysFolderOurs = statEntry(keysFolder) === undefined;
  const steps = [
    ...files.map(({ file, text }) => ({ file, write: () => writeWhole(io.folder, file, text, NOTHING_OURS) })),
    { file: key, write: () => made(io.folder, key) },
  ];
  for (const [done, { write }] of steps.entries()) {
    const unwritten = write();
    if (unwritten === undefined) continue;
    for (const { file } of steps.slice(0, done)) rmSync(pathIn(io.folder, file), { force: true });
    if (isKeysFolderOurs) removeEmptied(keysFolder);
    return badInput([unwritten]);
  }
  const written = files.map(({ file }) => file);
  return {
    exit: "done",
    json: { keyFile: key, ...present({ provider: provider?.at }), written },
    text: (style) => [
      ...written.map((file) => `wrote ${file}`),
      `made ${key}, the key that signs checkpoints: yours alone (mode 0600); keep a copy of it elsewhere`,
      ...(isIgnoreTheirs ? [`left ${ignore} as it is: see that it names keys/, secrets/, ledger/ and anchor/`] : []),
      ...applyingLines(config, io),
      ...nextLines(folder, provider, style.command),
    ],
  };
};

/** What can be applied with the configuration that was written, and why the rest cannot. */
const applyingLines = (config: string, io: Io): readonly string[] => {
  const read = readConfig({ flags: new Set(), positionals: [], text: new Map([["config", config]]) }, io);
  if (read.kind === "bad") throw new Error(`${config} was written and cannot be read`);
  const { environments } = read.value.config;
  return Array.from(environments, ([name, one]) => applyingFinding(name, one, NO_POLICY, "local")).map(
    ({ check, code, facts }) => `${filled(CHECK_WORDS[check], facts)}: ${filled(FOUND_WORDS[code], facts)}`,
  );
};

const nextLines = (folder: string, provider: Provider | undefined, spell: Spell): readonly string[] => {
  const config = join(folder, CONFIG_FILE);
  // A variable that names a configuration would win over the one of the folder.
  const isNamed = readConfigPath() !== undefined;
  const isHere = config === CONFIG_FILE;
  const enter = isHere || isNamed ? [] : [`  ${command(`cd ${enteredText(folder)}`)}`];
  const named = isNamed ? { config } : {};
  const line = (step: NextStep): string => `  ${spell(step, named)}`;
  if (provider === undefined) {
    return [
      "Next: write what should run into desired.yaml, and check both files with:",
      ...enter,
      line({ ask: "examine", with: {} }),
    ];
  }
  const {
    at: { apply, observe },
    beginning: { tokenForm },
  } = provider;
  const at = { environment: "home" } as const;
  // There is no other one, unless a variable names it.
  const only = readEnvironmentName() === undefined ? {} : at;
  const file = isNamed ? join(folder, "desired.yaml") : "desired.yaml";
  return [
    apply === undefined
      ? `Next, with the token (${tokenForm}) in ${observe}:`
      : `Next, with the tokens (${tokenForm}) in ${observe} and ${apply}:`,
    ...enter,
    line({ ask: "inventory", with: { ...only, file } }),
    line({ ask: "examine", with: at }),
    line({ ask: "register", with: only }),
    line({ ask: "drift", with: only }),
  ];
};

/** What begins with a dash would be an option of cd. */
const enteredText = (folder: string): string => shellText(folder.startsWith("-") ? `./${folder}` : folder);

/** What somebody put there meanwhile stays. */
const removeEmptied = (folder: string): void => {
  if (statEntry(folder)?.isDirectory() && readdirSync(folder).length === 0) rmdirSync(folder);
};

const made = (folder: string, file: string): Problem | undefined => {
  try {
    makeKeyFile(pathIn(folder, file));
    return undefined;
  } catch (error) {
    return (
      findInTheWay(folder, file, NOTHING_OURS) ??
      problem("file-unwritable", wholeFile(file), { cause: fileCause(error) })
    );
  }
};
