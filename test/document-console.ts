// The console blocks of a document, played: lines behind `$ ` are commands, what follows is what they print.
//
// A block has a folder of its own with the files of examples/home. A page that names a simulated cluster is one session
// instead: its blocks run in order, in one folder and one shell, against that cluster, which is written
// https://pve1:8006 there. Where a block shows a question with its answer, the command runs at a terminal and the
// answer is typed. What differs from run to run (ids, hashes, times) is shown as one and the same.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { typedAt } from "./live/at-terminal.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Errors name the whole path of a file; a reader has a folder of their own. */
const SHOWN_FOLDER = "/home/alice/dedalus";
/** How the cluster is written in a document. */
const SHOWN = { fingerprint: "7B:96:CD:…:24:4A:55", url: "https://pve1:8006" };

type Exchange = { readonly command: string; readonly shown: string };

export const exchangesOf = (block: string): readonly Exchange[] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return { command: part.slice(0, end), shown: part.slice(end + 1) };
    });

export const blocksOf = (text: string, language: string): readonly string[] =>
  Array.from(text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)).flatMap(([, name, body]) =>
    name === language && body !== undefined ? [body] : [],
  );

export type Stage = { readonly before: string; readonly scenario: string };

/** The cluster that a page runs on, and the commands that come before its first block, which nobody has to read. */
export const stageOf = (text: string): Stage | undefined => {
  const [, scenario, before = ""] =
    /^<!-- Runs in order on the simulated cluster (\S+)\.\n?([\s\S]*?) ?-->$/m.exec(text) ?? [];
  return scenario === undefined ? undefined : { before, scenario };
};

type Session = { readonly cluster?: typeof SHOWN; readonly folder: string };

const inFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-docs-"));
  try {
    cpSync(join(ROOT, "examples/home"), folder, { recursive: true });
    writeFileSync(stateIn(folder), `cd '${folder}'\n`);
    return await use(folder);
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

/** The block as it would read if it showed what its commands print. */
export const playedAlone = (block: string): Promise<string> => inFolder((folder) => played(block, { folder }));

/** The same of all blocks of a page, in one session. */
export const playedInOrder = (blocks: readonly string[], { before, scenario }: Stage): Promise<readonly string[]> =>
  inFolder(async (folder) => {
    const cluster = spawn(join(ROOT, "bin/dedalus"), ["simulate", "--scenario", join(ROOT, scenario), "--json"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [line] = await once(createInterface(cluster.stdout), "line");
      const session = { cluster: JSON.parse(line), folder };
      await played(before, session);
      const printed: string[] = [];
      for (const block of blocks) printed.push(steady(await played(block, session)));
      return printed;
    } finally {
      cluster.kill();
    }
  });

const played = async (block: string, session: Session): Promise<string> => {
  let text = "";
  for (const exchange of exchangesOf(block)) text += `$ ${exchange.command}\n${await answered(exchange, session)}`;
  return text;
};

/** Variables and the folder of the shell, as the last command left them. */
const stateIn = (folder: string): string => join(folder, ".shell");

const ENV = {
  ...process.env,
  NO_COLOR: "1",
  PATH: `${join(ROOT, "bin")}:${process.env["PATH"]}`,
  SHELL: "/bin/sh",
};

const answered = async ({ command, shown }: Exchange, { cluster = SHOWN, folder }: Session): Promise<string> => {
  const state = stateIn(folder);
  const words = renamed(command, SHOWN, cluster);
  const answers = answersIn(shown);
  if (answers.length > 0) {
    const { printed } = await typedAt(`. ${state}; ${words}`, answers, { cwd: folder, env: ENV });
    return shownFor(onScreen(printed), cluster, folder);
  }
  const script = `. ${state}; exec 2>&1; ${words}\n{ export -p; echo "cd '$PWD'"; } > ${state}`;
  const { stdout } = spawnSync("sh", ["-c", script], { cwd: folder, encoding: "utf8", env: ENV });
  return shownFor(stdout, cluster, folder);
};

const renamed = (text: string, from: typeof SHOWN, to: typeof SHOWN): string =>
  text.replaceAll(from.url, to.url).replaceAll(from.fingerprint, to.fingerprint);

const shownFor = (text: string, cluster: typeof SHOWN, folder: string): string =>
  renamed(text, cluster, SHOWN).replaceAll(folder, SHOWN_FOLDER);

/** How a question ends, and what was typed behind it. */
const QUESTION = /(\[y\/N[^\]\n]*\]|Type yes:|\[[A-Z_]+\]:) ?(.*)$/gm;

const answersIn = (shown: string) =>
  Array.from(shown.matchAll(QUESTION), ([, question = "", answer = ""]) => ({
    says: new RegExp(question.replace(/[[\]/]/g, "\\$&")),
    types: `${answer}\n`,
  }));

/** What is left on the screen: a line that was written over shows what came last. */
const onScreen = (printed: string): string =>
  printed
    .split("\n")
    .map((line) => stripVTControlCharacters(OVERWRITES.reduce(lastPart, line.replace(/\r+$/, ""))).trimEnd())
    .join("\n");

const OVERWRITES = ["\r\x1b[K", "\x1b[1G\x1b[0J"];
const lastPart = (line: string, mark: string): string => line.split(mark).at(-1) ?? "";

const ULID = "01KA4QJ5V8R3W2T6Y7Z8N9M0P1";

/** What no two runs have in common. */
type Shown = (found: string) => string;
const UNSTEADY: readonly (readonly [what: RegExp, shown: string | Shown])[] = [
  [/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, ULID],
  [/\b01[0-9A-HJKMNP-TV-Z]{6,12}\b/g, ULID.slice(0, 10)],
  [/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?=Z|\.\d{3}Z)/g, "2026-01-05T09:30:00"],
  [/(?<=:00)\.\d{3}Z/g, ".000Z"],
  [/\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\dZ/g, "2026-01-05 09:30:00Z"],
  [/\b\d+ (?:s|min) ago\b|\bjust now\b/g, "5 s ago"],
  // The column of times, whatever the longest age was.
  [/^WHEN {2,}/gm, `${"WHEN".padEnd("5 s ago (2026-01-05 09:30:00Z)".length)}  `],
  // The number of its record stands to the right, whatever the time before it took.
  [/(?<=^5 s ago \(2026-01-05 09:30:00Z\)) {2,}\d+/gm, (found) => `  ${found.trim().padStart("RECORD".length)}`],
  [/\bin \d+ min\b/g, "in 60 min"],
  [/(UPID:\w+:)[0-9A-F:]+(?=:qm|:vz)/g, "$1…"],
  [/(?<![-\w:])(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{8,64}(?![-\w])…?/g, "…"],
  // Shortened, and of digits alone by chance.
  [/(?<![-\w:])[0-9a-f]{12}(?![-\w])/g, "…"],
  [/dedalus_[\w-]{20,}/g, "dedalus_…"],
];

const steady = (text: string): string =>
  UNSTEADY.reduce(
    (left, [what, shown]) => (typeof shown === "string" ? left.replace(what, shown) : left.replace(what, shown)),
    text,
  );
