// The small world that is walked exhaustively: one VM, one plan with one step, and two processes that both apply it.
//
// Rivals: two people, each with a confirmation of their own. Twins: the same request under the same key, at two doors.
// Agents: the one that asked, with a person's approval, and another. Eyes: two people where four eyes are required, and
// the approval is of somebody whose token the second of them made.
// Planner: one process observes, plans and applies by itself, and another accepts the clock; the VM was seen before.
// Whoever comes up again after a crash looks after what was left open, and then asks once more what was asked before.

import assert from "node:assert/strict";
import { START_GIVEN, startRequest } from "../../src/kernel/command/program.ts";
import { sectionsOf } from "../../src/kernel/command/recorded-config.ts";
import type { Request, RequestOf, StepRef } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { stepRef } from "../../src/kernel/decide/step-ref.ts";
import { evolve } from "../../src/kernel/fold-versions.ts";
import { entriesIn, registrationOf } from "../../src/kernel/state/registered-entry.ts";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import { INITIAL } from "../../src/kernel/state/state.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { SubmissionAnswer } from "../../src/ledger/write/submission.ts";
import { providerOf } from "../../src/simulator/ports/provider.ts";
import { worldSource } from "../../src/simulator/ports/world-source.ts";
import { makeGuest, makeNode } from "../../src/simulator/world/make-guest.ts";
import { newWorld, type World } from "../../src/simulator/world/world.ts";
import type { Action, DesiredState } from "../../src/spine/model.ts";
import { plan as planFor } from "../../src/spine/plan/plan.ts";
import { NO_POLICY, policyDigest } from "../../src/spine/plan/policy.ts";
import type { Identities } from "../../src/spine/values/identities.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { explanationFor, identitiesIn, planIn } from "./board.ts";
import {
  ALICE,
  BOB,
  BOTO,
  CAROL,
  configOf,
  DAN,
  type Edit,
  type Given,
  type Mode,
  PROLOGUES,
  ROBO,
  recordAtOnce,
  START_MS,
  tokenFor,
  tokenIdOf,
} from "./cast.ts";
import type { SimLedger } from "./ledger.ts";
import type { Parts } from "./parts.ts";
import type { GoneOf, Process, Who } from "./process.ts";
import { CHANGING_ANOTHER, ENVIRONMENT, newestIn, PROTECTING, REGISTERED, REMOVING, vmid } from "./registrations.ts";
import { eyesOf } from "./token-acts.ts";

/** What somebody else may do meanwhile, on the whole ledger and at once. */
export const ELSEWHERES = [
  "configure an address",
  "configure four eyes",
  "deny",
  "freeze",
  "register a change of another",
  "register protection",
  "register without it",
  "revoke",
] as const;
export type Elsewhere = (typeof ELSEWHERES)[number];

/** The VM that all of it is about. */
export const CONTESTED = vmid(101);

export type Contest = "agents" | "eyes" | "planner" | "rivals" | "twins";

const KERNEL: Who = { actor: KERNEL_ACTOR, door: "local" };
const worldWith = (is: { readonly state?: "running" }): World =>
  newWorld({
    cluster: "lab",
    guests: [
      makeGuest({ name: "web-01", node: "pve1", vmid: vmid(101), ...is }, 1, START_MS),
      makeGuest({ name: "batch-01", node: "pve1", vmid: vmid(102) }, 1, START_MS),
      makeGuest({ name: "prod-mail", node: "pve1", state: "running", vmid: vmid(103) }, 1, START_MS),
      makeGuest({ name: "vault-01", node: "pve1", state: "running", vmid: vmid(104) }, 1, START_MS),
    ],
    nodes: [makeNode({ bootedMs: START_MS - 60_000, name: "pve1" })],
    seed: 1,
    startMs: START_MS,
  });

type Asked = { readonly key: Ulid; readonly request: RequestOf<"apply">; readonly who: Who };

/** Everything up to the two confirmations; what follows is what the walk is about. */
export type Contestants = {
  readonly ledger: SimLedger;
  readonly mode: Mode;
  readonly world: World;
  /** What a process does that has come up, in which of the two slots, for the first time or again. */
  readonly begin: (process: Process, slot: number, isFirst: boolean, goneOf: GoneOf) => void;
  /** What somebody else does on the whole ledger and at once, by name. */
  readonly elsewhere: Readonly<Record<Elsewhere, (ledger: SimLedger, nowMs: number) => void>>;
};

