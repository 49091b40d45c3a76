// Every intent stands on a plan, on enough people and on its own confirmation: read from the records alone, by the
// table of the design (section 4), which is written down here a second time.

import { isDeepStrictEqual } from "node:util";
import type { RecordedConfig, RecordedEnvironment } from "../../../src/kernel/command/recorded-config.ts";
import type { Actor } from "../../../src/ledger/record/record.ts";
import type { ActionKind, PlanStep } from "../../../src/spine/model.ts";
import type { Policy, PolicyLine } from "../../../src/spine/plan/policy.ts";
import { later } from "../../../src/spine/values/instant.ts";
import { planIn } from "../board.ts";
import { type Check, type Entry, type EntryOf, entriesOf, isGranted, isKind } from "./evidence.ts";
import { heldBefore, isOneHand, isRevokedSince, isValid, tokenIn } from "./tokens.ts";

const MINUTE_MS = 60_000;
const CONFIRMATION_MS = 5 * MINUTE_MS;

type Tier = "low" | "medium" | "high" | "irreversible";
const TIERS: Readonly<Record<ActionKind, Tier>> = {
  "vm.clone": "medium",
  "vm.delete": "irreversible",
  "vm.migrate": "high",
  "vm.reboot": "medium",
  "vm.reset": "high",
  "vm.resize": "medium",
  "vm.resume": "low",
  "vm.shutdown": "medium",
  "vm.snapshot.create": "low",
  "vm.snapshot.delete": "high",
  "vm.snapshot.rollback": "high",
  "vm.start": "low",
  "vm.stop": "high",
  "vm.suspend": "medium",
};
const RISING: readonly Tier[] = ["low", "medium", "high", "irreversible"];
/** By the table, or as high as the operator's policy has it. */
export const tierOf = ({ action }: PlanStep, policy: Policy | undefined, hands: readonly Actor[]): Tier => {
  const tiers = (policy?.tighten ?? []).flatMap((line) =>
    line.action === action.kind && isForOne(line, hands) ? [line.to] : [],
  );
  const own = TIERS[action.kind];
  return RISING.findLast((tier) => tier === own || tiers.includes(tier)) ?? own;
};
/** Whether a line is for everybody, or for one of these by kind or name. */
export const isForOne = ({ for: whom }: Pick<PolicyLine, "for">, hands: readonly Actor[]): boolean =>
  whom === undefined || hands.some(({ id, kind }) => [id, kind].includes(whom));
export const LIFE_MS = {
  high: 15 * MINUTE_MS,
  irreversible: 15 * MINUTE_MS,
  low: 60 * MINUTE_MS,
  medium: 60 * MINUTE_MS,
} as const;

/** How many people, and whether whoever asks or applies may be one of them. Undefined: nobody is enough. */
type Needed = { readonly people: number; readonly ownCounts: boolean } | undefined;
const needed = (tier: Tier, mode: string, isAgent: boolean): Needed => {
  if (isAgent) return { high: { ownCounts: false, people: 2 }, irreversible: undefined, low: ONE, medium: ONE }[tier];
  const four = mode === "four-eyes";
  if (tier === "high") return { ownCounts: !four, people: 1 };
  return tier === "irreversible" ? { ownCounts: !four, people: four ? 2 : 1 } : { ownCounts: true, people: 0 };
};
const ONE = { ownCounts: false, people: 1 };

export const agreed: Check = ({ stage }) => {
  const entries = entriesOf(stage);
  return entries.flatMap((entry, at) =>
    isKind(entry, "apply") && isGranted(entry)
      ? objections(entry, entries.slice(0, at).filter(isGranted), stage).map((what) => `intent at ${at}: ${what}`)
      : [],
  );
};

const objections = (
  apply: EntryOf<"apply">,
  before: readonly Entry[],
  stage: Parameters<Check>[0]["stage"],
): readonly string[] => {
  const { of } = apply.request;
  const { actor, environment, processTime: at } = apply.record;
  const found: string[] = [];
  const plan = before.find((entry) => isKind(entry, "plan") && entry.record.auditId === of.plan);
  if (plan?.result.kind !== "planned" || !isKind(plan, "plan")) return ["there is no such plan"];
  if (plan.record.environment !== environment) found.push("the plan is of another environment");
  if (plan.result.verdict === "refused") found.push("the plan's verdict is refused");
  const shown = before.find((entry) => entry.record.auditId === plan.request.observation);
  if (shown === undefined || !isKind(shown, "observe")) found.push("the plan stands on no look of ours");
  const { answers } = planIn(stage.ledger, plan.result);
  const step = answers.filter((answer) => answer.kind === "step")[of.index];
  if (!isDeepStrictEqual(step, of.step)) found.push("the step is not the plan's");
  const policy = sectionOf(before, apply)?.policy;
  if (!isDeepStrictEqual(policy, sectionOf(before, plan)?.policy)) found.push("the plan stands on another policy");
  const hands = [plan.record.actor, actor];
  const isRuledOut = policy?.tighten.some(
    (line) => line.action === of.step.action.kind && line.to === "refused" && isForOne(line, [plan.record.actor]),
  );
  if (isRuledOut === true) found.push("the policy refuses it");
  const tier = tierOf(of.step, policy, hands);
  const { observedAt } = plan.result;
  if (observedAt === undefined || at >= later(observedAt, LIFE_MS[tier])) found.push("the plan was over");
  if (before.some((entry) => isKind(entry, "deny") && isOf(entry, apply))) found.push("somebody denied it");
  if (before.some((entry) => isKind(entry, "cancel") && entry.request.plan === of.plan)) found.push("it was canceled");
  const isReplaced = ({ result }: Entry): boolean => result.kind === "planned" && result.supersedes === of.plan;
  if (before.some(isReplaced)) found.push("it was superseded");
  if (isFrozen(before, environment)) found.push("it was frozen");
  const mode = sectionOf(before, apply)?.approval ?? "nothing is configured";
  if (mode === "four-eyes" && apply.door === "local") found.push("it came through the local door");
  const needs = needed(tier, mode, actor.kind === "agent");
  if (needs === undefined) return [...found, "an agent cannot have it"];
  if (actor.kind === "agent" && plan.record.actor.id !== actor.id) found.push("another asked for it");
  const held = heldBefore(before);
  if (isRevokedSince(before, plan.record)) found.push("whoever asked for it was revoked");
  const agreed = approversOf(before, apply, plan.record.actor, mode).filter(
    (by) => needs.ownCounts || hands.every(({ id, kind }) => id !== by && !isOneHand(held, by, id, kind === "person")),
  );
  // Whoever could hold the token of another who agreed is no further person.
  const people = agreed.filter((by) => !agreed.some((other) => held.get(other)?.makers.has(by) === true));
  if (people.length < needs.people) found.push(`${needs.people} people are needed, and ${people.length} agreed`);
  if (actor.kind !== "agent") found.push(...unconfirmed(before, apply, tier === "irreversible"));
  return found;
};

