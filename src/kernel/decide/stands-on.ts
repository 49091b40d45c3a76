// Whether everything that a plan stands on is as it was: the section of its environment, the policy, the rules, and for
// one step the registered entry of its VM, on which protection is judged anew. Asked by whoever agrees to a step or
// applies it, and once more right before the call, together with whether those who agreed, asked and claimed still do.
//
// What was seen is not compared here: it ages (agreement.ts), and is looked at again (protocol.ts). Keeps N2, P7-A1, B1.

import type { PlanStep, Refusal, Sha256, Vmid } from "../../spine/model.ts";
import { isProductionName, protectedByEntry } from "../../spine/plan/protection.ts";
import { rulesDigest } from "../../spine/plan/rules-digest.ts";
import { NO_POLICY, type Policy, policyDigest } from "../../spine/plan/safety.ts";
import { entryHash } from "../../spine/plan/wishes.ts";
import { rowOf } from "../../spine/rules/actions.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { EnvironmentSnapshot } from "../command/recorded-config.ts";
import type { RegisteredEntry } from "../command/request.ts";
import { get } from "../state/persistent-map.ts";
import { recall } from "../state/recent.ts";
import { isRegistered, type Registration } from "../state/registered-entry.ts";
import { type IntentState, type PlanState, type State, tokenNamed } from "../state/state.ts";

/** The digests of what does not come with a step; `section` is absent where the environment is not configured. */
export type Grounds = { readonly policy?: Sha256; readonly rules: Sha256; readonly section?: Sha256 };

/** What its operator added to the rules. keeps P7-A3: it comes from the recorded configuration, never with a command. */
export const policyOf = (environment: Pick<EnvironmentSnapshot, "policy"> | undefined): Policy =>
  environment?.policy ?? NO_POLICY;

/** The policy that a plan stands on, by its digest; undefined where nothing is tightened. */
export const policyNamed = (policy: Policy): Sha256 | undefined =>
  policy.tighten.length === 0 ? undefined : policyDigest(policy);

export const groundsOf = (section: Sha256 | undefined, policy: Policy): Grounds => {
  const named = policyNamed(policy);
  return {
    ...(named === undefined ? {} : { policy: named }),
    rules: rulesDigest(),
    ...(section === undefined ? {} : { section }),
  };
};

/** What holds in an environment under one recorded configuration, and under the rules of this program. */
export const groundsUnder = (state: State, configHash: Sha256 | undefined, environment: string): Grounds => {
  const config = configHash === undefined ? undefined : get(state.configs, configHash);
  const sections = configHash === undefined ? undefined : get(state.sections, configHash);
  const isThere = config !== undefined && Object.hasOwn(config.environments, environment);
  return groundsOf(
    isThere ? sections?.[environment] : undefined,
    policyOf(isThere ? config.environments[environment] : undefined),
  );
};

/** Which of them differ from those that the plan was judged on; each by its own code. */
export const groundRefusals = (plan: Grounds, now: Grounds, vmid: Vmid): readonly Refusal[] => {
  const refusals: Refusal[] = [];
  if (plan.section !== now.section) {
    const because =
      now.section === undefined
        ? "its environment is not configured"
        : "the section of its environment is not the one that the plan was made under";
    refusals.push(refuse("configuration-differs", { because, vmid }));
  }
  if (plan.policy !== now.policy) {
    const because = `the plan stands on ${policyText(plan.policy)}, and ${policyText(now.policy)} is configured`;
    refusals.push(refuse("policy-differs", { because, vmid }));
  }
  if (plan.rules !== now.rules) {
    const because = "the plan was made by a program with other rules";
    refusals.push(refuse("rules-differ", { because, facts: { now: now.rules, plan: plan.rules }, vmid }));
  }
  return refusals;
};

const policyText = (digest: Sha256 | undefined): string => (digest === undefined ? "no policy" : `policy ${digest}`);

