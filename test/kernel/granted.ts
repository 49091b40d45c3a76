// What somebody is granted in a story, and how they read by it.

import type { Grants, RoleGrant } from "../../src/kernel/command/role-grants.ts";
import type { Role } from "../../src/kernel/command/roles.ts";
import type { Reader } from "../../src/kernel/decide/actors.ts";
import type { Actor } from "../../src/ledger/record/record.ts";

/** Who has these roles, and has them everywhere, as they read. */
export const readerOf = ({ id, kind, roles }: Actor): Reader => ({
  actor: { id, kind },
  grants: granted(roles as readonly Role[]),
});

/** These roles for these environments; no role at all is no grant. */
export const granted = (roles: readonly Role[], environments: RoleGrant["environments"] = "all"): Grants =>
  roles.length === 0 ? [] : [{ environments, roles }];

/** Somebody for whom a token is made. */
export type NewSubject = {
  readonly environments?: RoleGrant["environments"]; // all of them when nothing is said
  readonly id: string;
  readonly kind: "agent" | "person";
  readonly roles: readonly Role[];
};
