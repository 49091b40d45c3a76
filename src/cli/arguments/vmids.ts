// Vmids as words of a command line.

import { isVmid, type Refusal, type Scope, type Vmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Arguments } from "../command.ts";

export const vmidIn = (word: string): Vmid | undefined => {
  const number = /^[0-9]+$/.test(word) ? Number(word) : Number.NaN;
  return isVmid(number) ? number : undefined;
};

export const notAVmid = (argument: string, found: string): Refusal =>
  refuse("usage", { cause: "not-a-vmid", facts: { argument, found } });

/** One VM of one environment: what --env and --vm say. */
export const vmOf = ({ text }: Arguments): { readonly environment: string; readonly vmid: Vmid } | Refusal => {
  const word = text.get("vm") ?? "";
  const vmid = vmidIn(word);
  return vmid === undefined ? notAVmid("--vm", word) : { environment: text.get("env") ?? "", vmid };
};

/** What --only says; everything when it is not given. */
export const scopeOf = (only: string | undefined): Scope | Refusal => {
  if (only === undefined) return "all";
  const words = only.split(",").map((word) => word.trim());
  const wrong = words.find((word) => vmidIn(word) === undefined);
  if (wrong === undefined) return words.flatMap((word) => vmidIn(word) ?? []);
  return notAVmid("--only", wrong);
};
