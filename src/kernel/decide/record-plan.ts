// Planning as a recorded act: on what is registered as desired and on a recorded observation, both held against their
// digests.
//
// The record holds the plan's hash, what it stands on and the root over its steps; the whole plan is a blob. Only a
// live observation carries an apply. A plan supersedes the last one of the same requester for the same scope, unless
// that one is its equal and still stands: then nothing is new, and the one that stands is the answer.

import type { Ulid } from "../../ledger/record/record.ts";
import type {
  DesiredState,
  DesiredVm,
  Instant,
  Plan,
  Refusal,
  RequestedAction,
  Sha256,
  Verdict,
} from "../../spine/model.ts";
import { desiredStateOf, entryHash } from "../../spine/plan/desired-state.ts";
import { planContent } from "../../spine/plan/plan.ts";
import { NO_POLICY, type Policy, policyDigest } from "../../spine/plan/policy.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { NO_IDENTITIES } from "../../spine/values/identities.ts";
import { observe } from "../../spine/values/observation.ts";
import type { Command } from "../command/request.ts";
import { type Bar, type Decision, DONE, refused, unless } from "../command/result.ts";
import { find, get } from "../state/persistent-map.ts";
import { recall } from "../state/recent.ts";
import { rulesUnder } from "../state/rules-in-force.ts";
import { type ObservationState, type PlanState, type State, scopeKeyOf } from "../state/state.ts";
import { claimedRefusal } from "./agree.ts";
import { endOf } from "./agreement.ts";
import {
  altered,
  environmentOf,
  foreignPlanRefusal,
  reasonRefusal,
  staleRefusal,
  unknownEnvironment,
  unknownPlan,
} from "./grounds.ts";
import { limitRefusals } from "./policy-limits.ts";
import { rememberedFor } from "./remember-identities.ts";
import type { Decider, Rulebook } from "./rulebook.ts";
import { closedRefusals, policyNamed, policyOf } from "./stands-on.ts";
import { rootOfSteps, stepsOf } from "./step-ref.ts";

export const decidePlan: Decider<"plan"> = (state, command, at, rules) => {
  const environment = environmentOf(state, command);
  const section = get(state.sections, command.configHash)?.[command.environment ?? ""];
  if (environment === undefined || section === undefined) return refused(unknownEnvironment(command));
  const recorded = recall(state.observations, command.request.observation);
  if (recorded === undefined || recorded.environment !== command.environment) {
    return refused(
      refuse("observation-unknown", { cause: "absent", facts: { observation: command.request.observation } }),
    );
  }
  const desired = registered(state, command);
  if ("kind" in desired) return refused(desired);
  const { observation } = command.given ?? {};
  const observed = observation === undefined ? undefined : observe(observation);
  if (observed === undefined || observed.digest !== recorded.digest) return refused(altered("observation"));
  // What is replayed or pushed may be older than what is remembered.
  const identities = recorded.live ? rememberedFor(state, command) : NO_IDENTITIES;
  if ("kind" in identities) return refused(identities);
  return unless([staleRefusal(recorded, environment, at)], () => {
    const policy = policyOf(environment);
    const version = rulesUnder(state, command.configHash);
    const { numbers } = environment;
    const named = policyNamed(policy) ?? NO_POLICY_DIGEST;
    const ground = { environment: section, identities, numbers, policy: named, rules: version };
    const made = rules.plan(desired, observed, command.request.scope, ground, rules);
    const content = planContent(made);
    const hands = [command.actor];
    const limitedOf = ({ answers }: Plan) =>
      answers.flatMap((one) =>
        one.kind === "step"
          ? [{ action: one.action.kind, until: endOf(rules, one, seenAt(recorded), policy, hands) }]
          : [],
      );
    const last = lastOf(state, command);
    const before = last === undefined ? undefined : recall(state.plans, last);
    const bars = barOf(state, command, recorded);
    // Where nothing is tightened no step has to be looked at, and most environments have no policy.
    const limits = { at, environment: command.environment ?? "", hands, policy };
    const limited = policy.tighten.length === 0 ? [] : limitRefusals(state, limits, limitedOf(made));
    if (limited.length > 0) return unless(limited, () => DONE);
    const endsAt = before === undefined ? undefined : endOfEqual(rules, before, made, content, bars, policy, at);
    if (before !== undefined && endsAt !== undefined) return { result: { endsAt, kind: "unchanged", plan: before.id } };
    const verdict = rules.safety(made, policy, rules, hands);
    return planned({ bars, content, last, made, policy, recorded, verdict });
  });
};

/** The requester's last plan for the scope. */
const lastOf = (state: State, { actor, environment = "", request }: Command<"plan">): Ulid | undefined =>
  recall(state.latest, scopeKeyOf(environment, actor.id, request));

/**
 * When the plan before ends, if this one says nothing else and that one can still be agreed to and applied as a whole:
 * none of its steps was tried, denied or is over. Undefined otherwise, and for a plan without a step, which has no end.
 */
