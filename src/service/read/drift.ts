// drift: what differs between the registered VMs of an environment and what is there now.
//
// It is the plan's own judgement on a fresh observation, without the plan: nothing is recorded or remembered, no plan
// is closed, and nobody needs the writer. Beside it stands whether the desired file was edited since. Not here: what
// could be applied (act/make-plan.ts).

import { configToRecord } from "../../formats/dedalus/config-to-record.ts";
import { sectionsOf } from "../../kernel/command/recorded-config.ts";
import type { DesiredState, Instant, Observed, Plan, Sha256, Verdict } from "../../spine/model.ts";
import type { Gap } from "../../spine/observed-codes.ts";
import { plan } from "../../spine/plan/plan.ts";
import { NO_POLICY, policyDigest } from "../../spine/plan/policy.ts";
import { safety } from "../../spine/plan/safety.ts";
import { SPINE_RULES } from "../../spine/plan/spine-rules.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { NO_IDENTITIES, recognised } from "../../spine/values/identities.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedByRule, refusedInput } from "../answer.ts";
import { type EnvironmentNamed, environmentAt } from "../hold/environment-at.ts";
import type { Reading } from "../hold/session.ts";
import type { InTurn } from "../hold/turns.ts";
import type { Watch } from "../progress.ts";
import { type DesiredFileSeen, seeDesiredFile } from "./desired-file-seen.ts";
import { observeNow } from "./fresh-observation.ts";
import { readIdentities } from "./recorded.ts";
import { readRegisteredIn } from "./registered.ts";

/** The only configured environment where none is named. */
export type DriftRequest = { readonly environment?: string };

export type Drift = {
  /** One for every registered VM: in sync, the step that would mend it, or why there is none. */
  readonly answers: Plan["answers"];
  readonly complete: boolean;
  /**
   * Where the desired file is not what is registered; what differs from it is told by a plan, once it is registered.
   */
  readonly desiredFile?: DesiredFileSeen;
  readonly environment: string;
  readonly gaps: Plan["observation"]["gaps"];
  readonly observedAt?: Instant;
  /** The digest of what is registered. */
  readonly registered: Sha256;
  /** Why the provider was not seen at all; everything there is unknown. */
  readonly unanswered?: Gap;
  readonly verdict: Verdict;
};

export const showDrift = async (
  reading: Reading,
  { environment }: DriftRequest,
  inTurn: InTurn,
  watch: Watch,
): Promise<Drift | RefusedAnswer> => {
  const at = environmentAt(environment, reading.desk);
  if ("code" in at) return refusedInput([at]);
  const desired = await readRegisteredIn(reading.ledger.engine, reading.state, at.name);
  if (desired === undefined) {
    return refusedByRule(refuse("desired-unregistered", { facts: { environment: at.name } }));
  }
  return inTurn(at.name, async () => {
    const seen = await observeNow(reading.desk, at, desired.entries, watch);
    if ("kind" in seen) return seen;
    const { observed, unanswered } = seen;
    if (observed.observation.observedAt === undefined) {
      return refusedByRule(refuse("observation-stale", { cause: "undated" }));
    }
    const desiredFile = seeDesiredFile(reading.desk.home, at, desired);
    return { ...(await judged(reading, at, desired, observed)), ...present({ desiredFile, unanswered }) };
  });
};

/** As plan would judge it, had it recorded this observation. */
const judged = async (
  { actor, desk, ledger, state }: Reading,
  { environment: { live, numbers }, name }: EnvironmentNamed,
  desired: DesiredState,
  observed: Observed,
): Promise<Drift> => {
  const policy = desk.policies.get(name) ?? NO_POLICY;
  const section = sectionsOf(configToRecord(desk.config, desk.policies))[name];
  if (section === undefined) throw new Error(`the environment ${name} is configured and has no section`);
  const remembered = live ? await readIdentities(ledger.engine, state, name) : NO_IDENTITIES;
  const identities = live ? recognised(remembered, observed.observation.vms).after : remembered;
  const made = plan(desired, observed, "all", {
    environment: section,
    identities,
    numbers,
    policy: policyDigest(policy),
  });
  const { complete, gaps, observedAt } = observed.observation;
  return {
    answers: made.answers,
    complete,
    environment: name,
    gaps,
    ...present({ observedAt }),
    registered: desired.digest,
    verdict: safety(made, policy, SPINE_RULES, [actor]),
  };
};
