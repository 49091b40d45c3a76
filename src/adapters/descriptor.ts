// What an adapter says of itself: its name, its keys in dedalus.yaml, whose numbers its VMs have, how it is opened, and
// how an installation begins with it.
//
// One descriptor is all that the rest of Dedalus knows of an adapter; wire.ts lists them. A descriptor is read at every
// start, so it loads its adapter only when one is opened. Not here: the ports themselves (source.ts, actuator.ts).

import type { ServerTrust } from "../dial/trust.ts";
import type { AdapterKeys } from "../formats/dedalus/dedalus-environment.ts";
import type { SecretRef, Tls } from "../formats/dedalus/dedalus-guards.ts";
import type { Keys, OwnSettings, SettingsOf } from "../formats/dedalus/own-keys.ts";
import type { Diagnostic } from "../spine/diagnostic-codes.ts";
import type { Instant, Refusal } from "../spine/model.ts";
import type { Actuator } from "./actuator.ts";
import type { ExaminationWords, Examine } from "./examination.ts";
import type { Inventory } from "./inventory.ts";
import type { Secret } from "./secret.ts";
import type { Source, Unanswered } from "./source.ts";

/** What whoever observes may hear while it goes on. */
export type ObservationListener = {
  readonly onProgress?: (done: { readonly observed: number; readonly wanted: number }) => void;
  readonly onUnanswered?: Unanswered;
};

/** What an adapter is given of the machine: it reads no file, no clock and no secret by itself. */
export type AdapterSurroundings = ObservationListener & {
  readonly environment: string;
  readonly now: () => Instant;
  readonly secret: (at: SecretRef) => Secret | Refusal;
  /** Resolves when the time is over or the signal aborts, and never rejects. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The text of a file that the configuration names; `what` says what it is to be, for the refusal. */
  readonly text: (path: string, what: "certificate" | "observation") => string | Refusal;
  readonly trust: (tls: Tls) => ServerTrust | Refusal;
};

/**
 * Both sides of one environment's provider. Without an actuator it can only be observed; without examine there is
 * nobody to ask.
 */
export type Adapter = {
  readonly actuator?: Actuator;
  readonly examine?: Examine;
  /** Absent where nothing can be listed. */
  readonly inventory?: Inventory;
  readonly source: Source;
};

/** What is known of a provider when the configuration of its first environment is written. */
export type FirstEnvironment = {
  /** The variables that hold its tokens. */
  readonly apply?: string;
  readonly observe: string;
  /** Of the certificate that was confirmed. */
  readonly sha256: string;
  readonly url: string;
};

/**
 * How an installation begins with a provider: whose certificate it is, and the section of dedalus.yaml with its own
 * keys.
 */
export type Beginning = {
  /** The fingerprint that answers at an address, for a person to compare; nothing is sent there. */
  readonly certificateAt: (address: string) => Promise<string | Diagnostic>;
  /** The provider's own command that shows the same fingerprint. */
  readonly comparedWith: string;
  /** Lines with their comments, for a person to edit. */
  readonly example: readonly string[];
  readonly section: (at: FirstEnvironment) => readonly string[];
  /** How a token of it is written. */
  readonly tokenForm: string;
};

/** Absent where nothing at an address can be begun with. An address that several would take belongs to the first. */
export type Begins = {
  /** How such an address is written. */
  readonly address: string;
  readonly load: () => Promise<Beginning>;
  readonly takes: (address: string) => boolean;
};

export type AdapterDescriptor = AdapterKeys & {
  readonly begins?: Begins;
  readonly name: string;
  readonly open: (settings: OwnSettings, given: AdapterSurroundings) => Promise<Adapter | Refusal>;
  /** Of what its examination finds. */
  readonly words: ExaminationWords;
};

/** For an adapter that has nobody to examine. */
export const NO_WORDS: ExaminationWords = { checks: {}, found: {}, next: {} };

/** The same, with the settings as its own keys read them. */
type Described<K extends Keys, O extends Keys> = {
  readonly acts: (settings: SettingsOf<K, O>) => boolean;
  readonly begins?: Begins;
  readonly keys: K;
  readonly live: AdapterKeys["live"];
  readonly name: string;
  readonly numbers: AdapterKeys["numbers"];
  readonly open: (settings: SettingsOf<K, O>, given: AdapterSurroundings) => Promise<Adapter | Refusal>;
  readonly optional: O;
  readonly secrets: (settings: SettingsOf<K, O>) => readonly SecretRef[];
  readonly words: ExaminationWords;
};

/** Settings come back to the descriptor whose keys read them, and to no other. */
export const describeAdapter = <K extends Keys, O extends Keys>(described: Described<K, O>): AdapterDescriptor => ({
  ...described,
  acts: (settings) => described.acts(settings as SettingsOf<K, O>),
  open: (settings, given) => described.open(settings as SettingsOf<K, O>, given),
  secrets: (settings) => described.secrets(settings as SettingsOf<K, O>),
});
