// plan(): wishes and an observation in; for every wish exactly one of in sync, step, refusal out.
//
// Total and pure: it answers for every wish in scope and never throws, and no state survives a decision. Output is by
// vmid, whatever the order of the input. keeps P7-D2
// Not here: what refuses the whole plan (safety.ts), how a VM is started (adapters/), who must agree (kernel/).

import type {
  Numbers,
  Observation,
  Observed,
  Plan,
  PlanAnswer,
  Refusal,
  Scope,
  Sha256,
  Vmid,
  VmState,
  Wish,
  Wishes,
} from "../model.ts";
import { inOrderOfKeys } from "../observed-codes.ts";
import { refuse, refuseStated } from "../rules/refusals.ts";
import { RULES_VERSION } from "../rules/rules-version.ts";
import { writtenPieces } from "../values/canonical.ts";
import { sha256OfPieces } from "../values/hash.ts";
import type { Identities } from "../values/identities.ts";
import { believe } from "./belief.ts";
import { driftStep } from "./drift.ts";
import { requestedStep } from "./requested-step.ts";

/** What else the plan stands on, by digest. */
export type Ground = {
  readonly environment: Sha256;
  /** What is remembered of the VMs, where anything is; the plan of a file knows of nothing. */
  readonly identities?: Identities;
  /** Absent where no environment takes part, and then nothing is demanded. */
  readonly numbers?: Numbers;
  readonly policy: Sha256;
  /** Those that decide, where they are not the newest. */
  readonly rules?: number;
};

export const plan = (wishes: Wishes, observed: Observed, scope: Scope, ground: Ground): Plan => {
  const { observation } = observed;
  const { complete, gaps } = observation;
  const body = {
    answers: answersFor(wishes, observed, scope, { numbers: ground.numbers, remembered: new Map(ground.identities) }),
    environment: wishes.environment,
    observation: { complete, gaps },
    scope: scope === "all" ? scope : ascending(scope),
    standsOn: {
      environment: ground.environment,
      observation: observed.digest,
      policy: ground.policy,
      rules: ground.rules ?? RULES_VERSION,
      wishes: wishes.digest,
    },
    version: 1,
  } as const;
  const { answers, environment, ...rest } = body;
  return { answers, environment, hash: planHash(body), ...rest };
};

/**
 * Of the canonical plan without its hash, in which every step is stood for by its own hash: that covers all of the step,
 * and nothing is written twice. In pieces, because a million answers do not fit one text.
 */
export const planHash = (body: Omit<Plan, "hash">): Sha256 => sha256OfPieces(planPieces(body));

/** Of everything but the observation: what is planned again on an unchanged world has the same content. */
export const planContent = (body: Omit<Plan, "hash">): Sha256 =>
  sha256OfPieces(planPieces(body, "without-observation"));

function* planPieces(
  { answers, observation: look, standsOn, ...rest }: Omit<Plan, "hash">,
  extent: "whole" | "without-observation" = "whole",
): Generator<string> {
  yield `{"answers":[`;
  yield* writtenPieces(answers, written);
  // Written out in the order of keys: what was read from a file may have another.
  const { environment, observation, policy, rules, wishes } = standsOn;
  const tail = {
    environment: rest.environment,
    observation: { complete: look.complete, gaps: look.gaps.map(inOrderOfKeys) },
    scope: rest.scope,
    // A member that is undefined is left out of the text.
    standsOn: {
      environment,
      observation: extent === "whole" ? observation : undefined,
      policy,
      rules,
      wishes,
    },
    version: rest.version,
  };
  yield `],${JSON.stringify(tail).slice(1)}`;
}

const written = (answer: PlanAnswer): string => {
  switch (answer.kind) {
    case "in-sync":
      return `{"kind":"in-sync","vmid":${answer.vmid}}`;
    case "step":
      return `{"hash":"${answer.hash}","kind":"step","vmid":${answer.vmid}}`;
    case "refusal":
      return JSON.stringify(answer);
  }
};

const ascending = (scope: readonly Vmid[]): readonly Vmid[] => [...new Set(scope)].sort((a, b) => a - b);

