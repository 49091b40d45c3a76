// Whom a door brings to a command: with the roles of its environment, as the service reads them from the ledger.

import type { Who } from "./process.ts";

/** Where the roles of somebody are theirs; everywhere, where nothing is said. */
export type Placed = { readonly environments?: readonly string[] };

/** Without a role where they have none. */
export const broughtTo = ({ environments, ...who }: Who, environment: string): Who =>
  environments === undefined || environments.includes(environment)
    ? who
    : { ...who, actor: { ...who.actor, roles: [] } };
