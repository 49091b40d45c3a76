// The small world that is walked exhaustively: one VM, one plan with one step, and two processes that both apply it.
//
// Rivals: two people, each with a confirmation of their own. Twins: the same request under the same key, at two doors.
// Whoever comes up again after a crash looks after what was left open, and then asks once more what was asked before.

import assert from "node:assert/strict";
import type { Request, RequestOf, StepRef } from "../../src/kernel/request.ts";
import type { Result } from "../../src/kernel/result.ts";
import { stepRef } from "../../src/kernel/step-ref.ts";
import type { Ulid } from "../../src/ledger/record.ts";
import { makeGuest, makeNode } from "../../src/simulator/make-guest.ts";
import { placeOf } from "../../src/simulator/place.ts";
import { newWorld, type World } from "../../src/simulator/world.ts";
import { worldSource } from "../../src/simulator/world-source.ts";
import { observe } from "../../src/spine/observation.ts";
import { identitiesIn, planIn } from "./board.ts";
import { ALICE, CAROL, type Given, PROLOGUES, recordAtOnce, START_MS, vmid, WISHES } from "./cast.ts";
import type { SimLedger } from "./ledger.ts";
import { ENVIRONMENT, type Process, type Who } from "./process.ts";

export type Contest = "rivals" | "twins";

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

const prepared = async (): Promise<{ readonly asked: readonly Asked[]; readonly ledger: SimLedger }> => {
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
  const scope = [vmid(101)];
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
  return { asked, ledger };
};

export const contestants = async (contest: Contest): Promise<Contestants> => {
  const { asked, ledger } = await prepared();
  return {
    begin: (process, slot, isFirst, isEnded) => {
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