type Setting = {
  readonly action?: Action;
  readonly appliers: readonly [Who, Who];
  readonly approver?: Who;
  /** Whose plan is denied, where it is another one for the same. */
  readonly deniedOf?: Who;
  readonly mode: Mode;
  readonly requester: Who;
  readonly world: World;
};

const EYES = eyesOf(CAROL);
const PEOPLE: Setting = {
  appliers: [ALICE, CAROL],
  mode: "single-operator",
  requester: ALICE,
  world: worldWith({}),
};
const SETTINGS: Readonly<Record<Contest, Setting>> = {
  agents: { ...PEOPLE, appliers: [ROBO, BOTO], approver: BOB, deniedOf: ALICE, requester: ROBO },
  eyes: {
    action: { kind: "vm.stop" },
    appliers: [DAN, CAROL],
    approver: { ...EYES, token: tokenIdOf(EYES.actor.id) },
    mode: "four-eyes",
    requester: DAN,
    world: worldWith({ state: "running" }),
  },
  planner: PEOPLE,
  rivals: PEOPLE,
  twins: PEOPLE,
};

type Prepared = {
  readonly asked: readonly Asked[];
  readonly denied: StepRef;
  readonly identities: Identities;
  readonly ledger: SimLedger;
};

const prepared = async (setting: Setting): Promise<Prepared> => {
  const { action, appliers, approver, deniedOf, mode, requester, world } = setting;
  const ledger = PROLOGUES[mode].fork();
  const record = (who: Who, request: Request, given: Given = {}): { readonly id: Ulid; readonly result: Result } => {
    recordAtOnce(ledger, START_MS, who, request, configOf(mode), given);
    const last = ledger.records.at(-1);
    assert.ok(last !== undefined);
    return { id: last.auditId, result: last.body["result"] as Result };
  };
  const source = worldSource(providerOf(world), { environment: ENVIRONMENT });
  const shown = await source.observe(
    [101, 102, 103, 104].map((id) => ({ vmid: vmid(id) })),
    new AbortController().signal,
  );
  const { complete, gaps, observedAt, providerTime, vms } = shown;
  assert.ok(observedAt !== undefined && providerTime !== undefined);
  const { digest: observation } = observe(shown);
  const seen = { complete, gaps: gaps.length, observation, observedAt, providerTime, vms: vms.length };
  const { id } = record(requester, { kind: "observe", ...seen }, { observation: shown });
  const what =
    action === undefined ? { scope: [CONTESTED] } : { request: { action, vmid: CONTESTED }, scope: "all" as const };
  const planned = (who: Who): StepRef => {
    const plan = record(
      who,
      { kind: "plan", observation: id, ...what },
      {
        identities: identitiesIn(ledger),
        observation: shown,
        desired: REGISTERED,
      },
    );
    assert.ok(plan.result.kind === "planned", JSON.stringify(plan.result));
    return stepRef(plan.id, planIn(ledger, plan.result), 0) ?? assert.fail("the plan has a step");
  };
  const of = planned(requester);
  const registered = entriesIn(REGISTERED)(of.step.vmid);
  const denied = deniedOf === undefined ? of : planned(deniedOf);
  if (approver !== undefined) {
    const { actor, token = "" } = approver;
    if (actor.id === EYES.actor.id) record(CAROL, tokenFor(actor, token, START_MS + DAY_MS));
    const explanation = explanationFor(ledger.records.reduce(evolve, INITIAL), of);
    assert.ok(explanation !== undefined);
    const { result } = record(approver, { explanation, kind: "approve", of, reason: "seen", registered });
    assert.equal(result.kind, "approved", JSON.stringify(result));
  }
  const asked = appliers.map((who, at): Asked => {
    // A name that is used once is a key that nobody else has.
    if (who.actor.kind === "agent") {
      return { key: `7${of.plan.slice(1, -1)}${at}` as Ulid, request: { kind: "apply", of, registered }, who };
    }
    const { id: challenge, result } = record(who, { kind: "challenge", of, registered });
    assert.ok(result.kind === "challenged", JSON.stringify(result));
    const confirmation = { challenge, explanation: result.explanation };
    return { key: `7${challenge.slice(1)}` as Ulid, request: { confirmation, kind: "apply", of }, who };
  });
  return { asked, denied, identities: identitiesIn(ledger), ledger };
};

const GROUND = {
  environment: sectionsOf(configOf(PEOPLE.mode))[ENVIRONMENT] ?? assert.fail("it is configured"),
  policy: policyDigest(NO_POLICY),
};

