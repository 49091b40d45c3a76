// A command at a real terminal of its own: each text is typed when what it waits for has been printed.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const DEDALUS = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));

export type Typing = { readonly says: RegExp; readonly types: string };

export const atTerminal = (folder: string, words: readonly string[], typings: readonly Typing[]) =>
  // In place of the shell that `script` starts: a shell that stays would die of the Ctrl-C, and its 130 would be read.
  typedAt(`exec ${[DEDALUS, ...words].map((word) => `'${word}'`).join(" ")}`, typings, {
    cwd: folder,
    env: { ...process.env, SHELL: "/bin/sh" },
  });

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
    for (let next = waiting[0]; next?.says.test(printed.slice(from)); next = waiting[0]) {
      from = printed.length;
      waiting.shift();
      child.stdin.write(next.types);
    }
  });
  const [code] = await once(child, "close");
  return { code, printed };
};
