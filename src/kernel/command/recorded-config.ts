// The configuration as the kernel knows it: recorded whole by the first record of every process, and named by its hash
// in every record after, so that a replay judges by the configuration of then. It holds no secret, only where they are.
// keeps G7

import type { Numbers, Sha256 } from "../../spine/model.ts";
import type { Policy } from "../../spine/plan/policy.ts";
import { canonical, type Json } from "../../spine/values/canonical.ts";
import { sha256 } from "../../spine/values/hash.ts";
import type { RoleGrant } from "./role-grants.ts";

export type RecordedEnvironment = {
  readonly adapter: string;
  readonly approval: "four-eyes" | "single-operator";
  /** Whether its observations are live; only those carry an apply. */
  readonly live: boolean;
  readonly maxObservationAgeMs: number;
  readonly numbers: Numbers;
  /** What its policy file says, so that no file is needed to decide again; absent when it names none. */
  readonly policy?: Policy;
  /** What its adapter needs besides: places, names of secrets. */
  readonly [key: string]: Json;
};
/** Of a service: by whom people sign in, what the members of each group may do, and how long a session lasts. */
export type RecordedService = {
  readonly oidc?: {
    readonly groups: readonly (RoleGrant & { readonly group: string })[];
    readonly issuer: string;
    readonly [key: string]: Json;
  };
  readonly sessions: { readonly hours: number; readonly idleMinutes: number };
  /** Where it listens, whom it tells. */
  readonly [key: string]: Json;
};
export type RecordedConfig = {
  readonly environments: { readonly [name: string]: RecordedEnvironment };
  readonly operator: string;
  readonly service?: RecordedService;
  readonly [key: string]: Json;
};

export const configHash = (config: RecordedConfig): Sha256 => sha256(canonical(config));

export type Sections = { readonly [environment: string]: Sha256 };

/**
 * Each environment's own section, as it is hashed into its plans; they stand on its policy beside it, by a digest of
 * its own.
 */
export const sectionsOf = ({ environments }: RecordedConfig): Sections =>
  Object.fromEntries(Object.entries(environments).map(([name, section]) => [name, sectionHash(name, section)]));

const sectionHash = (name: string, { policy: _policy, policyFile: _file, ...section }: RecordedEnvironment): Sha256 =>
  sha256(canonical({ ...section, environment: name }));
