// The pveum commands that would give a token what it lacks. They are shown and never run.
//
// A token with privilege separation has what both it and its user have, so both get the role. A role on a path replaces
// what comes from above it, so the user gets the role of observing there again, or the other token would lose it, and
// what the token has there already is granted with the rest. A role of ours holds one privilege: nothing comes along
// unasked.

import type { ApiToken } from "../api/pve-token.ts";

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

type Roles = { readonly token: string; readonly user: string };

const acl = (path: string, roles: Roles, { name, user }: ApiToken): readonly string[] => [
  `pveum acl modify ${path} --users ${quoted(user)} --roles ${roles.user}`,
  `pveum acl modify ${path} --tokens ${quoted(name)} --roles ${roles.token}`,
];

/** PVE's own role of observing everything. */
const OBSERVING = "PVEAuditor";
const roleOf = (privilege: string): string => `Dedalus-${privilege}`;

export const grantObserving = (token: ApiToken, paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => acl(path, { token: OBSERVING, user: OBSERVING }, token));

/** A path, and every privilege that it shall have afterwards. */
export type Grant = { readonly path: string; readonly privileges: readonly string[] };

export const grantActing = (token: ApiToken, grants: readonly Grant[]): readonly string[] => {
  const privileges = [...new Set(grants.flatMap((grant) => grant.privileges))];
  return [
    ...privileges.map((one) => `pveum role add ${roleOf(one)} --privs ${quoted(one)}   # unless it exists`),
    ...grants.flatMap((grant) => {
      const roles = grant.privileges.map(roleOf).join(",");
      return acl(grant.path, { token: roles, user: `${OBSERVING},${roles}` }, token);
    }),
  ];
};
