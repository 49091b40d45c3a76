// What somebody is granted, in one line: the roles, and where they hold.

import type { Grants } from "../../kernel/command/role-grants.ts";

export const grantsText = (grants: Grants): string =>
  grants.length === 0
    ? "none"
    : grants
        .map(({ environments, roles }) => {
          const where = environments === "all" ? "in all environments" : `in ${environments.join(", ")}`;
          return `${roles.join(", ")} ${where}`;
        })
        .join("; ");

/** The same for a cell of a table, where all environments need no word. */
export const grantsCell = (grants: Grants): string =>
  grants.length === 0
    ? "-"
    : grants
        .map(({ environments, roles }) => {
          const where = environments === "all" ? "" : `@${environments.join(",")}`;
          return `${roles.join(",")}${where}`;
        })
        .join(" ");
