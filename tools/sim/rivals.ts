// The small world that is walked exhaustively: one VM, one plan with one step, and two processes that both apply it.
//
// Rivals: two people, each with a confirmation of their own. Twins: the same request under the same key, at two doors.
// Planner: one process observes, plans and applies by itself, and another accepts the clock; the VM was seen before.
// Whoever comes up again after a crash looks after what was left open, and then asks once more what was asked before.

import assert from "node:assert/strict";
import { sectionsOf } from "../../src/kernel/config-snapshot.ts";
import type { Request, RequestOf, StepRef } from "../../src/kernel/request.ts";
import type { Result } from "../../src/kernel/result.ts";
import { stepRef } from "../../src/kernel/step-ref.ts";
import type { Ulid } from "../../src/ledger/record.ts";
import type { Answer } from "../../src/ledger/submission.ts";
import { makeGuest, makeNode } from "../../src/simulator/make-guest.ts";
import { placeOf } from "../../src/simulator/place.ts";
import { newWorld, type World } from "../../src/simulator/world.ts";
import { worldSource } from "../../src/simulator/world-source.ts";
import type { Identities } from "../../src/spine/identities.ts";
import { observe } from "../../src/spine/observation.ts";
import { plan as planFor } from "../../src/spine/plan.ts";
import { NO_POLICY, policyDigest } from "../../src/spine/safety.ts";
import { identitiesIn, planIn } from "./board.ts";
import { ALICE, CAROL, configOf, type Given, PROLOGUES, recordAtOnce, START_MS, vmid, WISHES } from "./cast.ts";
import type { SimLedger } from "./ledger.ts";
import { ENVIRONMENT, type Process, type Who } from "./process.ts";

export type Contest = "planner" | "rivals" | "twins";

/** The VM that all of it is about. */
export const CONTESTED = vmid(101);

