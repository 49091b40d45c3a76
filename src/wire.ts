// Joins: the only file that names concrete adapters and engines. keeps P7-S2
//
// An adapter or an engine is its folder and its name in one of the two tables; everything else is asked of its
// descriptor. Engines and adapters are loaded when one is opened, so that a command without one starts as fast as ever.

import { resolve } from "node:path";
import { setTimeout as sleepFor } from "node:timers/promises";
import type { Adapter, AdapterDescriptor, Beginning, ObservationListener } from "./adapters/descriptor.ts";
import type { ExaminationWords } from "./adapters/examination.ts";
import { proxmox } from "./adapters/proxmox/descriptor.ts";
import { replayAdapter } from "./adapters/replay/descriptor.ts";
import { Secret } from "./adapters/secret.ts";
import { type SecretOwner, type SeeSecret, seenSecrets } from "./adapters/seen-secrets.ts";
import type { Source } from "./adapters/source.ts";
import type { Readiness, ReadyAt, Unasked } from "./boundary/ask-ready.ts";
import type { ServingGiven, ServingProcess } from "./boundary/serving-process.ts";
import { monotonicMs, now, nowMs } from "./clock.ts";
import { ownFile } from "./config.ts";
import type { ServerAddress } from "./formats/client/server-address.ts";
import type { BareList } from "./formats/current-json.ts";
import type { EnvironmentConfig } from "./formats/dedalus/dedalus-environment.ts";
import type { SecretRef, Tls } from "./formats/dedalus/dedalus-guards.ts";
import type { Known, LedgerConfig } from "./formats/dedalus/dedalus-yaml.ts";
import type { Parsed } from "./formats/problem.ts";
import type { ScenarioFile } from "./formats/scenario/scenario-yaml.ts";
import { publicId, secretText, ulids } from "./ids.ts";
import type { LedgerLocation, Opened, OwnerLocks } from "./ledger/engine.ts";
import type { EngineDescriptor } from "./ledger/engines/descriptor.ts";
import { postgres } from "./ledger/engines/postgres/descriptor.ts";
import { sqlite } from "./ledger/engines/sqlite/descriptor.ts";
import type { LedgerFile } from "./ledger/files/held-files.ts";
import { fileClaim, type PathClaim } from "./ledger/files/path-claims.ts";
import { readPlainBytes } from "./ledger/files/plain-file.ts";
import { readSecret } from "./secrets.ts";
import type { RefusedAnswer } from "./service/answer.ts";
import type { OwnedSecret, Ports } from "./service/ports.ts";
import type { SchemaDocument } from "./service/remote/fits-schema.ts";
import type { SendPort } from "./service/remote/send.ts";
import type { Service } from "./service/service.ts";
import type { Refusal } from "./spine/model.ts";
import { refuse } from "./spine/rules/refusals.ts";
import { startThread } from "./start-thread.ts";

export const ADAPTERS: readonly AdapterDescriptor[] = [proxmox, replayAdapter];
/** An address that several would take belongs to the first. */
export const ENGINES: readonly EngineDescriptor[] = [postgres, sqlite];

/** A source that gives a recorded observation again. */
export const openReplay = async (text: string, file: string, options: BareList): Promise<Parsed<Source>> => {
  const [{ parseCurrent }, { replaySource }] = [
    await import("./formats/current-json.ts"),
    await import("./adapters/replay/replay.ts"),
  ];
  const parsed = parseCurrent(text, file, options);
  return parsed.kind === "ok" ? { kind: "ok", value: replaySource(parsed.value) } : parsed;
};

const secretAt = (ref: SecretRef, home: string): string | Refusal => {
  const read = readSecret(ref, home);
  return read.kind === "secret" ? read.value : read.refusal;
};

/** The same, where nobody else was seen with it. */
const secretOf = (owner: SecretOwner, ref: SecretRef, home: string, see: SeeSecret): string | Refusal => {
  const text = secretAt(ref, home);
  return typeof text === "string" ? (see(owner, text) ?? text) : text;
};

/** Of those that can be read. What is compared here is forgotten here: nobody used it. */
const sharedAmong = (named: readonly OwnedSecret[], home: string): readonly Refusal[] => {
  const see = seenSecrets(secretText);
  return named.flatMap(({ owner, ref }) => {
    const text = secretAt(ref, home);
    return typeof text === "string" ? (see(owner, text) ?? []) : [];
  });
};

