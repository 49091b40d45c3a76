// Finds Chromium for tests that need a real browser, and installs Debian's where there is none.
//
// A browser of another kind, or one that does not run, is no substitute. Whoever may not install is told what to do.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const APT = { DEBIAN_FRONTEND: "noninteractive" };

const installed = (): string | undefined => PLACES.find((path) => existsSync(path));

const run = (...words: readonly string[]): void => {
  const [program = "", ...rest] = words;
  const { error, status, stderr } = spawnSync(program, rest, { encoding: "utf8", env: { ...process.env, ...APT } });
  if (status !== 0) throw new Error(`${words.join(" ")}: ${error?.message ?? stderr.trim()}`);
};

export const findChromium = (): string => {
  const found = installed();
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get"))
    throw new Error(`No Chromium in ${PLACES.join(", ")}. Install one: apt-get install chromium`);
  run("apt-get", "update", "-q");
  run("apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium");
  return installed() ?? PLACES[0] ?? "";
};

/** As root a browser has no sandbox; and none of these asks anybody on the network. */
export const CHROMIUM_ARGUMENTS: readonly string[] = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-gpu",
  "--disable-sync",
  "--no-first-run",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];