const answersFor = (
  wishes: Wishes,
  { observation }: Observed,
  scope: Scope,
  { numbers, remembered }: { readonly numbers: Numbers | undefined; readonly remembered: ReadonlyMap<Vmid, string> },
): readonly PlanAnswer[] => {
  const answer =
    wishes.environment === observation.environment
      ? (wish: Wish, state: VmState | undefined) =>
          nameless(wish, numbers) ?? answerTo(wish, state, observation, remembered.get(wish.vmid))
      : (wish: Wish) => foreign(wish, wishes.environment, observation.environment);
  const chosen = scope === "all" ? undefined : new Set<Vmid>(scope);
  const answers: PlanAnswer[] = [];
  const { vms } = observation;
  let at = 0;
  for (const wish of wishes.wishes) {
    if (chosen !== undefined && !chosen.delete(wish.vmid)) continue;
    while (at < vms.length && (vms[at] as VmState).vmid < wish.vmid) at += 1;
    const state = vms[at];
    answers.push(answer(wish, state?.vmid === wish.vmid ? state : undefined));
  }
  if (chosen === undefined || chosen.size === 0) return answers;
  return [...answers, ...Array.from(chosen, notDesired)].sort((a, b) => (a.vmid as Vmid) - (b.vmid as Vmid));
};

const notDesired = (vmid: Vmid): Refusal => refuse("vm-not-desired", { cause: "scope", vmid });

const foreign = (wish: Wish, wished: string, observed: string): Refusal =>
  refuse("environment-mismatch", { cause: "observation", facts: { observed, wished }, vmid: wish.vmid });

/** Where the operator numbers the VMs, an entry without an identity means none of them. */
const nameless = ({ identity, name, vmid }: Wish, numbers: Numbers | undefined): Refusal | undefined =>
  numbers === "operator" && identity === undefined
    ? refuse("identity-required", { cause: "planned", facts: { name }, vmid })
    : undefined;

const answerTo = (
  wish: Wish,
  seen: VmState | undefined,
  look: Observation,
  remembered: string | undefined,
): PlanAnswer => {
  const belief = believe(seen, look);
  switch (belief.kind) {
    case "unknown":
      return refuseStated("vm-unknown", belief.because, { facts: { name: wish.name }, vmid: wish.vmid });
    case "missing":
      return refuse("vm-missing", { facts: { name: wish.name }, vmid: wish.vmid });
    case "present":
      return (
        uncertain(wish, belief.state) ??
        strange(belief.state, look.environment, remembered) ??
        answerFor(wish, belief.state, look)
      );
  }
};

const answerFor = (wish: Wish, state: VmState, look: Observation): PlanAnswer =>
  wish.kind === "request" ? requestedStep(wish, state, look) : driftStep(wish, state);

/** Why it is not certain that this is the VM that is meant; undefined when it is. */
const uncertain = (wish: Wish, state: VmState): Refusal | undefined => {
  const { vmid } = wish;
  if (state.name !== wish.name) {
    return refuse("name-mismatch", { facts: { observedName: state.name, wantedName: wish.name }, vmid });
  }
  if (wish.identity === undefined || wish.identity === state.identity) return undefined;
  if (state.identity === undefined) {
    return refuse("identity-not-seen", { cause: "demanded", facts: { wantedIdentity: wish.identity }, vmid });
  }
  const facts = { observedIdentity: state.identity, wantedIdentity: wish.identity };
  return refuse("identity-mismatch", { facts, vmid });
};

/** Why it is not the VM that was seen under this number before; undefined when it is, or when none was. */
const strange = (
  { identity, vmid }: VmState,
  environment: string,
  remembered: string | undefined,
): Refusal | undefined => {
  if (remembered === undefined || remembered === identity) return undefined;
  if (identity === undefined) {
    return refuse("identity-not-seen", { cause: "remembered", facts: { rememberedIdentity: remembered }, vmid });
  }
  const facts = { environment, observedIdentity: identity, rememberedIdentity: remembered };
  return refuse("identity-changed", { facts, vmid });
};