type About = { readonly of: { readonly plan: string; readonly step: { readonly hash: string } } };
const isOf = ({ request }: { readonly request: About }, apply: EntryOf<"apply">): boolean =>
  request.of.plan === apply.request.of.plan && request.of.step.hash === apply.request.of.step.hash;

/** What the process that recorded an entry had said of its environment. */
export const sectionOf = (before: readonly Entry[], { record }: Entry): RecordedEnvironment | undefined => {
  const start = before.find((entry) => isKind(entry, "start") && entry.record.configHash === record.configHash);
  const config: RecordedConfig | undefined = start?.request.kind === "start" ? start.request.config : undefined;
  return config?.environments[record.environment ?? ""];
};

/** Frozen here or everywhere, and not lifted since. */
export const isFrozen = (before: readonly Entry[], environment: string | undefined): boolean => {
  const isHere = (where: string | undefined): boolean =>
    before.findLast(
      (entry) => (isKind(entry, "freeze") || isKind(entry, "unfreeze")) && entry.record.environment === where,
    )?.request.kind === "freeze";
  return isHere(environment) || isHere(undefined);
};

/**
 * Whether somebody denied the same action on the same VM after an entry: what was read then is not the whole any more.
 */
const isDeniedSince = (before: readonly Entry[], { record }: Entry, apply: EntryOf<"apply">): boolean => {
  const { action, vmid } = apply.request.of.step;
  return before.some(
    (entry) =>
      isKind(entry, "deny") &&
      entry.record.seq > record.seq &&
      entry.record.environment === apply.record.environment &&
      entry.request.of.step.vmid === vmid &&
      entry.request.of.step.action.kind === action.kind,
  );
};

/** People with the right to approve, each once, whose approval stands and is for this applier. */
const approversOf = (
  before: readonly Entry[],
  apply: EntryOf<"apply">,
  requester: Actor,
  mode: string,
): readonly string[] => {
  const revoked = new Set(before.flatMap((entry) => (isKind(entry, "revoke") ? [entry.request.approval] : [])));
  const held = heldBefore(before);
  const applier = apply.record.actor;
  const confirmed = apply.request.confirmation?.explanation;
  const isNamed = requester.kind === "agent" ? applier.id === requester.id : applier.kind === "person";
  if (!isNamed) return [];
  const counting = before.filter(
    (entry) =>
      isKind(entry, "approve") &&
      isOf(entry, apply) &&
      entry.record.actor.kind === "person" &&
      entry.record.actor.roles.includes("approver") &&
      !revoked.has(entry.record.auditId) &&
      entry.result.kind === "approved" &&
      entry.request.explanation === (confirmed ?? entry.request.explanation) &&
      apply.record.processTime < entry.result.expiresAt &&
      isValid(held, entry.record, apply.record.processTime) &&
      (mode !== "four-eyes" || entry.door === "service") &&
      !isDeniedSince(before, entry, apply),
  );
  return [...new Set(counting.map(({ record }) => record.actor.id))];
};

const unconfirmed = (before: readonly Entry[], apply: EntryOf<"apply">, isTyped: boolean): readonly string[] => {
  const { confirmation, of } = apply.request;
  const { actor, processTime: at } = apply.record;
  if (confirmation === undefined) return ["it is not confirmed"];
  const challenge = before.find((entry) => entry.record.auditId === confirmation.challenge);
  if (challenge === undefined || !isKind(challenge, "challenge") || challenge.result.kind !== "challenged") {
    return ["it answers no challenge"];
  }
  const { record, result } = challenge;
  const isUsed = before.some(
    (entry) => isKind(entry, "apply") && entry.request.confirmation?.challenge === confirmation.challenge,
  );
  return [
    ...(record.actor.id === actor.id && isOf(challenge, apply) ? [] : ["the confirmation is another's"]),
    ...(result.explanation === confirmation.explanation ? [] : ["another text was confirmed"]),
    ...(isDeniedSince(before, challenge, apply) ? ["somebody denied the same after it was shown"] : []),
    ...(tokenIn(record) === tokenIn(apply.record) ? [] : ["another token was challenged"]),
    ...(at < later(record.processTime, CONFIRMATION_MS) ? [] : ["the confirmation is old"]),
    ...(isUsed ? ["the confirmation was used before"] : []),
    ...(isTyped && confirmation.name !== of.step.name ? ["the name was not typed"] : []),
  ];
};
