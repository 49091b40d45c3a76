// Before the first record there is no ledger, and so nothing is registered: whoever asks about registered VMs is told
// that.
//
// Only the operator of the configuration: a token is known by a ledger alone. Where no environment is meant, the
// ledger's own refusal stands.

import { refuse } from "../../spine/rules/refusals.ts";
import { type RefusedAnswer, refusedByRule, refusedInput } from "../answer.ts";
import type { Caller } from "../hold/callers.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { Configuration } from "../ports.ts";

export const unregisteredAt = (
  refused: RefusedAnswer,
  { credential }: Caller,
  environment: string | undefined,
  configuration: Configuration,
): RefusedAnswer => {
  if (credential.kind !== "operator" || refused.refusals[0]?.code !== "ledger-absent") return refused;
  const at = environmentAt(environment, configuration);
  if ("code" in at) return environment === undefined ? refused : refusedInput([at]);
  return refusedByRule(refuse("desired-unregistered", { facts: { environment: at.name } }));
};
