// The roles that are granted to somebody, and where they hold, as options name them: --role and --env, with commas.

import { isRole, type Role, TOKEN_ROLES } from "../../kernel/command/roles.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import type { Arguments } from "../command.ts";

export type GrantedRoles = { readonly environments?: readonly string[]; readonly roles: readonly Role[] };

const wordsIn = ({ text }: Arguments, option: string): readonly string[] | undefined =>
  text
    .get(option)
    ?.split(",")
    .map((word) => word.trim());

export const grantedRolesIn = (given: Arguments): GrantedRoles | Refusal => {
  const words = wordsIn(given, "role") ?? [];
  const wrong = words.find((word) => !isRole(word));
  if (wrong !== undefined) return refuse("usage", { cause: "not-a-role", facts: { found: wrong, roles: TOKEN_ROLES } });
  return { ...present({ environments: wordsIn(given, "env") }), roles: words.filter(isRole) };
};

/** A number of days, as 30d; what is written otherwise is none. */
export const daysIn = (text: string): number => {
  const [, number = "0"] = /^([0-9]{1,6})d$/.exec(text) ?? [];
  return Number(number);
};