/** Everything from the observation to the apply, as long as nothing is refused. */
const plansAndApplies = async (process: Process, identities: Identities): Promise<void> => {
  const { shown, tookMs } = await process.observe([CONTESTED], []);
  const observed = observe(shown);
  const { complete, gaps, vms } = shown;
  const { observedAt = assert.fail("it says when"), providerTime = assert.fail("it shows its clock") } = shown;
  const seen = { complete, gaps: gaps.length, observation: observed.digest, observedAt, providerTime, tookMs };
  const given = { identities, observation: shown, desired: REGISTERED };
  const asked = (request: Request): Promise<SubmissionAnswer> =>
    process.submit(process.command(ALICE, request, { given }));
  const lookId = grantedId(await asked({ kind: "observe", ...seen, vms: vms.length }));
  if (lookId === undefined) return;
  const scope = [CONTESTED];
  const planId = planIdOf(await asked({ kind: "plan", observation: lookId, scope }));
  // Made here again from what was seen, whatever is remembered: only a kernel that plans for it has recorded it.
  const of = planId === undefined ? undefined : stepRef(planId, planFor(REGISTERED, observed, scope, GROUND), 0);
  if (of === undefined) return;
  const challenged = await asked({ kind: "challenge", of, registered: entriesIn(REGISTERED)(of.step.vmid) });
  const challenge = grantedId(challenged);
  const result = challenged.kind === "recorded" ? (challenged.record.body["result"] as Result) : undefined;
  if (challenge === undefined || result?.kind !== "challenged") return;
  const confirmation = { challenge, explanation: result.explanation };
  process.apply(process.command(ALICE, { confirmation, kind: "apply", of }));
};

/** The plan that was made, or the one that stands and says the same. */
const planIdOf = (answer: SubmissionAnswer): Ulid | undefined => {
  const result = answer.kind === "recorded" ? (answer.record.body["result"] as Result) : undefined;
  return result?.kind === "unchanged" ? result.plan : grantedId(answer);
};

const acceptsClock = async (process: Process): Promise<void> => {
  const { size } = process.state();
  await process.submit(process.command(ALICE, { kind: "accept-clock", reason: "it is right", size }));
};

const grantedId = (answer: SubmissionAnswer): Ulid | undefined => {
  if (answer.kind !== "recorded") return undefined;
  return (answer.record.body["result"] as Result).kind === "refused" ? undefined : answer.record.auditId;
};

export const contestants = async (contest: Contest, { decide }: Pick<Parts, "decide">): Promise<Contestants> => {
  const setting = SETTINGS[contest];
  const { mode, world } = setting;
  const { asked, denied, identities, ledger } = await prepared(setting);
  type Happens = Contestants["elsewhere"][Elsewhere];
  const doing =
    (who: Who, request: Request, given: Given = {}, edit: Edit = {}): Happens =>
    (on, nowMs) =>
      recordAtOnce(on, nowMs, who, request, configOf(mode, edit), given, decide);
  const registering =
    (desired: DesiredState): Happens =>
    (on, nowMs) =>
      doing(ALICE, registrationOf(desired, newestIn(on, ENVIRONMENT)), { desired })(on, nowMs);
  const starting = (edit: Edit): Happens => doing(KERNEL, startRequest(configOf(mode, edit), "0"), START_GIVEN, edit);
  const { token = "nothing" } = setting.approver ?? setting.appliers[1];
  const plannerBegins = (process: Process, slot: number): void => {
    // What is read to come up is read before anything is chosen; whatever is to be found out comes after a first
    // record.
    const noted = process.submit(process.command(ALICE, { kind: "annotate", text: "begins" }));
    void noted.then(() => (slot === 0 ? plansAndApplies(process, identities) : acceptsClock(process)));
  };
  return {
    begin: (process, slot, isFirst, goneOf) => {
      if (contest === "planner") return plannerBegins(process, slot);
      const { key, request, who } = asked[contest === "twins" ? 0 : slot] ?? assert.fail("two are enough");
      const ask = (): void => process.apply(process.command(who, request, { key }));
      if (isFirst) ask();
      else void process.recover(goneOf).then(ask);
    },
    elsewhere: {
      "configure an address": starting({ address: "https://192.0.2.7:8006" }),
      "configure four eyes": starting({ approval: "four-eyes" }),
      deny: doing(CAROL, { kind: "deny", of: denied, reason: "no" }),
      freeze: doing(ALICE, { kind: "freeze", reason: "stop" }),
      "register a change of another": registering(CHANGING_ANOTHER),
      "register protection": registering(PROTECTING),
      "register without it": registering(REMOVING),
      revoke: doing(ALICE, { act: "revoke", kind: "token", token }),
    },
    ledger,
    mode,
    world,
  };
};
