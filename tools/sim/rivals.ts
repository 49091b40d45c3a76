// The small world that is walked exhaustively: one VM, one plan with one step, and two processes that both apply it.
//
// Rivals: two people, each with a confirmation of their own. Twins: the same request under the same key, at two doors.
// Agents: the one that asked, with a person's approval, and another. Eyes: two people where four eyes are required, and
// the approval is of somebody whose token the second of them made.
// Whoever comes up again after a crash looks after what was left open, and then asks once more what was asked before.

import assert from "node:assert/strict";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { DAY_MS } from "../../src/kernel/decide-token.ts";
import { evolve } from "../../src/kernel/evolve.ts";
import { entriesIn, registrationOf } from "../../src/kernel/registered-entry.ts";
import type { Request, RequestOf, StepRef } from "../../src/kernel/request.ts";
import type { Result } from "../../src/kernel/result.ts";
import { INITIAL } from "../../src/kernel/state.ts";
import { stepRef } from "../../src/kernel/step-ref.ts";
import type { Ulid } from "../../src/ledger/record.ts";
import { makeGuest, makeNode } from "../../src/simulator/make-guest.ts";
import { placeOf } from "../../src/simulator/place.ts";
import { newWorld, type World } from "../../src/simulator/world.ts";
import { worldSource } from "../../src/simulator/world-source.ts";
import type { Action, Wishes } from "../../src/spine/model.ts";
import { observe } from "../../src/spine/observation.ts";
import { explanationFor, planIn } from "./board.ts";
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
import type { Process, Who } from "./process.ts";
import { CHANGING_ANOTHER, ENVIRONMENT, PROTECTING, REMOVING, vmid, WISHES } from "./registrations.ts";
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

export type Contest = "agents" | "eyes" | "rivals" | "twins";

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
  readonly begin: (process: Process, slot: number, isFirst: boolean, isEnded: (owner: Ulid) => boolean) => void;
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
  rivals: PEOPLE,
  twins: PEOPLE,
};

type Prepared = { readonly asked: readonly Asked[]; readonly denied: StepRef; readonly ledger: SimLedger };

const prepared = async (setting: Setting): Promise<Prepared> => {
  const { action, appliers, approver, deniedOf, mode, requester, world } = setting;
  const ledger = PROLOGUES[mode].fork();
  const record = (who: Who, request: Request, given: Given = {}): { readonly id: Ulid; readonly result: Result } => {
    recordAtOnce(ledger, START_MS, who, request, configOf(mode), given);
    const last = ledger.records.at(-1);
    assert.ok(last !== undefined);
    return { id: last.auditId, result: last.body["result"] as Result };
  };
  const source = worldSource(placeOf(world), { environment: ENVIRONMENT });
  const look = await source.observe([101, 102, 103, 104].map(vmid), new AbortController().signal);
  const { complete, gaps, observedAt, vms } = look;
  assert.ok(observedAt !== undefined);
  const { digest: observation } = observe(look);
  const seen = { complete, gaps: gaps.length, observation, observedAt, vms: vms.length };
  const { id } = record(requester, { kind: "observe", ...seen }, { observation: look });
  const what =
    action === undefined ? { scope: [vmid(101)] } : { request: { action, vmid: vmid(101) }, scope: "all" as const };
  const planned = (who: Who): StepRef => {
    const plan = record(who, { kind: "plan", look: id, ...what }, { observation: look, wishes: WISHES });
    assert.ok(plan.result.kind === "planned", JSON.stringify(plan.result));
    return stepRef(plan.id, planIn(ledger, plan.result), 0) ?? assert.fail("the plan has a step");
  };
  const of = planned(requester);
  const registered = entriesIn(WISHES)(of.step.vmid);
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
  return { asked, denied, ledger };
};

export const contestants = async (contest: Contest, { decide }: Pick<Parts, "decide">): Promise<Contestants> => {
  const setting = SETTINGS[contest];
  const { mode, world } = setting;
  const { asked, denied, ledger } = await prepared(setting);
  type Happens = Contestants["elsewhere"][Elsewhere];
  const doing =
    (who: Who, request: Request, given: Given = {}, edit: Edit = {}): Happens =>
    (on, nowMs) =>
      recordAtOnce(on, nowMs, who, request, configOf(mode, edit), given, decide);
  const registering = (wishes: Wishes): Happens => doing(ALICE, registrationOf(wishes), { wishes });
  const starting = (edit: Edit): Happens =>
    doing(KERNEL, { config: configOf(mode, edit), kind: "start", version: "0" }, {}, edit);
  const { token = "nothing" } = setting.approver ?? setting.appliers[1];
  return {
    begin: (process, slot, isFirst, isEnded) => {
      const { key, request, who } = asked[contest === "twins" ? 0 : slot] ?? assert.fail("two are enough");
      const ask = (): void => process.apply(process.command(who, request, { key }));
      if (isFirst) ask();
      else void process.recover(isEnded).then(ask);
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
