// Joins: the only file that names concrete adapters and engines. keeps P7-S2
//
// Engines are loaded when a ledger is opened, so that a command without one starts as fast as ever.

import { basename, dirname, resolve } from "node:path";
import { setTimeout as sleepFor } from "node:timers/promises";
import type { Actuator } from "./adapters/actuator.ts";
import type { ProxmoxAdapter } from "./adapters/proxmox/adapter.ts";
import { replaySource } from "./adapters/replay/replay.ts";
import { Secret } from "./adapters/secret.ts";
import type { Source, Unanswered } from "./adapters/source.ts";
import { monotonicMs, now, nowMs } from "./clock.ts";
import { readSecret } from "./config.ts";
import { parseCurrent } from "./formats/current-json.ts";
import type { EnvironmentConfig } from "./formats/dedalus/dedalus-environment.ts";
import type { SecretRef, Tls } from "./formats/dedalus/dedalus-guards.ts";
import type { Config, LedgerConfig } from "./formats/dedalus/dedalus-yaml.ts";
import type { Parsed } from "./formats/problem.ts";
import type { ScenarioFile } from "./formats/scenario/scenario-yaml.ts";
import { publicId, secretText, ulids } from "./ids.ts";
import type { Opened } from "./ledger/engine.ts";
import type { Trust as PostgresTrust } from "./ledger/engines/postgres/postgres-target.ts";
import { makeOwnFolder } from "./ledger/files/own-file.ts";
import { plainBytes } from "./ledger/files/plain-file.ts";
import type { Expected, LedgerOpened } from "./ledger/open.ts";
import type { Ulid } from "./ledger/record/record.ts";
import type { Ports } from "./service/ports.ts";
import type { Refusal } from "./spine/model.ts";
import { refuse } from "./spine/rules/refusals.ts";

/** A source that gives a recorded look again. */
export const replayOf = (text: string, file: string, options: Parameters<typeof parseCurrent>[2]): Parsed<Source> => {
  const parsed = parseCurrent(text, file, options);
  return parsed.kind === "ok" ? { kind: "ok", value: replaySource(parsed.value) } : parsed;
};

/** Where a ledger is, with every secret looked up; never to be shown. */
export type LedgerPlace =
  | { readonly engine: "sqlite"; readonly path: string }
  | { readonly engine: "postgres"; readonly trust?: PostgresTrust; readonly url: string };

export const ledgerPlace = (config: LedgerConfig, home: string): LedgerPlace | Refusal => {
  switch (config.engine) {
    case "sqlite":
      return { engine: "sqlite", path: resolve(home, config.path) };
    case "postgres":
      return postgresPlace(config, home);
    case "jetstream":
      return refuse("engine-unavailable", { because: "the engine jetstream is not part of this version" });
  }
};

const postgresPlace = (
  { tls, url }: Extract<LedgerConfig, { readonly engine: "postgres" }>,
  home: string,
): LedgerPlace | Refusal => {
  const read = secretAt(url, home);
  if (typeof read !== "string") return read;
  const trust = tls === undefined ? undefined : trustOf(tls, home);
  if (trust === undefined) return { engine: "postgres", url: read };
  return "kind" in trust ? trust : { engine: "postgres", trust, url: read };
};

/** A PostgreSQL server whose url is a secret. */
export const secretPlace = (place: SecretRef, home: string): LedgerPlace | Refusal => {
  const url = secretAt(place, home);
  return typeof url === "string" ? { engine: "postgres", url } : url;
};

/** What a ledger there is called in messages and records; holds no secret. */
export const placeName = async (place: LedgerPlace): Promise<string> => {
  if (place.engine === "sqlite") return `sqlite ${basename(place.path)}`;
  const target = (await import("./ledger/engines/postgres/postgres-target.ts")).targetOf(place.url, place.trust);
  return "refused" in target ? "postgres" : target.name;
};

const secretAt = (place: SecretRef, home: string): string | Refusal => {
  const read = readSecret(place, home);
  switch (read.kind) {
    case "secret":
      return read.value;
    case "absent":
      return refuse("secret-absent", { because: read.because });
    case "open": {
      const { file } = read;
      return refuse("secret-open", {
        because: `${file} can be read by others than its owner`,
        next: `Run: chmod 600 ${file}`,
      });
    }
  }
};

