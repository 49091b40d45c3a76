// What a record says of the configuration it was decided under: all of it but secrets, which it never held.
//
// dedalus.yaml names the places of secrets, so the places are in the snapshot and the secrets are not. keeps B5

import { canonical } from "../spine/canonical.ts";
import { sha256 } from "../spine/hash.ts";
import type { Sha256 } from "../spine/model.ts";
import type { AdapterKind, EnvironmentConfig } from "./dedalus-environment.ts";
import type { Config, LedgerConfig } from "./dedalus-yaml.ts";

/** Whose looks show the place as it is; what was recorded, collected or pushed shows what was. */
const LIVE: Readonly<Record<AdapterKind, boolean>> = {
  dfir: false,
  ec2: true,
  libvirt: true,
  lxd: true,
  proxmox: true,
  replay: false,
  telemetry: false,
};

type Snapshot = {
  readonly anchor: string;
  readonly environments: { readonly [name: string]: EnvironmentConfig & { readonly live: boolean } };
  readonly ledger: LedgerConfig;
  readonly operator: string;
  readonly signingKey: string;
};

export const configSnapshot = ({ anchor, environments, ledger, operator, signingKey }: Config): Snapshot => ({
  anchor,
  environments: Object.fromEntries(
    Array.from(environments, ([name, environment]) => [name, { ...environment, live: LIVE[environment.adapter] }]),
  ),
  ledger,
  operator,
  signingKey,
});

export const configHash = (config: Config): Sha256 => sha256(canonical(configSnapshot(config)));
