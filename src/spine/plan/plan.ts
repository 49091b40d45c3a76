// plan(): a desired state and an observation in; for every entry exactly one of in sync, step, refusal out.
//
// Total and pure: it answers for every entry in scope and never throws, and no state survives a decision. Output is by
// vmid, whatever the order of the input. keeps P7-D2
// Not here: what refuses the whole plan (safety.ts), how a VM is started (adapters/), who must agree (kernel/).

import type {
  DesiredEntry,
  DesiredState,
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
} from "../model.ts";
import { inOrderOfKeys } from "../observed-codes.ts";
import { refuse, refuseStated } from "../rules/refusals.ts";
import { RULES_VERSION } from "../rules/rules-version.ts";
import { writtenPieces } from "../values/canonical.ts";
import { sha256OfPieces } from "../values/hash.ts";
import type { Identities } from "../values/identities.ts";
import { believe } from "./belief.ts";
import { driftStep } from "./drift-step.ts";
import { requestedStep } from "./requested-step.ts";
import { SPINE_RULES, type SpineRules } from "./spine-rules.ts";

/** What else the plan stands on, by digest. */
export type Ground = {
  readonly environment: Sha256;
  /** What is remembered of the VMs, where anything is; the plan of a file knows of nothing. */
  readonly identities?: Identities;
  /** Absent where no environment takes part, and then nothing is demanded. */
  readonly numbers?: Numbers;
  readonly policy: Sha256;
  /** The version of those that decide, where they are not the newest. */
  readonly rules?: number;
};

export const plan = (
  desired: DesiredState,
  observed: Observed,
  scope: Scope,
  ground: Ground,
  rules: SpineRules = SPINE_RULES,
): Plan => {
  const { observation } = observed;
  const { complete, gaps } = observation;
  const body = {
    answers: answersFor(desired, observed, scope, {
      numbers: ground.numbers,
      remembered: new Map(ground.identities),
      rules,
    }),
    environment: desired.environment,
    observation: { complete, gaps },
    scope: scope === "all" ? scope : ascending(scope),
    standsOn: {
      desired: desired.digest,
      environment: ground.environment,
      observation: observed.digest,
      policy: ground.policy,
      rules: ground.rules ?? RULES_VERSION,
    },
    version: 1,
  } as const;
  const { answers, environment, ...rest } = body;
  return { answers, environment, hash: planHash(body), ...rest };
};

/**
 * Of the canonical plan without its hash, in which every step is stood for by its own hash: that covers all of the
 * step, and nothing is written twice. In pieces, because a million answers do not fit one text.
 */
export const planHash = (body: Omit<Plan, "hash">): Sha256 => sha256OfPieces(planPieces(body));

/** Of everything but the observation: what is planned again on an unchanged world has the same content. */
export const planContent = (body: Omit<Plan, "hash">): Sha256 =>
  sha256OfPieces(planPieces(body, "without-observation"));

function* planPieces(
  { answers, observation: coverage, standsOn, ...rest }: Omit<Plan, "hash">,
  extent: "whole" | "without-observation" = "whole",
): Generator<string> {
  yield `{"answers":[`;
  yield* writtenPieces(answers, written);
  // Written out in the order of keys: what was read from a file may have another.
  const { desired, environment, observation, policy, rules } = standsOn;
  const tail = {
    environment: rest.environment,
    observation: { complete: coverage.complete, gaps: coverage.gaps.map(inOrderOfKeys) },
    scope: rest.scope,
    // A member that is undefined is left out of the text.
    standsOn: {
      desired,
      environment,
      observation: extent === "whole" ? observation : undefined,
      policy,
      rules,
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

type JudgedBy = {
  readonly numbers: Numbers | undefined;
  readonly remembered: ReadonlyMap<Vmid, string>;
  readonly rules: SpineRules;
};

const answersFor = (
  desired: DesiredState,
  { observation }: Observed,
  scope: Scope,
  { numbers, remembered, rules }: JudgedBy,
): readonly PlanAnswer[] => {
  const answer =
    desired.environment === observation.environment
      ? (entry: DesiredEntry, state: VmState | undefined) =>
          nameless(entry, numbers) ?? answerTo(entry, state, observation, remembered.get(entry.vmid), rules)
      : (entry: DesiredEntry) => foreign(entry, desired.environment, observation.environment);
  const chosen = scope === "all" ? undefined : new Set<Vmid>(scope);
  const answers: PlanAnswer[] = [];
  const { vms } = observation;
  let at = 0;
  for (const entry of desired.entries) {
    if (chosen !== undefined && !chosen.delete(entry.vmid)) continue;
    while (at < vms.length && (vms[at] as VmState).vmid < entry.vmid) at += 1;
    const state = vms[at];
    answers.push(answer(entry, state?.vmid === entry.vmid ? state : undefined));
  }
  if (chosen === undefined || chosen.size === 0) return answers;
  return [...answers, ...Array.from(chosen, notDesired)].sort((a, b) => (a.vmid as Vmid) - (b.vmid as Vmid));
};

const notDesired = (vmid: Vmid): Refusal => refuse("vm-not-desired", { cause: "scope", vmid });

const foreign = (entry: DesiredEntry, desired: string, observed: string): Refusal =>
  refuse("environment-mismatch", { cause: "observation", facts: { desired, observed }, vmid: entry.vmid });

/** Where the operator numbers the VMs, an entry without an identity means none of them. */
const nameless = ({ identity, name, vmid }: DesiredEntry, numbers: Numbers | undefined): Refusal | undefined =>
  numbers === "operator" && identity === undefined
    ? refuse("identity-required", { cause: "planned", facts: { name }, vmid })
    : undefined;

const answerTo = (
  entry: DesiredEntry,
  seen: VmState | undefined,
  observation: Observation,
  remembered: string | undefined,
  rules: SpineRules,
): PlanAnswer => {
  const belief = believe(seen, observation);
  switch (belief.kind) {
    case "unknown":
      return refuseStated("vm-unknown", belief.because, { facts: { name: entry.name }, vmid: entry.vmid });
    case "missing":
      return refuse("vm-missing", { facts: { name: entry.name }, vmid: entry.vmid });
    case "present":
      return (
        uncertain(entry, belief.state) ??
        strange(belief.state, observation.environment, remembered) ??
        answerFor(entry, belief.state, observation, rules)
      );
  }
};

const answerFor = (entry: DesiredEntry, state: VmState, observation: Observation, rules: SpineRules): PlanAnswer =>
  entry.kind === "request" ? requestedStep(entry, state, observation, rules) : driftStep(entry, state, rules);

/** Why it is not certain that this is the VM that is meant; undefined when it is. */
const uncertain = (entry: DesiredEntry, state: VmState): Refusal | undefined => {
  const { vmid } = entry;
  if (state.name !== entry.name) {
    return refuse("name-mismatch", { facts: { desiredName: entry.name, observedName: state.name }, vmid });
  }
  if (entry.identity === undefined || entry.identity === state.identity) return undefined;
  if (state.identity === undefined) {
    return refuse("identity-not-seen", { cause: "demanded", facts: { desiredIdentity: entry.identity }, vmid });
  }
  const facts = { desiredIdentity: entry.identity, observedIdentity: state.identity };
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
