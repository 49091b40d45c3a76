// What every path of an installation is for, and that no path is for two things: what one of them writes would destroy
// the other.
//
// One rule for the configuration itself, for the target of a move and for every file that a command writes. Compared is
// what would be on the disk, not how it is spelled (ledger/files/path-claims.ts).

import { resolve } from "node:path";
import type { SecretRef } from "../formats/dedalus/dedalus-guards.ts";
import { serviceSecrets } from "../formats/dedalus/dedalus-service.ts";
import type { Config } from "../formats/dedalus/dedalus-yaml.ts";
import { fileClaim, type PathClaim, type PlacedClaim, placeClaims, sharedClaim } from "../ledger/files/path-claims.ts";
import type { Refusal } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";

export type PathRoleName =
  | "anchor"
  | "certificate"
  | "configuration"
  | "credential"
  | "desired-state"
  | "ledger"
  | "output"
  | "policy"
  | "signing-key"
  | "move-target";

export type PathRole = { readonly claims: readonly PathClaim[]; readonly role: PathRoleName };

type Installation = {
  readonly config: Config;
  /** The path of dedalus.yaml. */
  readonly file: string;
  readonly home: string;
  readonly ledger: readonly PathClaim[];
};

const filesIn = (secrets: readonly SecretRef[]): readonly string[] =>
  secrets.flatMap((secret) => ("file" in secret ? [secret.file] : []));

export const rolesOf = ({ config, file, home, ledger }: Installation): readonly PathRole[] => {
  const at = (role: PathRoleName, ...paths: readonly string[]): PathRole => ({
    claims: [...new Set(paths)].map((path) => fileClaim(resolve(home, path))),
    role,
  });
  const environments = [...config.environments.values()];
  const { service } = config;
  const anchor = at("anchor", config.anchor);
  return [
    { claims: ledger, role: "ledger" },
    // What re-anchor keeps of an old one.
    {
      ...anchor,
      claims: [...anchor.claims, { kind: "begins", path: resolve(home, `${config.anchor}.before-`) }],
    },
    at("signing-key", config.signingKey),
    at("configuration", file),
    at(
      "credential",
      ...filesIn([...config.ledger.secrets, ...environments.flatMap(({ secrets }) => secrets)]),
      ...(service === undefined ? [] : filesIn(serviceSecrets(service))),
      ...(service?.tls === undefined ? [] : [service.tls.key]),
    ),
    at("certificate", ...(service?.tls === undefined ? [] : [service.tls.certificate])),
    at("desired-state", ...environments.map(({ desired }) => desired)),
    at("policy", ...environments.flatMap(({ policy }) => (policy === undefined ? [] : [policy]))),
  ];
};

type PlacedRole = { readonly at: readonly PlacedClaim[]; readonly role: PathRoleName };
const placedRole = ({ claims, role }: PathRole): PlacedRole => ({ at: placeClaims(claims), role });

const sharedBy = (one: PlacedRole, other: PlacedRole): readonly Refusal[] => {
  const shared = sharedClaim(one.at, other.at);
  if (shared === undefined) return [];
  return [refuse("path-shared", { facts: { file: shared.path, other: other.role, role: one.role } })];
};

/** Why this may not be written where it would be: the first role that has the path already. */
export const checkRole = (role: PathRole, others: readonly PathRole[]): Refusal | undefined => {
  const ours = placedRole(role);
  return others.flatMap((other) => sharedBy(ours, placedRole(other)))[0];
};

/** Every role whose path another one has, each pair once. */
export const findSharedRoles = (roles: readonly PathRole[]): readonly Refusal[] => {
  const all = roles.map(placedRole);
  return all.flatMap((role, at) => all.slice(0, at).flatMap((other) => sharedBy(role, other)));
};