const trustIn = ({ trust }: { readonly trust?: PostgresTrust }) => (trust === undefined ? {} : { trust });

/** Opening for writing makes a ledger where there is none, and the folder of its file too. */
export const openEngine = async (place: LedgerPlace, mode: "read" | "write"): Promise<Opened> => {
  if (place.engine === "postgres")
    return (await import("./ledger/engines/postgres/postgres.ts")).openPostgres(place.url, { mode, ...trustIn(place) });
  try {
    if (mode === "write") makeOwnFolder(dirname(place.path));
  } catch (error) {
    return { because: `the folder of ${place.path} cannot be made: ${String(error)}`, kind: "refused" };
  }
  return (await import("./ledger/engines/sqlite/sqlite.ts")).openSqlite(place.path, { mode });
};

/** Why the ledger there takes no writes; it is only read, so that whoever must not write can ask. */
export const latchAt = async (place: LedgerPlace): Promise<string | undefined> =>
  place.engine === "postgres"
    ? (await import("./ledger/engines/postgres/postgres.ts")).postgresLatch(place.url, place.trust)
    : (await import("./ledger/engines/sqlite/sqlite-latch.ts")).latchOf(place.path).because();

/** Only the first record of a ledger makes it; whoever continues one must find it. */
const found = async (place: LedgerPlace): Promise<Opened> => {
  const opened = await openEngine(place, "read");
  if (opened.kind === "refused") return opened;
  await opened.engine.close();
  return openEngine(place, "write");
};

/** The file of the ledger's snapshot: beside the ledger where that is a file, and at home where it is a server. */
export const snapshotFile = (config: LedgerConfig, home: string): string =>
  config.engine === "sqlite" ? `${resolve(home, config.path)}-snapshot` : resolve(home, "ledger-snapshot");

/** The configured ledger, checked against its anchor. */
export const openLedger = async (
  config: Config,
  home: string,
  expected: Omit<Expected, "anchor" | "snapshot">,
): Promise<LedgerOpened> => {
  const place = ledgerPlace(config.ledger, home);
  if ("kind" in place) return { kind: "refused", refusal: place };
  const anchor = resolve(home, config.anchor);
  const { isAnchorUnused, openChecked } = await import("./ledger/open.ts");
  const isReading = expected.mode === "read" || expected.mode === "view";
  const isFirst = expected.mode === "write" && isAnchorUnused(anchor);
  const open = isReading ? openEngine(place, "read") : isFirst ? openEngine(place, "write") : found(place);
  return openChecked(await open, { ...expected, anchor, snapshot: snapshotFile(config.ledger, home) });
};

/** One process's proof of life beside an embedded ledger; elsewhere nothing can be proven, and nothing is claimed. */
export type Owners = {
  /** Those that are gone and have left their lock behind. */
  readonly ended: () => readonly Ulid[];
  readonly hold: (instance: Ulid) => () => void;
  readonly isEnded: (owner: Ulid) => boolean;
  /** Takes away what proves that an owner is gone. */
  readonly remove: (owner: Ulid) => void;
};

const NO_OWNERS: Owners = {
  ended: () => [],
  hold: () => () => undefined,
  isEnded: () => false,
  remove: () => undefined,
};

export const ownersAt = async (config: LedgerConfig, home: string): Promise<Owners> => {
  if (config.engine !== "sqlite") return NO_OWNERS;
  const locks = await import("./ledger/engines/sqlite/owner-lock.ts");
  const path = resolve(home, config.path);
  return {
    ended: () => locks.endedOwners(path),
    hold: (instance) => locks.holdOwnerLock(path, instance),
    isEnded: (owner) => locks.isOwnerEnded(path, owner),
    remove: (owner) => locks.removeOwnerLock(path, owner),
  };
};

export type Adapter = {
  readonly actuator?: Actuator;
  readonly examine?: ProxmoxAdapter["examine"];
  readonly source: Source;
};

/** What whoever looks may hear while it goes on. */
export type Listening = {
  readonly onProgress?: (done: { readonly looked: number; readonly wanted: number }) => void;
  readonly onUnanswered?: Unanswered;
};

