// What a record says of the configuration it was decided under: all of it but secrets, which it never held.
//
// dedalus.yaml names the places of secrets, so the places are recorded and the secrets are not. keeps B5
// It also names policy files; what those say is recorded as a value, so that nobody needs the file later. keeps G7

import type { Policy } from "../../spine/plan/policy.ts";
import { present } from "../../spine/values/present.ts";
import type { Policies } from "../policy-yaml.ts";
import type { EnvironmentConfig } from "./dedalus-environment.ts";
import type { ServiceConfig } from "./dedalus-service.ts";
import type { Config, LedgerConfig } from "./dedalus-yaml.ts";

type EnvironmentRecorded = Omit<EnvironmentConfig, "acts" | "policy" | "secrets"> & {
  readonly policy?: Policy;
  readonly policyFile?: string;
};
type ConfigToRecord = {
  readonly anchor: string;
  readonly environments: { readonly [name: string]: EnvironmentRecorded };
  readonly ledger: Omit<LedgerConfig, "secrets">;
  readonly operator: string;
  readonly service?: ServiceConfig;
  readonly signingKey: string;
};

/** Every policy that the configuration names has been read by then, or nothing is recorded at all. */
const recorded = (environment: EnvironmentConfig, policy: Policy | undefined): EnvironmentRecorded => {
  // What follows from the settings is not recorded beside them.
  const { acts: _acts, policy: policyFile, secrets: _secrets, ...rest } = environment;
  if (policyFile === undefined) return rest;
  if (policy === undefined) throw new Error(`the policy ${policyFile} is named and was not read`);
  return { ...rest, policy, policyFile };
};

export const configToRecord = (
  { anchor, environments, ledger, operator, service, signingKey }: Config,
  policies: Policies,
): ConfigToRecord => ({
  anchor,
  environments: Object.fromEntries(
    Array.from(environments, ([name, environment]) => [name, recorded(environment, policies.get(name))]),
  ),
  ledger: { engine: ledger.engine, settings: ledger.settings },
  operator,
  ...present({ service }),
  signingKey,
});
