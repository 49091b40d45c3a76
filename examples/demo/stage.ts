// Where the demo plays: a folder of its own, the real commands as processes, and a simulated cluster beside them.
//
// Every command is shown as it could be typed, with what it printed; another exit code than the expected one ends it.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const DEDALUS = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));

export const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const say = (...lines: readonly string[]): void => {
  for (const line of lines) process.stdout.write(`${line}\n`);
};

const isTerminal = process.stdout.isTTY === true;
const bold = (text: string): string => (isTerminal ? `\x1b[1m${text}\x1b[22m` : text);

let scenes = 0;
export const scene = (title: string, ...lines: readonly string[]): void => {
  scenes += 1;
  say("", bold(`${scenes}. ${title}`), ...lines.map((line) => `   ${line}`));
};

const MARK = ".made-by-the-demo";

/** An earlier demo is replaced; a folder that somebody else made is not. */
export const freshFolder = (folder: string): void => {
  if (existsSync(folder) && !existsSync(join(folder, MARK))) {
    throw new Error(`${folder} is there already, and no earlier demo made it; move it away`);
  }
  rmSync(folder, { force: true, recursive: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, MARK), "make demo replaces this folder.\n");
};

export type Shown = {
  readonly env?: Readonly<Record<string, string>>;
  /** How the command is shown, where it is not typed as it is run. */
  readonly as?: string;
};

const shownAs = (argv: readonly string[], { as }: Shown): void => {
  say("", `$ ${bold(as ?? `dedalus ${argv.map(quoted).join(" ")}`)}`);
};
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`);

/** Shows a command, runs it to its end, shows what it printed, and holds its exit code against the expected one. */
export const dedalus = (folder: string, exit: number, argv: readonly string[], shown: Shown = {}): string => {
  shownAs(argv, shown);
  const { status, stderr, stdout } = spawnSync(DEDALUS, argv, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", ...shown.env },
  });
  process.stdout.write(stdout + stderr);
  say(`exit ${status}`);
  if (status !== exit) throw new Error(`exit code ${status}, expected ${exit}`);
  return stdout;
};

/** What a command says with --json, for what the demo itself needs; shown nowhere. */
export const asked = (folder: string, argv: readonly string[], env: Shown["env"] = {}): string => {
  const options = { cwd: folder, encoding: "utf8", env: { ...process.env, ...env } } as const;
  return spawnSync(DEDALUS, [...argv, "--json"], options).stdout;
};

/** Shows a command and starts it; what it prints is not waited for. */
export const startedIn = (folder: string, argv: readonly string[]): ChildProcess => {
  shownAs(argv, {});
  return spawn(DEDALUS, argv, { cwd: folder, stdio: "ignore" });
};

export const found = (text: string, pattern: RegExp): string => {
  const [, word] = pattern.exec(text) ?? [];
  if (word === undefined) throw new Error(`${pattern} is not in what was printed`);
  return word;
};

export type Served = { readonly stop: () => Promise<void>; readonly url: string };

/** `dedalus serve` in a process of its own, where the configuration says. */
export const servedIn = async (folder: string): Promise<Served> => {
  const argv = ["serve", "--json"];
  shownAs(argv, { as: `dedalus ${argv.join(" ")} 2>serve.log &` });
  const log = openSync(join(folder, "serve.log"), "w");
  const child = spawn(DEDALUS, argv, { cwd: folder, stdio: ["ignore", "pipe", log] });
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    void gone.then(() => reject(new Error("the service did not start")));
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).once("line", (text) => resolve(JSON.parse(text).url));
  });
  say(url);
  return {
    stop: () => {
      child.kill("SIGTERM");
      return gone;
    },
    url,
  };
};

export type Cluster = {
  readonly fingerprint: string;
  readonly url: string;
  /** Calls that change something, in order. */
  readonly calls: () => readonly string[];
  /** Resolves when a request that fits was answered. */
  readonly heard: (pattern: RegExp) => Promise<void>;
  /** Its clock goes eleven minutes ahead. */
  readonly later: () => void;
  readonly stop: () => Promise<void>;
};

type Line = {
  readonly kind: "started" | "answered";
  readonly fingerprint?: string;
  readonly method?: string;
  readonly path?: string;
  readonly url?: string;
};

/** `dedalus simulate` in a process of its own, heard through what it says of each request. */
export const clusterIn = async (folder: string, scenario: string): Promise<Cluster> => {
  const argv = ["simulate", "--scenario", scenario, "--follow", "--json"];
  shownAs(argv, { as: `dedalus ${argv.join(" ")} &` });
  const env = { ...process.env, DEMO_LATER: "on-signal", NODE_OPTIONS: `--import=${here("later.ts")}` };
  const child = spawn(DEDALUS, argv, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const lines: string[] = [];
  const waiting = new Set<{ readonly pattern: RegExp; readonly go: () => void }>();
  const first = new Promise<Line>((resolve, reject) => {
    void gone.then(() => reject(new Error("the simulator did not start")));
    createInterface({ input: child.stdout }).on("line", (text) => {
      const line: Line = JSON.parse(text);
      if (line.kind === "started") return resolve(line);
      const request = `${line.method} ${line.path}`;
      lines.push(request);
      for (const one of waiting) if (one.pattern.test(request)) one.go();
    });
  });
  const { fingerprint = "", url = "" } = await first;
  say(`${url}, certificate ${fingerprint.slice(0, 23)}…`);
  return {
    calls: () => lines.filter((line) => !line.startsWith("GET ")),
    fingerprint,
    heard: (pattern) => new Promise((resolve) => waiting.add({ go: resolve, pattern })),
    later: () => void child.kill("SIGUSR2"),
    stop: () => {
      child.kill("SIGINT");
      return gone;
    },
    url,
  };
};

export type Approval = "four-eyes" | "single-operator";

/** A configuration with one environment, which is that cluster. */
export const configText = (
  { fingerprint, url }: Cluster,
  environment: string,
  approval: Approval,
): string => `version: 1
operator: alice
ledger: { engine: sqlite, path: ledger/dedalus.db }
anchor: anchor/checkpoints.txt
signingKey: keys/ledger.key
environments:
  ${environment}:
    adapter: proxmox
    url: ${url}
    tls: { verify: pinned, sha256: "${fingerprint}" }
    credentials:
      observe: { env: HOME_PVE_OBSERVE }
      apply: { env: HOME_PVE_APPLY }
    approval: ${approval}
    maxObservationAge: 60 s
    desired: desired.yaml
`;

/** A token of somebody, which is not shown here. */
export const tokenIn = (folder: string, name: string, role: string): string => {
  const words = ["token", "create", "--name", name, "--role", role, "--days", "30"];
  const made = asked(folder, words);
  say("", `$ dedalus ${words.join(" ")}      # shown once, kept in $${name.toUpperCase()}`);
  return found(made, /"token":"(dedalus_[\w-]+)"/);
};

export const planIn = (text: string): string => found(text, /^plan ([0-9A-Z]{26})$/m);
export const challengeIn = (text: string): string => found(text, /--confirm ([0-9a-f]{64})/);