const endOfEqual = (
  rules: Rulebook,
  before: PlanState,
  made: Plan,
  content: Sha256,
  bars: Bar | undefined,
  policy: Policy,
  at: Instant,
): Instant | undefined => {
  const isEqual = before.content === content && before.bars === bars;
  const isWhole = before.closed === undefined && before.consumed.size === 0 && before.denials.length === 0;
  if (!isEqual || !isWhole) return undefined;
  const [end] = stepsOf(made)
    .map((step) => endOf(rules, step, before.observedAt, policy, [before.requester]))
    .sort();
  return end !== undefined && at < end ? end : undefined;
};

/** Who asks at the ledger's own files of an environment of four eyes could be anybody who agrees to it later. */
const barOf = (state: State, command: Command<"plan">, { live }: ObservationState): Bar | undefined => {
  if (!live) return "not-live";
  const isLocal = command.door === "local" && environmentOf(state, command)?.approval === "four-eyes";
  return isLocal ? "local-door" : undefined;
};

/** What its steps are aged by. A replay carries no apply; that it is old is shown by its own time. */
const seenAt = ({ at, live, observedAt }: ObservationState): Instant | undefined =>
  observedAt === undefined || !live ? observedAt : at;

const NO_POLICY_DIGEST = policyDigest(NO_POLICY);

/** The registered entries; for a requested action the one entry that it comes to, under the registered name. */
const registered = (state: State, { environment, given, request }: Command<"plan">): DesiredState | Refusal => {
  const registration = get(state.desired, environment ?? "");
  if (registration === undefined) return refuse("desired-unregistered", { facts: { environment: environment ?? "" } });
  const desired =
    given?.desired === undefined ? undefined : desiredStateOf(given.desired.environment, given.desired.entries);
  if (desired === undefined || "kind" in desired || desired.digest !== registration.digest) return altered("desired");
  if (request.request === undefined) return desired;
  const { action, vmid } = request.request;
  const registeredVm = desired.entries.find(
    (entry): entry is DesiredVm => entry.vmid === vmid && entry.kind === "desired",
  );
  if (registeredVm === undefined) return refuse("vm-not-desired", { cause: "unregistered", vmid });
  const requested: RequestedAction = {
    action,
    entry: entryHash(registeredVm),
    ...(registeredVm.identity === undefined ? undefined : { identity: registeredVm.identity }),
    kind: "request",
    name: registeredVm.name,
    ...(registeredVm.protected === undefined ? undefined : { protected: registeredVm.protected }),
    vmid,
  };
  return desiredStateOf(desired.environment, [requested]);
};

type Planned = {
  readonly bars: Bar | undefined;
  readonly content: Sha256;
  readonly last: Ulid | undefined;
  readonly made: Plan;
  readonly policy: Policy;
  readonly recorded: ObservationState;
  readonly verdict: Verdict;
};

const planned = ({ bars, content, last, made: plan, policy, recorded, verdict }: Planned): Decision => {
  const text = JSON.stringify({ plan, verdict });
  const digest = sha256(text);
  const steps = stepsOf(plan);
  const { environment: section, rules } = plan.standsOn;
  const named = policyNamed(policy);
  const observedAt = seenAt(recorded);
  const kinds = plan.answers.map(({ kind }) => kind);
  return {
    blobs: new Map([[digest, text]]),
    result: {
      ...(bars === undefined ? undefined : { bars }),
      complete: plan.observation.complete,
      content,
      hash: plan.hash,
      kind: "planned",
      ...(observedAt === undefined ? undefined : { observedAt }),
      plan: digest,
      ...(named === undefined ? undefined : { policy: named }),
      refusals: kinds.filter((kind) => kind === "refusal").length,
      rules,
      section,
      inSync: kinds.filter((kind) => kind === "in-sync").length,
      steps: { root: rootOfSteps(steps), size: steps.length },
      ...(last === undefined ? undefined : { supersedes: last }),
      verdict: verdict.kind,
    },
  };
};

export const decideCancel: Decider<"cancel"> = (state, command) => {
  const { actor, request } = command;
  const plan = recall(state.plans, request.plan);
  if (plan === undefined) return refused(unknownPlan(request.plan));
  const foreign = foreignPlanRefusal(state, command, plan);
  if (foreign !== undefined) return refused(foreign);
  return unless(
    [
      ...closedRefusals(plan),
      actor.kind === "agent" && plan.requester.id !== actor.id
        ? refuse("role-missing", { cause: "foreign", facts: { actor: actor.id, requester: plan.requester.id } })
        : undefined,
      unstoppable(state, plan),
      reasonRefusal(request.reason),
    ],
    () => DONE,
  );
};

/** A plan of which a step is claimed cannot be called off whole, and one whose steps were all tried not at all. */
const unstoppable = (state: State, { consumed, id, steps }: PlanState): Refusal | undefined => {
  const open = find(state.open, ({ plan }) => plan === id);
  if (open !== undefined) return claimedRefusal(open);
  return steps.size > 0 && consumed.size >= steps.size ? refuse("step-consumed", { cause: "all" }) : undefined;
};
