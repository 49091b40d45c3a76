// Whether everything that a plan stands on is as it was: the section of its environment, the policy, the rules, and for
// one step the registered entry of its VM, on which protection is judged anew. Asked by whoever agrees to a step or
// applies it, and once more right before the call, together with whether those who agreed, asked and claimed still do.
//
// What was seen is not compared here: it ages (agreement.ts), and is looked at again (protocol.ts). Keeps N2, P7-A1,
// B1.

import { rememberHashes } from "../../ledger/tree/recent-hashes.ts";
import type { PlanStep, Refusal, Sha256, Vmid } from "../../spine/model.ts";
import { entryText } from "../../spine/plan/desired-state.ts";
import { NO_POLICY, type Policy, policyDigest } from "../../spine/plan/policy.ts";
import { protectedByEntry } from "../../spine/plan/protection.ts";
import { productionTouched } from "../../spine/plan/safety.ts";
import { SPINE_RULES, type SpineRules } from "../../spine/plan/spine-rules.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { RULES_VERSION } from "../../spine/rules/rules-version.ts";
import { sha256 } from "../../spine/values/hash.ts";
import type { RecordedEnvironment } from "../command/recorded-config.ts";
import type { RegisteredEntry } from "../command/request.ts";
import { sessionNamed } from "../state/people.ts";
import { get } from "../state/persistent-map.ts";
import { recall } from "../state/recent.ts";
import { isRegistered, type Registration } from "../state/registered-entry.ts";
import { rulesUnder } from "../state/rules-in-force.ts";
import { type IntentState, type PlanState, type State, tokenNamed } from "../state/state.ts";

/** What does not come with a step; `section` is absent where the environment is not configured. */
export type Grounds = { readonly policy?: Sha256; readonly rules: number; readonly section?: Sha256 };

/**
 * What its operator added to the rules. keeps P7-A3: it comes from the recorded configuration, never with a command.
 */
export const policyOf = (environment: Pick<RecordedEnvironment, "policy"> | undefined): Policy =>
  environment?.policy ?? NO_POLICY;

/** The policy that a plan stands on, by its digest; undefined where nothing is tightened. */
export const policyNamed = (policy: Policy): Sha256 | undefined =>
  policy.tighten.length === 0 ? undefined : policyDigest(policy);

/** Under the rules of this program, where no others are named. */
export const groundsOf = (section: Sha256 | undefined, policy: Policy, rules: number = RULES_VERSION): Grounds => {
  const named = policyNamed(policy);
  return {
    ...(named === undefined ? {} : { policy: named }),
    rules,
    ...(section === undefined ? {} : { section }),
  };
};

/** What holds in an environment under one recorded configuration, and under the rules that its program has. */
export const groundsUnder = (state: State, configHash: Sha256 | undefined, environment: string): Grounds => {
  const config = configHash === undefined ? undefined : get(state.configs, configHash);
  const sections = configHash === undefined ? undefined : get(state.sections, configHash);
  const isThere = config !== undefined && Object.hasOwn(config.environments, environment);
  return groundsOf(
    isThere ? sections?.[environment] : undefined,
    policyOf(isThere ? config.environments[environment] : undefined),
    rulesUnder(state, configHash),
  );
};

/** Which of them differ from those that the plan was judged on; each by its own code. */
export const groundRefusals = (plan: Grounds, now: Grounds, vmid: Vmid): readonly Refusal[] => {
  const refusals: Refusal[] = [];
  if (plan.section !== now.section) {
    const cause = now.section === undefined ? "absent" : "changed";
    refusals.push(refuse("configuration-differs", { cause, vmid }));
  }
  if (plan.policy !== now.policy) {
    refusals.push(policyRefusal(plan.policy, now.policy, vmid));
  }
  if (plan.rules !== now.rules) {
    refusals.push(refuse("rules-differ", { facts: { now: now.rules, plan: plan.rules }, vmid }));
  }
  return refusals;
};

const policyRefusal = (plan: Sha256 | undefined, now: Sha256 | undefined, vmid: Vmid): Refusal => {
  if (now !== undefined && plan !== undefined)
    return refuse("policy-differs", { cause: "replaced", facts: { now, plan }, vmid });
  return now === undefined
    ? refuse("policy-differs", { cause: "removed", facts: { plan: plan ?? "" }, vmid })
    : refuse("policy-differs", { cause: "added", facts: { now }, vmid });
};

/** An entry comes again with everybody who agrees to a step of its VM. */
const recentHash = rememberHashes(sha256);

