// What an engine says of itself: its name, its keys in dedalus.yaml, and where a ledger of it is.
//
// One descriptor is all that the rest of Dedalus knows of an engine; wire.ts lists them. A descriptor is read at every
// start, so it loads its engine only when a ledger is opened. Not here: what an engine promises (../engine.ts).

import type { SecretRef, Tls } from "../../formats/dedalus/dedalus-guards.ts";
import type { Keys, OwnKeys, OwnSettings, SettingsOf } from "../../formats/dedalus/own-keys.ts";
import type { Refusal } from "../../spine/model.ts";
import type { LedgerLocation } from "../engine.ts";
import type { LedgerFile } from "../files/held-files.ts";
import type { PathClaim } from "../files/path-claims.ts";

/** What an engine is given of the machine. */
export type EngineSurroundings = {
  /** A path of the configuration as the system takes it. */
  readonly resolve: (path: string) => string;
  readonly secret: (at: SecretRef) => string | Refusal;
  readonly trust: <T extends Tls>(
    tls: T,
  ) => Exclude<T, { readonly verify: "ca" }> | { readonly pem: string; readonly verify: "ca" } | Refusal;
};

/** Of an engine whose ledgers are files on this machine. */
export type Embedded<S> = {
  /** Every path that a ledger there may write, and nobody else may. */
  readonly claims: (settings: S, resolve: EngineSurroundings["resolve"]) => readonly PathClaim[];
  /** Whether they exist or not. */
  readonly files: (settings: S, resolve: EngineSurroundings["resolve"]) => readonly LedgerFile[];
  /** Where its saved state is. */
  readonly savedState: (settings: S, resolve: EngineSurroundings["resolve"]) => string;
};

/** An address as somebody gives it for a copy; one that came from an environment variable or a file is a secret. */
export type LedgerAddress = { readonly isSecret: boolean; readonly value: string };

type Parts<S> = {
  readonly at: (settings: S, given: EngineSurroundings) => LedgerLocation | Refusal;
  /** Absent where its ledgers are on a server. */
  readonly embedded?: Embedded<S>;
  readonly name: string;
  /** Undefined when it is no address of this engine. */
  readonly target: (address: LedgerAddress, resolve: EngineSurroundings["resolve"]) => LedgerLocation | undefined;
};

export type EngineDescriptor = OwnKeys & Parts<OwnSettings>;

type Described<K extends Keys, O extends Keys> = Parts<SettingsOf<K, O>> & {
  readonly keys: K;
  readonly optional: O;
  readonly secrets: (settings: SettingsOf<K, O>) => readonly SecretRef[];
};

/** Settings come back to the descriptor whose keys read them, and to no other. */
export const describeEngine = <K extends Keys, O extends Keys>(described: Described<K, O>): EngineDescriptor => {
  type Own = SettingsOf<K, O>;
  const { at, embedded, secrets, ...rest } = described;
  return {
    ...rest,
    at: (settings, given) => at(settings as Own, given),
    ...(embedded === undefined
      ? {}
      : {
          embedded: {
            claims: (settings, resolve) => embedded.claims(settings as Own, resolve),
            files: (settings, resolve) => embedded.files(settings as Own, resolve),
            savedState: (settings, resolve) => embedded.savedState(settings as Own, resolve),
          },
        }),
    secrets: (settings) => secrets(settings as Own),
  };
};
