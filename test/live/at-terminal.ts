// A command at a real terminal of its own: each text is typed when what it waits for has been printed.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const DEDALUS = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));

/** `does` is what somebody else does while the question stands, before it is answered. */
export type Typing = { readonly does?: () => void; readonly says: RegExp; readonly types: string };

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for.
const COLOURS = /\x1b\[[0-9;]*m/g;

type Terminal = { readonly columns?: number; readonly env?: Readonly<Record<string, string>> };

/** `printed` is without colours, `painted` with them. A terminal that is not told its width has none. */
export const atTerminal = (
  folder: string,
  words: readonly string[],
  typings: readonly Typing[],
  { columns, env = {} }: Terminal = {},
) => {
  // In place of the shell that `script` starts: a shell that stays would die of the Ctrl-C, and its 130 would be read.
  const run = `exec ${[DEDALUS, ...words].map((word) => `'${word}'`).join(" ")}`;
  return typedAt(columns === undefined ? run : `stty cols ${columns} rows 50; ${run}`, typings, {
    cwd: folder,
    env: { ...process.env, SHELL: "/bin/sh", ...env },
  });
};

type Place = { readonly cwd: string; readonly env: NodeJS.ProcessEnv };

/** The same for any command of the shell. */
export const typedAt = async (command: string, typings: readonly Typing[], { cwd, env }: Place) => {
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "inherit"],
    timeout: 120_000,
  });
  let printed = "";
  let from = 0;
  const waiting = [...typings];
  child.stdout.on("data", (text) => {
    printed += text;
    for (let next = waiting[0]; next?.says.test(printed.slice(from).replace(COLOURS, "")); next = waiting[0]) {
      from = printed.length;
      waiting.shift();
      next.does?.();
      child.stdin.write(next.types);
    }
  });
  const [code] = await once(child, "close");
  return { code, painted: printed, printed: printed.replace(COLOURS, "") };
};
