// What a token or a session is granted: roles, and the environments in which they hold.
//
// Whoever acts in an environment has the roles that hold there; whatever concerns no single environment (freezing
// everything, tokens, the ledger itself) takes the roles that were granted for all. Not here: what a role may ask for
// (decide/actors.ts). keeps B3

import type { Role } from "./roles.ts";

export type RoleGrant = { readonly environments: "all" | readonly string[]; readonly roles: readonly Role[] };
export type Grants = readonly RoleGrant[];

const holdsIn = ({ environments }: RoleGrant, environment: string | undefined): boolean =>
  environments === "all" || (environment !== undefined && environments.includes(environment));

/** The roles that hold in an environment; without one, those that hold everywhere. Sorted, each once. */
export const rolesHeldIn = (grants: Grants, environment: string | undefined): readonly Role[] =>
  [...new Set(grants.filter((grant) => holdsIn(grant, environment)).flatMap(({ roles }) => roles))].toSorted();

/** Every role that holds anywhere. Sorted, each once. */
export const rolesHeld = (grants: Grants): readonly Role[] =>
  [...new Set(grants.flatMap(({ roles }) => roles))].toSorted();
