// What a service is given: the configuration it serves, and everything that touches the world. The joining file
// makes the ports from concrete engines and adapters; a test hands in its own.
//
// An adapter is made for each observation and each apply, so that a secret that was rotated is read anew.

import type { Adapter, ObservationListener } from "../adapters/descriptor.ts";
import type { SecretOwner } from "../adapters/seen-secrets.ts";
import type { EnvironmentConfig } from "../formats/dedalus/dedalus-environment.ts";
import type { SecretRef } from "../formats/dedalus/dedalus-guards.ts";
import type { ServiceTls } from "../formats/dedalus/dedalus-service.ts";
import type { Config, LedgerConfig } from "../formats/dedalus/dedalus-yaml.ts";
import type { Policies } from "../formats/policy-yaml.ts";
import type { Parsed, Problem } from "../formats/problem.ts";
import type { PerformerEnding } from "../kernel/apply/perform-apply.ts";
import type { IntentState } from "../kernel/state/state.ts";
import type { LedgerLocation, OwnerLocks } from "../ledger/engine.ts";
import type { LedgerFile } from "../ledger/files/held-files.ts";
import type { PathClaim } from "../ledger/files/path-claims.ts";
import type { Expected, LedgerOpened } from "../ledger/open.ts";
import type { Actor, Ulid } from "../ledger/record/record.ts";
import type { Instant, Refusal } from "../spine/model.ts";
import type { ServiceNote } from "../spine/words/remarks/note-words.ts";
import type { StartThread } from "./thread-task.ts";

export type Configuration = {
  readonly config: Config;
  /** How the file is called where people are told of it; its name is that of the file in `home`. */
  readonly file: string;
  /** The folder of the file; the paths in it are read from there. */
  readonly home: string;
  readonly policies: Policies;
};

/** A certificate and its key, as texts; or why nothing is served with them, and what the platform said of them. */
export type CertificateRead =
  | { readonly kind: "ok"; readonly value: { readonly cert: string; readonly key: string } }
  | { readonly kind: "bad"; readonly problems: readonly (Problem | Refusal)[]; readonly said?: string };

/** Where a copy goes: as it is given, or kept as a secret. A path in it is read from the folder. */
export type TargetAddress = { readonly address: string | SecretRef; readonly folder: string };

export type LedgerPorts = {
  /** Every path on this machine that the ledger may write. */
  readonly claims: (config: LedgerConfig, home: string) => readonly PathClaim[];
  /** Those that a ledger on this machine has, whether they exist or not. */
  readonly files: (config: LedgerConfig, home: string) => readonly LedgerFile[];
  /** Where the configured ledger is, whatever state it is in. */
  readonly location: (config: LedgerConfig, home: string) => LedgerLocation | Refusal;
  /** The configured ledger, held against its anchor. */
  readonly open: (
    config: Config,
    home: string,
    expected: Omit<Expected, "anchor" | "savedState">,
  ) => Promise<LedgerOpened>;
  readonly owners: (config: LedgerConfig, home: string) => Promise<OwnerLocks>;
  /** The file of the saved state. */
  readonly savedState: (config: LedgerConfig, home: string) => string;
  readonly target: (to: TargetAddress) => LedgerLocation | Refusal;
};

export type ServiceClock = {
  /** Never steps back, and goes on while the process is paused. */
  readonly monotonicMs: () => number;
  readonly now: () => Instant;
};

/** The only source of chance. */
export type Ids = {
  readonly publicId: () => string;
  readonly secretText: () => string;
  /** ULIDs, ascending within what one call gives. */
  readonly ulids: () => () => Ulid;
};

export type OwnedSecret = { readonly owner: SecretOwner; readonly ref: SecretRef };

/** What is told to whoever runs the service, and belongs to no one answer. */
export type Hearing = {
  /** Waited for where words may have to be loaded first. */
  readonly note: (note: ServiceNote) => void | Promise<void>;
  /**
   * Who a request was proven to come from, before it is answered or refused. For an account of who asked; it decides
   * nothing.
   */
  readonly proven?: (actor: Pick<Actor, "id" | "kind">) => void;
  /** Intents that were found without a performer, and ended as unknown. */
  readonly recovered: (intents: readonly IntentState[]) => void;
  /**
   * The id under which this process writes, once its start is recorded. A process that takes up another configuration
   * has several.
   */
  readonly started?: (instance: Ulid) => void;
};

export type Ports = {
  readonly adapter: (
    name: string,
    environment: EnvironmentConfig,
    home: string,
    listener?: ObservationListener,
  ) => Promise<Adapter | Refusal>;
  readonly clock: ServiceClock;
  /** Of a process that may be told to end while it performs. */
  readonly ending?: PerformerEnding;
  /** The configuration as it is written now. */
  readonly configured: () => Parsed<Configuration>;
  readonly hears: Hearing;
  readonly ids: Ids;
  readonly ledger: LedgerPorts;
  /** The certificate that it would serve with, and its key; or why it would not. */
  readonly servedCertificate: (tls: ServiceTls, home: string) => Promise<CertificateRead>;
  /** Callers come through the service door: the start of this process says what rules there. */
  readonly serves?: true;
  /** Of a process that serves: the address that its pages have since its start, whatever is written by now. */
  readonly pagesAt?: { readonly url?: string };
  /** One that the service itself signs or signs in with; refused where an environment was seen with the same. */
  readonly serviceSecret: (ref: SecretRef, home: string) => string | Refusal;
  /** Who has a secret of somebody before them, by their values; what cannot be read is nobody's. */
  readonly sharedSecrets: (named: readonly OwnedSecret[], home: string) => readonly Refusal[];
  /** For a process that lives long; where there is none, what reads the whole ledger is done where it is asked. */
  readonly startThread?: StartThread;
  /** Of the program, as `start` records it. */
  readonly version: string;
};
