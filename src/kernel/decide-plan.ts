// Planning as a recorded act: on what is registered as desired and on a recorded look, both held against their digests.
//
// The record holds the plan's hash and the root over its steps; the whole plan is a blob. Only a live look carries an
// apply. A plan supersedes the last one of the same requester for the same scope.

import { canonicalText } from "../ledger/canonical-text.ts";
import type { Json } from "../spine/canonical.ts";
import { sha256 } from "../spine/hash.ts";
import { NO_IDENTITIES } from "../spine/identities.ts";
import type { DesiredVm, Plan, Refusal, Request as RequestWish, Sha256, Verdict, Wishes } from "../spine/model.ts";
import { observe } from "../spine/observation.ts";
import { plan as planFor } from "../spine/plan.ts";
import { refuse } from "../spine/refusals.ts";
import { NO_POLICY, policyDigest, safety } from "../spine/safety.ts";
import { wishesOf } from "../spine/wishes.ts";
import { bytesOf } from "./blob-bytes.ts";
import { rememberedFor } from "./decide-identity.ts";
import { environmentOf, policyNamed, policyOf, reasonRefusal, staleRefusal, unknownEnvironment } from "./grounds.ts";
import { get } from "./persistent-map.ts";
import { recall } from "./recent.ts";
import type { Command, Requests } from "./request.ts";
import { type Decider, DONE, type Judged, refused, unless } from "./result.ts";
import type { Look, State } from "./state.ts";
import { rootOfSteps, stepsOf } from "./step-ref.ts";

/** One requester's plans for one scope replace each other, and nobody else's. */
export const scopeKeyOf = (environment: string, requester: string, { request, scope }: Requests["plan"]): string =>
  canonicalText([environment, requester, scope, (request ?? null) as Json]);

export const decidePlan: Decider<"plan"> = (state, command, at) => {
  const environment = environmentOf(state, command);
  const section = get(state.sections, command.configHash)?.[command.environment ?? ""];
  if (environment === undefined || section === undefined) return refused(unknownEnvironment(command));
  const look = recall(state.looks, command.request.look);
  if (look === undefined || look.environment !== command.environment) {
    return refused(refuse("look-unknown", { because: `there is no observation ${command.request.look} of it` }));
  }
  const wishes = registered(state, command);
  if ("kind" in wishes) return refused(wishes);
  const { observation } = command.given ?? {};
  const observed = observation === undefined ? undefined : observe(observation);
  if (observed === undefined || observed.digest !== look.digest) return refused(altered("observation"));
  // What is replayed or pushed may be older than what is remembered.
  const identities = look.live ? rememberedFor(state, command) : NO_IDENTITIES;
  if ("kind" in identities) return refused(identities);
  return unless([staleRefusal(look, environment, at)], () => {
    const policy = policyOf(environment);
    const named = policyNamed(policy);
    const ground = { environment: section, identities, policy: named ?? NO_POLICY_DIGEST };
    const made = planFor(wishes, observed, command.request.scope, ground);
    return planned(state, command, made, safety(made, policy), look, named);
  });
};

const NO_POLICY_DIGEST = policyDigest(NO_POLICY);

const altered = (what: string): Refusal =>
  refuse("value-altered", { because: `the ${what} is not the one that its digest names`, facts: { value: what } });

/** The registered wishes; for a requested action the one wish that it comes to, under the registered name. */
const registered = (state: State, { environment, given, request }: Command<"plan">): Wishes | Refusal => {
  const desired = get(state.desired, environment ?? "");
  if (desired === undefined) {
    return refuse("desired-unregistered", { because: `nothing is registered for ${environment}` });
  }
  const wishes = given?.wishes === undefined ? undefined : wishesOf(given.wishes.environment, given.wishes.wishes);
  if (wishes === undefined || "kind" in wishes || wishes.digest !== desired.digest) return altered("desired file");
  if (request.request === undefined) return wishes;
  const { action, vmid } = request.request;
  const entry = wishes.wishes.find((wish): wish is DesiredVm => wish.vmid === vmid && wish.kind === "desired");
  if (entry === undefined) return refuse("vm-not-desired", { because: `VM ${vmid} is not registered`, vmid });
  const wish: RequestWish = {
    action,
    ...(entry.identity === undefined ? undefined : { identity: entry.identity }),
    kind: "request",
    name: entry.name,
    ...(entry.protected === undefined ? undefined : { protected: entry.protected }),
    vmid,
  };
  return wishesOf(wishes.environment, [wish]);
};

const planned = (
  state: State,
  command: Command<"plan">,
  plan: Plan,
  verdict: Verdict,
  look: Look,
  policy: Sha256 | undefined,
): Judged => {
  const text = JSON.stringify({ plan, verdict });
  const digest = sha256(text);
  const steps = stepsOf(plan);
  const supersedes = recall(state.latest, scopeKeyOf(command.environment ?? "", command.actor.id, command.request));
  const kinds = plan.answers.map(({ kind }) => kind);
  return {
    blobs: new Map([[digest, bytesOf(text)]]),
    result: {
      ...(look.live ? undefined : { bars: "its look is not a live one" }),
      complete: plan.look.complete,
      hash: plan.hash,
      kind: "planned",
      // A replay carries no apply; that it is old is shown by its own time.
      ...(look.observedAt === undefined ? undefined : { observedAt: look.live ? look.at : look.observedAt }),
      plan: digest,
      ...(policy === undefined ? undefined : { policy }),
      refusals: kinds.filter((kind) => kind === "refusal").length,
      settled: kinds.filter((kind) => kind === "settled").length,
      steps: { root: rootOfSteps(steps), size: steps.length },
      ...(supersedes === undefined ? undefined : { supersedes }),
      verdict: verdict.kind,
    },
  };
};

export const decideCancel: Decider<"cancel"> = (state, { actor, environment, request }) => {
  const plan = recall(state.plans, request.plan);
  if (plan === undefined) return refused(refuse("plan-unknown", { because: `there is no plan ${request.plan}` }));
  return unless(
    [
      plan.environment === environment
        ? undefined
        : refuse("plan-foreign", { because: `the plan is of ${plan.environment}` }),
      plan.closed === undefined ? undefined : refuse("plan-closed", { because: `it was ${plan.closed}` }),
      actor.kind === "agent" && plan.requester.id !== actor.id
        ? refuse("role-missing", { because: "an agent cancels its own plans" })
        : undefined,
      reasonRefusal(request.reason),
    ],
    () => DONE,
  );
};