/** Both sides of one environment's place, with its secrets looked up. */
export const adapterOf = async (
  name: string,
  environment: EnvironmentConfig,
  home: string,
  { onProgress, onUnanswered }: Listening = {},
): Promise<Adapter | Refusal> => {
  switch (environment.adapter) {
    case "proxmox": {
      const { proxmoxAdapter } = await import("./adapters/proxmox/adapter.ts");
      const { credentials, tls, url } = environment;
      const observe = secretAt(credentials.observe, home);
      if (typeof observe !== "string") return observe;
      const apply = credentials.apply === undefined ? undefined : secretAt(credentials.apply, home);
      if (apply !== undefined && typeof apply !== "string") return apply;
      const trust = trustOf(tls, home);
      if ("kind" in trust) return trust;
      return proxmoxAdapter({
        ...(apply === undefined ? {} : { apply: new Secret(apply) }),
        environment: name,
        now,
        observe: new Secret(observe),
        ...(onProgress === undefined ? {} : { onProgress }),
        ...(onUnanswered === undefined ? {} : { onUnanswered }),
        sleep: (ms, signal) => sleepFor(ms, undefined, { signal }).catch(ended),
        tls: trust,
        url,
      });
    }
    case "replay":
      return recordedLook(name, environment.path, home);
    default:
      return refuse("adapter-unavailable", { because: `${environment.adapter} is not part of this version` });
  }
};

/** A sleep that is broken off is over. */
const ended = (error: unknown): void => {
  if (!(error instanceof Error) || error.name !== "AbortError") throw error;
};

type Trusted<T> = Exclude<T, { readonly verify: "ca" }> | { readonly pem: string; readonly verify: "ca" };

const trustOf = <T extends Tls>(tls: T, home: string): Trusted<T> | Refusal => {
  if (tls.verify !== "ca") return tls as Exclude<T, { readonly verify: "ca" }>;
  try {
    return { pem: plainBytes(resolve(home, tls.file)).toString("utf8"), verify: "ca" };
  } catch {
    return refuse("file-unreadable", { because: `${tls.file}, the certificate to verify with, cannot be read` });
  }
};

const recordedLook = (name: string, path: string, home: string): Adapter | Refusal => {
  let text: string;
  try {
    text = plainBytes(resolve(home, path)).toString("utf8");
  } catch {
    return refuse("file-unreadable", { because: `${path}, the recorded observation, cannot be read` });
  }
  const source = replayOf(text, path, { complete: false, environment: name });
  if (source.kind === "ok") return { source: source.value };
  const { at, because, code } = source.problems[0];
  return refuse(code, { because: `${path}, line ${at.line}: ${because}` });
};

export type Simulated = {
  readonly ca: string;
  readonly fingerprint: string;
  readonly stop: () => Promise<void>;
  readonly url: string;
};
export type Answered = { readonly method: string; readonly path: string; readonly status?: number };

/** A pretended place on the loopback address, whose time is the wall clock's; or why its port cannot be had. */
export const simulate = async (
  file: ScenarioFile,
  port: number,
  onRequest: (answered: Answered) => void,
): Promise<Simulated | Refusal> => {
  const { scenarioOf } = await import("./simulator/scenario.ts");
  const { startSimulator } = await import("./simulator/start.ts");
  try {
    const clock = { kind: "follows", nowMs } as const;
    return await startSimulator({ clock, onRequest, port, scenario: scenarioOf(file, nowMs()) });
  } catch (error) {
    const reason = PORT_REASONS[(error as NodeJS.ErrnoException).code ?? ""];
    if (reason === undefined) throw error;
    return refuse("port-unusable", { because: `port ${port} ${reason}` });
  }
};

const PORT_REASONS: Readonly<Record<string, string>> = {
  EACCES: "may not be used by this user",
  EADDRINUSE: "is taken by another program",
};

/** What a service is given, but for who hears of it and the program's own version. */
export const servicePorts = (): Omit<Ports, "hears" | "version"> => ({
  adapter: adapterOf,
  clock: { monotonicMs, now },
  ids: { publicId, secretText, ulids },
  ledger: { open: openLedger, owners: ownersAt, savedState: snapshotFile },
});