const MODE = "single-operator";
const WORLD = newWorld({
  cluster: "lab",
  guests: [
    makeGuest({ name: "web-01", node: "pve1", vmid: vmid(101) }, 1, START_MS),
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
  readonly mode: typeof MODE;
  readonly world: World;
  /** What a process does that has come up, in which of the two slots, for the first time or again. */
  readonly begin: (process: Process, slot: number, isFirst: boolean, isEnded: (owner: Ulid) => boolean) => void;
  /** Somebody freezes, on the whole ledger and at once. */
  readonly freeze: (ledger: SimLedger, nowMs: number) => void;
};

type Prepared = {
  readonly asked: readonly Asked[];
  readonly identities: Identities;
  readonly ledger: SimLedger;
};
const prepared = async (): Promise<Prepared> => {
  const ledger = PROLOGUES[MODE].fork();
  const record = (who: Who, request: Request, given: Given = {}): { readonly id: Ulid; readonly result: Result } => {
    recordAtOnce(ledger, START_MS, who, request, MODE, given);
    const last = ledger.records.at(-1);
    assert.ok(last !== undefined);
    return { id: last.auditId, result: last.body["result"] as Result };
  };
  const source = worldSource(placeOf(WORLD), { environment: ENVIRONMENT });
  const look = await source.observe([101, 102, 103, 104].map(vmid), new AbortController().signal);
  const { complete, gaps, observedAt, providerTime, vms } = look;
  assert.ok(observedAt !== undefined && providerTime !== undefined);
  const { digest: observation } = observe(look);
  const seen = { complete, gaps: gaps.length, observation, observedAt, providerTime, vms: vms.length };
  const { id } = record(ALICE, { kind: "observe", ...seen }, { observation: look });
  const scope = [CONTESTED];
  const given = { identities: identitiesIn(ledger), observation: look, wishes: WISHES };
  const planned = record(ALICE, { kind: "plan", look: id, scope }, given);
  assert.ok(planned.result.kind === "planned", JSON.stringify(planned.result));
  const of: StepRef | undefined = stepRef(planned.id, planIn(ledger, planned.result), 0);
  assert.ok(of !== undefined, "the plan has a step");
  const asked = [ALICE, CAROL].map((who): Asked => {
    const { id: challenge, result } = record(who, { kind: "challenge", of });
    assert.ok(result.kind === "challenged", JSON.stringify(result));
    const confirmation = { challenge, explanation: result.explanation };
    // A confirmation is used once, so that its name is a key that nobody else has.
    return { key: `7${challenge.slice(1)}` as Ulid, request: { confirmation, kind: "apply", of }, who };
  });
  return { asked, identities: identitiesIn(ledger), ledger };
};

const GROUND = {
  environment: sectionsOf(configOf(MODE))[ENVIRONMENT] ?? assert.fail("it is configured"),
  policy: policyDigest(NO_POLICY),
};

/** Everything from the observation to the apply, as long as nothing is refused. */
const plansAndApplies = async (process: Process, identities: Identities): Promise<void> => {
  const { look, tookMs } = await process.observe([CONTESTED], []);
  const observed = observe(look);
  const { complete, gaps, vms } = look;
  const { observedAt = assert.fail("it says when"), providerTime = assert.fail("it shows its clock") } = look;
  const seen = { complete, gaps: gaps.length, observation: observed.digest, observedAt, providerTime, tookMs };
  const given = { identities, observation: look, wishes: WISHES };
  const asked = (request: Request): Promise<Answer> => process.submit(process.command(ALICE, request, { given }));
  const lookId = grantedId(await asked({ kind: "observe", ...seen, vms: vms.length }));
  if (lookId === undefined) return;
  const scope = [CONTESTED];
  const planId = grantedId(await asked({ kind: "plan", look: lookId, scope }));
  // Made here again from what was seen, whatever is remembered: only a kernel that plans for it has recorded it.
  const of = planId === undefined ? undefined : stepRef(planId, planFor(WISHES, observed, scope, GROUND), 0);
  if (of === undefined) return;
  const challenged = await asked({ kind: "challenge", of });
  const challenge = grantedId(challenged);
  const result = challenged.kind === "recorded" ? (challenged.record.body["result"] as Result) : undefined;
  if (challenge === undefined || result?.kind !== "challenged") return;
  const confirmation = { challenge, explanation: result.explanation };
  process.apply(process.command(ALICE, { confirmation, kind: "apply", of }));
};

const acceptsClock = async (process: Process): Promise<void> => {
  const { size } = process.state();
  await process.submit(process.command(ALICE, { kind: "accept-clock", reason: "it is right", size }));
};

const grantedId = (answer: Answer): Ulid | undefined => {
  if (answer.kind !== "recorded") return undefined;
  return (answer.record.body["result"] as Result).kind === "refused" ? undefined : answer.record.auditId;
};

export const contestants = async (contest: Contest): Promise<Contestants> => {
  const { asked, identities, ledger } = await prepared();
  const plannerBegins = (process: Process, slot: number): void => {
    // What is read to come up is read before anything is chosen; whatever is to be found out comes after a first record.
    const noted = process.submit(process.command(ALICE, { kind: "annotate", text: "begins" }));
    void noted.then(() => (slot === 0 ? plansAndApplies(process, identities) : acceptsClock(process)));
  };
  return {
    begin: (process, slot, isFirst, isEnded) => {
      if (contest === "planner") return plannerBegins(process, slot);
      const { key, request, who } = asked[contest === "twins" ? 0 : slot] ?? assert.fail("two are enough");
      const ask = (): void => process.apply(process.command(who, request, { key }));
      if (isFirst) ask();
      else void process.recover(isEnded).then(ask);
    },
    freeze: (on, nowMs) => recordAtOnce(on, nowMs, ALICE, { kind: "freeze", reason: "stop" }, MODE),
    ledger,
    mode: MODE,
    world: WORLD,
  };
};
