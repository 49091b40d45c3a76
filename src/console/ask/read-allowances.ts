// What the kernel would answer the reader's acts, at the very head that a page shows.
//
// Said of another moment, it is not said of this one: then nothing is, and the act stays closed until the page is read
// again.

import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { type ReadHead, read, type Unheard } from "./get.ts";

export type AllowancesTold = AnswerBodies["allowances"]["allowances"];
export type RefusalTold = AllowancesTold[number]["refusals"][number];

export const readAllowancesAt = async (
  head: ReadHead | undefined,
  signal: AbortSignal,
): Promise<{ readonly allowances: AllowancesTold } | Unheard> => {
  const heard = await read("allowances", {}, signal);
  if (heard.kind !== "read") return heard;
  return { allowances: heard.head?.hash === head?.hash ? heard.value.allowances : [] };
};

/** What the kernel would answer an act, as it said itself; undefined where it said nothing. */
export const againstAct = (
  allowances: AllowancesTold,
  act: AllowancesTold[number]["act"],
  environment?: string,
): readonly RefusalTold[] | undefined =>
  allowances.find((one) => one.act === act && one.environment === environment)?.refusals;
