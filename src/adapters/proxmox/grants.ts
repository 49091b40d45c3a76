// The pveum commands that would give a token what it lacks. They are shown and never run.
//
// A token with privilege separation has what both it and its user have, so both get the role.

import type { Token } from "./token.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const acl = (path: string, role: string, { name, user }: Token): readonly string[] => [
  `pveum acl modify ${path} --users ${quoted(user)} --roles ${role}`,
  `pveum acl modify ${path} --tokens ${quoted(name)} --roles ${role}`,
];

/** PVE's own role of looking at everything. */
export const grantLooking = (token: Token): readonly string[] => acl("/", "PVEAuditor", token);

const ROLE = "DedalusApply";

export const grantActing = (
  token: Token,
  privileges: readonly string[],
  paths: readonly string[],
): readonly string[] => [
  `pveum role add ${ROLE} --privs ${quoted(privileges.join(","))}`,
  `pveum role modify ${ROLE} --append 1 --privs ${quoted(privileges.join(","))}   # if the role exists`,
  ...paths.flatMap((path) => acl(path, ROLE, token)),
];
