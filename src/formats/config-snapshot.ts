// What a record says of the configuration it was decided under: all of it but secrets, which it never held.
//
// dedalus.yaml names the places of secrets, so the places are in the snapshot and the secrets are not. keeps B5

import { canonical, type Json } from "../spine/canonical.ts";
import { sha256 } from "../spine/hash.ts";
import type { Sha256 } from "../spine/model.ts";
import type { Config } from "./dedalus-yaml.ts";

export const configSnapshot = ({ anchor, environments, ledger, operator, signingKey }: Config): Json => ({
  anchor,
  environments: Object.fromEntries(environments),
  ledger,
  operator,
  signingKey,
});

export const configHash = (config: Config): Sha256 => sha256(canonical(configSnapshot(config)));
