// Whom a door brings to a command: with the roles of its environment, as the service reads them from the ledger.

import type { Who } from "./process.ts";

/** Without a role where they have none. */
export const broughtTo = ({ environments, ...who }: Who, environment: string): Who =>
  environments === undefined || environments.includes(environment)
    ? who
    : { ...who, actor: { ...who.actor, roles: [] } };