/** What is registered for a step's VM, against what is registered now; `shown` is what somebody brought. */
export const entryRefusals = (
  rules: SpineRules,
  step: PlanStep,
  shown: RegisteredEntry | undefined,
  registration: Registration | undefined,
): readonly Refusal[] => {
  const { vmid } = step;
  if (shown === "none") return [refuse("vm-not-desired", { cause: "unregistered", vmid })];
  if (shown === undefined) return [refuse("entry-unproven", { cause: "absent", vmid })];
  if (shown.entry.vmid !== vmid) {
    return [refuse("entry-unproven", { cause: "other-vm", facts: { other: shown.entry.vmid }, vmid })];
  }
  const hash = recentHash(entryText(shown.entry));
  if (registration === undefined || !isRegistered(shown, hash, registration)) {
    return [refuse("entry-unproven", { cause: "unregistered", vmid })];
  }
  const isSame = hash === step.entry;
  const protection = protectedByEntry(shown.entry, rules);
  return [
    ...(isSame ? [] : [refuse("desired-changed", { vmid })]),
    ...(protection === undefined ? [] : protectedRefusals(step, protection, rules)),
  ];
};

const protectedRefusals = (step: PlanStep, sign: unknown, rules: SpineRules): readonly Refusal[] =>
  rules.actions[step.action.kind].onProtected ? [] : [productionTouched(step, sign, rules)];

/**
 * What the step itself shows of protection: safety refused such a plan already, and a step that came past it is refused
 * again.
 */
export const stepProtection = (step: PlanStep, rules: SpineRules): readonly Refusal[] => {
  const seen = step.facts["protectedBecause"];
  if (!step.protected && seen === undefined && !rules.isProductionName(step.name)) return [];
  return protectedRefusals(step, seen, rules);
};

/** The entry of a VM as a state has it registered; it throws where that cannot be read. */
export type EntryReader = (state: State, environment: string, vmid: Vmid) => Promise<RegisteredEntry>;

/** Why a plan is nobody's intention any more. */
export const closedRefusals = ({ closed }: Pick<PlanState, "closed">): readonly Refusal[] =>
  closed === undefined ? [] : [refuse("plan-closed", { cause: closed })];

/**
 * Which ends of a plan end also what was claimed of it. What was only superseded was claimed in its time, and nothing
 * that is claimed is canceled; behind an accepted clock or anchor nothing counts from before.
 */
const ENDS_CLAIMED: { readonly [C in NonNullable<PlanState["closed"]>]: boolean } = {
  canceled: false,
  "requester-revoked": true,
  superseded: false,
  voided: true,
};

/** Who asked, agreed and claimed, each by what stands of it now: nobody can be kept from taking a token away. */
const agreementRefusals = (
  state: State,
  plan: PlanState,
  { approvals: counted, token, vmid }: IntentState,
): readonly Refusal[] => [
  ...(plan.closed !== undefined && ENDS_CLAIMED[plan.closed] ? closedRefusals(plan) : []),
  ...(counted.every((id) => plan.approvals.some((one) => one.id === id))
    ? []
    : [refuse("approval-missing", { cause: "gone", vmid })]),
  ...(token === undefined || tokenNamed(state, token) !== undefined || sessionNamed(state, token) !== undefined
    ? []
    : [refuse("actor-unknown", { cause: "claimer-revoked", facts: { token }, vmid })]),
];

/**
 * A ledger that moved goes on elsewhere: what is frozen, denied or revoked since is there, and is not seen from here.
 */
const sealRefusals = ({ seal, size }: State, vmid: Vmid): readonly Refusal[] =>
  seal?.seq === size - 1 ? [refuse("ledger-sealed", { cause: "since-claim", facts: { seq: seal.seq }, vmid })] : [];

/**
 * Everything again on a state that is younger than the claim, under the configuration that was started last and the
 * rules of this program: it is this program that would call.
 */
export const judgeSinceClaim = async (
  state: State,
  intent: IntentState,
  step: PlanStep,
  read: EntryReader,
): Promise<readonly Refusal[]> => {
  const { environment, plan: id, registered } = intent;
  const plan: PlanState | undefined = recall(state.plans, id);
  if (plan === undefined) return [refuse("plan-unknown", { facts: { plan: id } })];
  const desired = get(state.desired, environment);
  const isSame = desired !== undefined && desired.root === registered;
  return [
    ...sealRefusals(state, step.vmid),
    ...agreementRefusals(state, plan, intent),
    ...groundRefusals(plan, groundsUnder(state, state.started, environment), step.vmid),
    ...(isSame ? [] : entryRefusals(SPINE_RULES, step, await read(state, environment, step.vmid), desired)),
  ];
};