const textAt = (path: string, home: string, cause: "certificate" | "observation"): string | Refusal => {
  try {
    return readPlainBytes(resolve(home, path)).toString("utf8");
  } catch {
    return refuse("file-unreadable", { cause, facts: { file: path } });
  }
};

type Trusted<T> = Exclude<T, { readonly verify: "ca" }> | { readonly pem: string; readonly verify: "ca" };

const trustOf = <T extends Tls>(tls: T, home: string): Trusted<T> | Refusal => {
  if (tls.verify !== "ca") return tls as Exclude<T, { readonly verify: "ca" }>;
  const pem = textAt(tls.file, home, "certificate");
  return typeof pem === "string" ? { pem, verify: "ca" } : pem;
};

/** A sleep that is broken off is over. */
const ended = (error: unknown): void => {
  if (!(error instanceof Error) || error.name !== "AbortError") throw error;
};

const NO_OWNERS: OwnerLocks = {
  close: () => Promise.resolve(),
  ended: () => [],
  gone: () => Promise.resolve(new Map()),
  hold: () => Promise.resolve({ isHeld: () => Promise.resolve(true) }),
  remove: () => undefined,
};

const byName = <T extends { readonly name: string }>(rows: readonly T[]): Readonly<Record<string, T>> =>
  Object.fromEntries(rows.map((row) => [row.name, row]));

