// The roles that are granted to somebody, and where they hold, as options name them: --role and --env, with commas.

import { isRole, type Role, TOKEN_ROLES } from "../../kernel/command/roles.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { nearest } from "../../spine/values/nearest.ts";
import { present } from "../../spine/values/present.ts";
import type { Arguments } from "../command.ts";

export type GrantedRoles = { readonly environments?: readonly string[]; readonly roles: readonly Role[] };

const wordsIn = ({ text }: Arguments, option: string): readonly string[] | undefined =>
  text
    .get(option)
    ?.split(",")
    .map((word) => word.trim());

/** `roles` are those that can be granted so: a word that is none of any is told the nearest of them. */
export const grantedRolesIn = (given: Arguments, roles: readonly Role[] = TOKEN_ROLES): GrantedRoles | Refusal => {
  const words = wordsIn(given, "role") ?? [];
  const wrong = words.find((word) => !isRole(word));
  if (wrong !== undefined) return notARole(wrong, roles);
  return { ...present({ environments: wordsIn(given, "env") }), roles: words.filter(isRole) };
};

const notARole = (found: string, roles: readonly Role[]): Refusal => {
  const meant = nearest(found, roles);
  return meant === undefined
    ? refuse("usage", { cause: "not-a-role", facts: { found, roles } })
    : refuse("usage", { cause: "not-a-role-meant", facts: { found, meant, roles } });
};

/** A number of days, as 30d; what is written otherwise is none. */
export const daysIn = (text: string): number => {
  const [, number = "0"] = /^([0-9]{1,6})d$/.exec(text) ?? [];
  return Number(number);
};
