// A PostgreSQL server of one's own: for tests, bench and harness alike.
//
// It lives in a folder of its own, listens on a private port of the loopback interface, asks for a password made for
// it alone, and is durable unless a setting says otherwise. It ends with the process that started it. A server that
// does not start is an error that says why, never a silent skip.
// `node tools/servers/postgres.ts` starts one and prints its url until Ctrl-C.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client, escapeIdentifier } from "pg";
import { freePort } from "./free-port.ts";
import { guard } from "./guard.ts";
import { type Binaries, findPostgres } from "./postgres-binaries.ts";
import { familyOf, signalEach, untilGone } from "./processes.ts";
import { giveTo, reachableBy, serverUser, type User } from "./unprivileged.ts";

export type PostgresServer = {
  /** Of the superuser and the database `postgres`; holds the password. */
  readonly url: string;
  readonly port: number;
  /** data/, socket/, log and password. */
  readonly folder: string;
  /** Makes an empty database and gives its url. */
  readonly database: (name: string) => Promise<string>;
  /** Sends a signal to the server and all its children, as SIGSTOP for a machine that stands still. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** SIGKILL of the whole server; resolves when all of it is gone. */
  readonly kill: () => Promise<void>;
  /** The same data on the same port, whether the server runs or not; resolves when it accepts. */
  readonly restart: () => Promise<void>;
  /** Ends the server and removes its folder. */
  readonly stop: () => Promise<void>;
};

export type PostgresOptions = {
  /** Where the server's folder is made, passable for others when we are root; by default the system's own. */
  readonly parent?: string;
  /** A folder that this tool made before, or a copy of one; it is used as it is and kept at the end. */
  readonly folder?: string;
  readonly settings?: Readonly<Record<string, string>>;
};

const START_MAX_MS = 30_000;
const PORT_TRIES_MAX = 3;

export const startPostgres = async (options: PostgresOptions = {}): Promise<PostgresServer> => {
  const found = findPostgres();
  const user = serverUser();
  const folder = options.folder ?? mkdtempSync(join(options.parent ?? tmpdir(), "dedalus-pg-"));
  const scratch = mkdtempSync(join(tmpdir(), "dedalus-pg-"));
  for (const one of [folder, scratch]) giveTo(user, one);
  const remove = options.folder === undefined ? [folder, scratch] : [scratch];
  const watcher = guard(remove);
  const cleared = (): void => {
    for (const one of remove) rmSync(one, { force: true, recursive: true });
    watcher.dismiss();
  };
  try {
    const binaries = reachableBy(user, found, scratch);
    if (options.folder === undefined) makeCluster(binaries, user, folder, options.settings?.["fsync"] !== "off");
    const start = (port: number): Promise<ChildProcess> =>
      startServer({ binaries, folder, port, settings: options.settings ?? {}, user }, watcher.watch);
    const { child, port } = await onFreePort(start);
    return serverOf({ child, cleared, folder, kept: options.folder !== undefined, port, start });
  } catch (error) {
    cleared();
    throw error;
  }
};

const makeCluster = ({ initdb }: Binaries, user: User, folder: string, durable: boolean): void => {
  const password = join(folder, "password");
  writeFileSync(password, randomBytes(18).toString("hex"), { mode: 0o600 });
  mkdirSync(join(folder, "socket"), { mode: 0o700 });
  for (const one of [password, join(folder, "socket")]) giveTo(user, one);
  const { error, status, stderr } = spawnSync(
    initdb,
    [
      ["-D", join(folder, "data")],
      ["--username=postgres", `--pwfile=${password}`, "--auth=scram-sha-256"],
      ["--encoding=UTF8", "--locale=C", "--no-instructions", ...(durable ? [] : ["--no-sync"])],
    ].flat(),
    { cwd: folder, encoding: "utf8", env: environment(), ...user },
  );
  if (status !== 0) throw new Error(`initdb did not make a cluster: ${error?.message ?? stderr.trim()}`);
};