/** Everything that is asked of the adapters and engines of these tables. */
export const joined = (adapters: readonly AdapterDescriptor[], engines: readonly EngineDescriptor[]) => {
  const known = { adapters: byName(adapters), engines: byName(engines) } satisfies Known;

  /** A configuration was read with these tables, so its names are in them. */
  const rowOf = <T>(table: Readonly<Record<string, T>>, name: string): T => {
    const row = Object.hasOwn(table, name) ? table[name] : undefined;
    if (row === undefined) throw new Error(`${name} was configured and is not in the table`);
    return row;
  };
  const engineOf = ({ engine }: LedgerConfig): EngineDescriptor => rowOf(known.engines, engine);
  const within = (home: string) => (path: string) => resolve(home, path);

  const ledgerFiles = (config: LedgerConfig, home: string): readonly LedgerFile[] =>
    engineOf(config).embedded?.files(config.settings, within(home)) ?? [];

  /** The file of the ledger's saved state: beside the ledger where that is a file, and at home where it is a server. */
  const savedStateFile = (config: LedgerConfig, home: string): string =>
    engineOf(config).embedded?.savedState(config.settings, within(home)) ?? resolve(home, "ledger-saved-state");

  /** Every path that it may write: a ledger on a server has its saved state here. */
  const ledgerClaims = (config: LedgerConfig, home: string): readonly PathClaim[] =>
    engineOf(config).embedded?.claims(config.settings, within(home)) ?? [
      fileClaim(savedStateFile(config, home)),
      { kind: "begins", path: `${savedStateFile(config, home)}.` },
    ];

  /** Only the first record of a ledger makes it; whoever continues one must find it. */
  const found = async (location: LedgerLocation): Promise<Opened> => {
    const opened = await location.open("read");
    if (opened.kind === "refused") return opened;
    await opened.engine.close();
    return location.open("write");
  };

  /** The address of a ledger is a secret of the service itself: no provider is given it. */
  const ledgersBy = (see: SeeSecret): Ports["ledger"] => {
    const secretIn = (home: string) => (at: SecretRef) => secretOf({ kind: "service" }, at, home, see);
    const location = (config: LedgerConfig, home: string): LedgerLocation | Refusal =>
      engineOf(config).at(config.settings, {
        resolve: within(home),
        secret: secretIn(home),
        trust: (tls) => trustOf(tls, home),
      });
    return {
      claims: ledgerClaims,
      files: ledgerFiles,
      location,
      /** The configured ledger, checked against its anchor. */
      open: async (config, home, expected) => {
        const at = location(config.ledger, home);
        if ("code" in at) return { kind: "refused", refusal: at };
        const anchor = resolve(home, config.anchor);
        const { isAnchorUnused, openChecked } = await import("./ledger/open.ts");
        const isReading = expected.mode === "read" || expected.mode === "view";
        const isFirst = expected.mode === "write" && isAnchorUnused(anchor);
        const open = isReading ? at.open("read") : isFirst ? at.open("write") : found(at);
        return openChecked(await open, { ...expected, anchor, savedState: savedStateFile(config.ledger, home) });
      },
      owners: async (config, home) => {
        const at = location(config, home);
        if ("code" in at) return { ...NO_OWNERS, hold: () => Promise.resolve(at) };
        return at.owners === undefined ? NO_OWNERS : at.owners();
      },
      savedState: savedStateFile,
      /** Where a copy goes: the address as it is given, or where it is kept as a secret. */
      target: ({ address: at, folder }) => {
        const value = typeof at === "string" ? at : secretIn(folder)(at);
        if (typeof value !== "string") return value;
        const address = { isSecret: typeof at !== "string", value };
        for (const { target } of engines) {
          const found = target(address, within(folder));
          if (found !== undefined) return found;
        }
        return refuse("usage", { cause: "target-unknown" });
      },
    };
  };

  /** Both sides of one environment's provider, with its secrets looked up: each is its own alone. */
  const adaptersBy =
    (see: SeeSecret) =>
    async (
      environment: string,
      { adapter, settings }: EnvironmentConfig,
      home: string,
      listener: ObservationListener = {},
    ): Promise<Adapter | Refusal> =>
      rowOf(known.adapters, adapter).open(settings, {
        ...listener,
        environment,
        now,
        secret: (at) => {
          const text = secretOf({ kind: "environment", name: environment }, at, home, see);
          return typeof text === "string" ? new Secret(text) : text;
        },
        sleep: (ms, signal) => sleepFor(ms, undefined, { signal }).catch(ended),
        text: (path, cause) => textAt(path, home, cause),
        trust: (tls) => trustOf(tls, home),
      });

  const examinationWords = (adapter: string): ExaminationWords => rowOf(known.adapters, adapter).words;

  /** What a service is given, but for its configuration, who hears of it and the program's own version. */
  const servicePorts = (): Omit<Ports, "configured" | "hears" | "version"> => {
    const see = seenSecrets(secretText);
    const serviceSecret: Ports["serviceSecret"] = (ref, home) => secretOf({ kind: "service" }, ref, home, see);
    return {
      adapter: adaptersBy(see),
      clock: { monotonicMs, now },
      ids: { publicId, secretText, ulids },
      ledger: ledgersBy(see),
      servedCertificate: async (tls, home) =>
        (await import("./boundary/served-certificate.ts")).readServedCertificate(home, tls, serviceSecret),
      serviceSecret,
      sharedSecrets: sharedAmong,
      startThread,
    };
  };

  const begins = adapters.flatMap((one) => one.begins ?? []);
  /** How an installation begins with what is at an address; or how such addresses are written. */
  const beginningAt = async (address: string): Promise<Beginning | readonly string[]> =>
    (await begins.find(({ takes }) => takes(address))?.load()) ?? begins.map((one) => one.address);
  const beginnings = (): Promise<readonly Beginning[]> => Promise.all(begins.map(({ load }) => load()));

  return { beginningAt, beginnings, examinationWords, known, ledgerClaims, servicePorts };
};

export const { beginningAt, beginnings, examinationWords, known, ledgerClaims, servicePorts } = joined(
  ADAPTERS,
  ENGINES,
);

export type RemoteNamed = ClientNamed & { readonly token: string };
type ClientNamed = {
  readonly address: ServerAddress;
  /** The folder that the path of an authority's file is read from. */
  readonly home: string;
  readonly tls: Tls;
  readonly version: string;
};

type Reached = ClientNamed & { readonly token?: string };
/** What sends to the service at an address; or why its authority's certificate cannot be read. */
export const clientOf = async ({ home, tls, ...named }: Reached): Promise<Refusal | SendPort> => {
  const trust = trustOf(tls, home);
  // Whoever asks stands in any folder: the file is told whole, and who names it.
  const facts = { file: tls.verify === "ca" ? resolve(home, tls.file) : "", folder: home };
  if ("code" in trust) return refuse("file-unreadable", { cause: "client-certificate", facts });
  return (await import("./boundary/client/http-client.ts")).httpClient({ ...named, trust });
};

