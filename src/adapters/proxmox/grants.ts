// The pveum commands that would give a token what it lacks. They are shown and never run.
//
// A token with privilege separation has what both it and its user have, so both get the role. A role on a path replaces
// what comes from above it, so the user gets the role of looking there again, or the other token would lose it.

import type { Token } from "./token.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

type Roles = { readonly token: string; readonly user: string };

const acl = (path: string, roles: Roles, { name, user }: Token): readonly string[] => [
  `pveum acl modify ${path} --users ${quoted(user)} --roles ${roles.user}`,
  `pveum acl modify ${path} --tokens ${quoted(name)} --roles ${roles.token}`,
];

/** PVE's own role of looking at everything. */
const LOOKING = "PVEAuditor";
const ACTING = "DedalusApply";

export const grantLooking = (token: Token, paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => acl(path, { token: LOOKING, user: LOOKING }, token));

export const grantActing = (
  token: Token,
  privileges: readonly string[],
  paths: readonly string[],
): readonly string[] => [
  `pveum role add ${ACTING} --privs ${quoted(privileges.join(","))}`,
  `pveum role modify ${ACTING} --append 1 --privs ${quoted(privileges.join(","))}   # if the role exists`,
  ...paths.flatMap((path) => acl(path, { token: ACTING, user: `${LOOKING},${ACTING}` }, token)),
];
