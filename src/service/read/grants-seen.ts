// What somebody is granted, as a reader is told it who audits or operates some environments: what holds there. keeps B3

import type { Grants } from "../../kernel/command/role-grants.ts";
import { readerRefusal } from "../../kernel/decide/actors.ts";
import type { Reading } from "../hold/session.ts";

/** A grant for all environments is one of each. */
export const grantsSeen = (
  granted: Grants,
  { actor, grants, sees }: Pick<Reading, "actor" | "grants" | "sees">,
): Grants => {
  if (sees(undefined)) return granted;
  const isTold = (environment: string): boolean =>
    readerRefusal({ actor, grants }, "tokensThere", environment) === undefined;
  return granted.flatMap(({ environments, roles }): Grants => {
    if (environments === "all") return [{ environments, roles }];
    const told = environments.filter(isTold);
    return told.length === 0 ? [] : [{ environments: told, roles }];
  });
};