/** The service at an address. Nothing is asked of it yet. */
export const openRemote = async (named: RemoteNamed): Promise<Refusal | Service> => {
  const port = await clientOf(named);
  if ("code" in port) return port;
  const { remoteService } = await import("./service/remote/remote-service.ts");
  return remoteService({ documents: readSchema, newKey: ulids(), now, pause: (ms) => sleepFor(ms), port });
};

/** The agents' door of a service at an address, for a pipe: what comes out of it for what goes in. */
export const bridgeToService = async (
  named: RemoteNamed,
): Promise<((input: AsyncIterable<Uint8Array>) => AsyncGenerator<string>) | Refusal> => {
  const port = await clientOf(named);
  if ("code" in port) return port;
  const { bridgedLines } = await import("./boundary/mcp/stdio-bridge.ts");
  return (input) => bridgedLines(input, port);
};

/** Undefined where people can sign in at the service: its page answers, whatever it says. */
export const offersSignIn = async (named: Omit<RemoteNamed, "token">): Promise<Refusal | undefined> => {
  const port = await clientOf(named);
  if ("code" in port) return port;
  const { SIGN_IN_PATH } = await import("./boundary/contract/terminal-sign-in.ts");
  const reply = await port.send({ headers: {}, method: "GET", path: SIGN_IN_PATH });
  if (reply.kind === "none") return reply.refusal;
  return reply.status === 404 ? refuse("sign-in-unavailable", { facts: { server: port.server } }) : undefined;
};

const schemas = new Map<string, SchemaDocument>();
/** The published schemas are files of the package. */
const readSchema = (file: string): SchemaDocument => {
  const known = schemas.get(file) ?? JSON.parse(readPlainBytes(ownFile(`schemas/${file}`)).toString("utf8"));
  schemas.set(file, known);
  return known;
};

const CHECK_MS = 4_000;
/** Whether the service that listens there is ready. */
export const checkService = async (at: ReadyAt): Promise<Readiness | Unasked> =>
  (await import("./boundary/ask-ready.ts")).askReady(at, CHECK_MS);

/** A process that serves over HTTP; loaded by whoever serves. */
const STANDARD_ERROR = 2;

export const serveOverHttp = async (
  given: Omit<ServingGiven, "secret" | "telemetry"> & { readonly log: (line: string) => void },
): Promise<RefusedAnswer | ServingProcess> => {
  const [{ startServing }, { lineWriter }, { openTelemetry }] = [
    await import("./boundary/serving-process.ts"),
    await import("./boundary/telemetry/line-writer.ts"),
    await import("./boundary/telemetry/telemetry.ts"),
  ];
  const { version } = given.ports;
  const stream = lineWriter(STANDARD_ERROR, given.log);
  const telemetry = openTelemetry({ monotonicMs, now, stream, version });
  stream.hearDropped(telemetry.linesDropped);
  const { home } = given.configuration;
  return startServing({ ...given, secret: (ref) => given.ports.serviceSecret(ref, home), telemetry });
};

export type Simulated = {
  readonly ca: string;
  readonly fingerprint: string;
  readonly stop: () => Promise<void>;
  readonly url: string;
};
export type Answered = { readonly method: string; readonly path: string; readonly status?: number };

/** A simulated provider on the loopback address, whose time is the wall clock's; or why its port cannot be had. */
export const simulate = async (
  file: ScenarioFile,
  port: number,
  onRequest: (answered: Answered) => void,
): Promise<Simulated | Refusal> => {
  const { scenarioOf } = await import("./simulator/scenario.ts");
  const { startSimulator } = await import("./simulator/start-simulator.ts");
  try {
    const clock = { kind: "follows", nowMs } as const;
    return await startSimulator({ clock, onRequest, port, scenario: scenarioOf(file, nowMs()) });
  } catch (error) {
    const cause = PORT_CAUSES[(error as NodeJS.ErrnoException).code ?? ""];
    if (cause === undefined) throw error;
    return refuse("port-unusable", { cause, facts: { port } });
  }
};

const PORT_CAUSES: Readonly<Record<string, "denied" | "taken">> = { EACCES: "denied", EADDRINUSE: "taken" };