/** Nothing of the caller's own PostgreSQL settings. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PG"))),
  LC_ALL: "C",
  TZ: "UTC",
});

type Plan = {
  readonly binaries: Binaries;
  readonly folder: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly user: User;
};

const startServer = async (
  { binaries, folder, port, settings, user }: Plan,
  watch: (pid: number | undefined) => void,
): Promise<ChildProcess> => {
  const all = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: join(folder, "socket"),
    // As durable as the default and faster than opening each file after a crash, where the kernel has it.
    ...(process.platform === "linux" ? { recovery_init_sync_method: "syncfs" } : undefined),
    ...settings,
  };
  const log = openSync(join(folder, "log"), "w", 0o600);
  const child = spawn(
    binaries.postgres,
    ["-D", join(folder, "data"), "-p", String(port), ...Object.entries(all).flatMap(([k, v]) => ["-c", `${k}=${v}`])],
    { cwd: folder, detached: true, env: environment(), stdio: ["ignore", log, log], ...user },
  );
  closeSync(log);
  let failed: string | undefined;
  child.once("error", (error) => {
    failed = error.message;
  });
  watch(child.pid);
  child.once("exit", (code, signal) => {
    failed ??= `it ended with ${code ?? signal}`;
    watch(undefined);
  });
  child.unref();
  for (let waited = 0; waited < START_MAX_MS; waited += 20) {
    if (failed !== undefined) throw new Error(`PostgreSQL did not start: ${failed}\n${lastLines(folder)}`);
    if (await accepts(urlOf(folder, port))) return child;
    await pause(20);
  }
  if (child.pid !== undefined) signalEach(familyOf(child.pid), "SIGKILL");
  throw new Error(`PostgreSQL did not accept a connection within ${START_MAX_MS} ms\n${lastLines(folder)}`);
};

const lastLines = (folder: string): string => {
  const log = join(folder, "log");
  return existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n").slice(-15).join("\n") : "";
};

const urlOf = (folder: string, port: number): string =>
  `postgres://postgres:${readFileSync(join(folder, "password"), "utf8").trim()}@127.0.0.1:${port}/postgres`;

const accepts = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false; // not yet; the caller waits, and says what the log says when it waited in vain
  } finally {
    // A client that gave up by itself, over a password say, leaves its connection open.
    await client.end();
  }
};

/** Between asking for a port and taking it, another process may take it. */
const onFreePort = async (
  start: (port: number) => Promise<ChildProcess>,
): Promise<{ readonly child: ChildProcess; readonly port: number }> => {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    try {
      return { child: await start(port), port };
    } catch (error) {
      if (tries === PORT_TRIES_MAX || !/Address already in use/.test(String(error))) throw error;
    }
  }
};

type Running = {
  readonly child: ChildProcess;
  readonly cleared: () => void;
  readonly folder: string;
  readonly kept: boolean;
  readonly port: number;
  readonly start: (port: number) => Promise<ChildProcess>;
};

const serverOf = ({ child: first, cleared, folder, kept, port, start }: Running): PostgresServer => {
  let child = first;
  const family = (): readonly number[] =>
    child.pid === undefined || child.exitCode !== null || child.signalCode !== null ? [] : familyOf(child.pid);
  const ended = async (signal: NodeJS.Signals, whom: (pids: readonly number[]) => readonly number[]): Promise<void> => {
    const pids = family();
    if (pids.length === 0) return;
    child.ref();
    const exit = once(child, "exit");
    signalEach(whom(pids), signal);
    await exit;
    await untilGone(pids);
  };
  const stopped = (signal: NodeJS.Signals): Promise<void> => ended(signal, (pids) => pids.slice(0, 1));
  const url = urlOf(folder, port);
  return {
    database: (name) => createDatabase(url, name),
    folder,
    kill: async () => {
      // A server that stands still starts no more children.
      signalEach(family().slice(0, 1), "SIGSTOP");
      await ended("SIGKILL", (pids) => pids);
    },
    port,
    restart: async () => {
      await stopped("SIGINT");
      child = await start(port);
    },
    signal: (signal) => signalEach(family(), signal),
    stop: async () => {
      // What is removed need not be brought to the disk first.
      await stopped(kept ? "SIGINT" : "SIGQUIT");
      cleared();
    },
    url,
  };
};

const createDatabase = async (url: string, name: string): Promise<string> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const made = new URL(url);
  made.pathname = `/${encodeURIComponent(name)}`;
  return made.href;
};

if (import.meta.main) {
  const server = await startPostgres();
  process.stdout.write(`${server.url}\n`);
  const alive = setInterval(() => undefined, 60_000);
  const end = (): void => {
    clearInterval(alive);
    server.stop().catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exitCode = 1;
    });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
}