/** What is registered for a step's VM, against what is registered now; `shown` is what somebody brought. */
export const entryRefusals = (
  step: PlanStep,
  shown: RegisteredEntry | undefined,
  registration: Registration | undefined,
): readonly Refusal[] => {
  const { vmid } = step;
  if (shown === "none") return [refuse("vm-not-desired", { because: `VM ${vmid} is not registered any more`, vmid })];
  if (shown === undefined) return [refuse("entry-unproven", { because: "no registered entry was brought", vmid })];
  if (shown.entry.vmid !== vmid) {
    return [refuse("entry-unproven", { because: `the entry is of VM ${shown.entry.vmid}`, vmid })];
  }
  if (registration === undefined || !isRegistered(shown, registration)) {
    return [refuse("entry-unproven", { because: "what is registered at this moment does not hold the entry", vmid })];
  }
  const isSame = entryHash(shown.entry) === step.entry;
  const protection = protectedByEntry(shown.entry);
  return [
    ...(isSame ? [] : [refuse("desired-changed", { because: "its entry is not the one that was planned on", vmid })]),
    ...(protection === undefined ? [] : protectedRefusals(step, protection)),
  ];
};

const protectedRefusals = ({ action, name, vmid }: PlanStep, protection: string): readonly Refusal[] =>
  rowOf(action.kind).onProtected
    ? []
    : [refuse("production-touched", { because: `the step is ${action.kind} of ${name}, and ${protection}`, vmid })];

/** What the step itself shows of protection: safety refused such a plan already, and a step that came past it is refused again. */
export const stepProtection = (step: PlanStep): readonly Refusal[] => {
  const seen = step.facts["protectedBecause"];
  if (!step.protected && seen === undefined && !isProductionName(step.name)) return [];
  return protectedRefusals(step, seen === undefined ? "it is protected" : String(seen));
};

/** The entry of a VM as a state has it registered; it throws where that cannot be read. */
export type EntryReader = (state: State, environment: string, vmid: Vmid) => Promise<RegisteredEntry>;

const CLOSED: Readonly<Record<NonNullable<PlanState["closed"]>, string>> = {
  canceled: "it was canceled",
  "requester-revoked": "the token of whoever asked for it was revoked",
  superseded: "it was superseded",
  voided: "it was made on a clock that was set right since",
};

/** Why a plan is nobody's intention any more. */
export const closedRefusals = ({ closed }: Pick<PlanState, "closed">): readonly Refusal[] =>
  closed === undefined ? [] : [refuse("plan-closed", { because: CLOSED[closed] })];

/** Who asked, agreed and claimed, each by what stands of it now: nobody can be kept from taking a token away. */
const agreementRefusals = (
  state: State,
  plan: PlanState,
  { approvals: counted, token, vmid }: IntentState,
): readonly Refusal[] => [
  // What was only superseded was claimed in its time.
  ...(plan.closed === "requester-revoked" ? closedRefusals(plan) : []),
  ...(counted.every((id) => plan.approvals.some((one) => one.id === id))
    ? []
    : [refuse("approval-missing", { cause: "withdrawn", vmid })]),
  ...(token === undefined || tokenNamed(state, token) !== undefined
    ? []
    : [refuse("actor-unknown", { because: `token ${token}, which claimed it, is gone`, facts: { token }, vmid })]),
];

/** Everything again on a state that is younger than the claim, under the configuration that was started last. */
export const refusalsSinceClaim = async (
  state: State,
  intent: IntentState,
  step: PlanStep,
  read: EntryReader,
): Promise<readonly Refusal[]> => {
  const { environment, plan: id, registered } = intent;
  const plan: PlanState | undefined = recall(state.plans, id);
  if (plan === undefined) return [refuse("plan-unknown", { because: `there is no plan ${id}` })];
  const desired = get(state.desired, environment);
  const isSame = desired !== undefined && desired.root === registered;
  return [
    ...agreementRefusals(state, plan, intent),
    ...groundRefusals(plan, groundsUnder(state, state.started, environment), step.vmid),
    ...(isSame ? [] : entryRefusals(step, await read(state, environment, step.vmid), desired)),
  ];
};
