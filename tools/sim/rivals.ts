// The small world that is walked exhaustively: one VM, one plan with one step, and two processes that both apply it.
//
// Rivals: two people, each with a confirmation of their own. Twins: the same request under the same key, at two doors.
// Whoever comes up again after a crash looks after what was left open, and then asks once more what was asked before.

import assert from "node:assert/strict";
import type { Command, Request, RequestOf, StepRef } from "../../src/kernel/request.ts";
import type { Result } from "../../src/kernel/result.ts";
import { stepRef } from "../../src/kernel/step-ref.ts";
import type { Ulid } from "../../src/ledger/record.ts";
import { makeGuest, makeNode } from "../../src/simulator/make-guest.ts";
import { placeOf } from "../../src/simulator/place.ts";
import { newWorld } from "../../src/simulator/world.ts";
import { worldSource } from "../../src/simulator/world-source.ts";
import { observe } from "../../src/spine/observation.ts";
import { planIn } from "./board.ts";
import { ALICE, CAROL, type Given, PROLOGUES, recordAtOnce, START_MS, vmid, WISHES } from "./cast.ts";
import type { SimLedger } from "./ledger.ts";
import type { Parts } from "./parts.ts";
import { ENVIRONMENT, type Process, type Who } from "./process.ts";
import { type Stage, stageOf } from "./stage.ts";

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

type Prepared = { readonly ledger: SimLedger; readonly requests: readonly (readonly [Who, RequestOf<"apply">])[] };

/** Everything up to the two confirmations; what follows is what the walk is about. */
const prepare = async (): Promise<Prepared> => {
  const ledger = PROLOGUES[MODE].fork();
  const record = (who: Who, request: Request, given: Given = {}): { readonly id: Ulid; readonly result: Result } => {
    recordAtOnce(ledger, START_MS, who, request, MODE, given);
    const last = ledger.records.at(-1);
    assert.ok(last !== undefined);
    return { id: last.auditId, result: last.body["result"] as Result };
  };
  const source = worldSource(placeOf(WORLD), { environment: ENVIRONMENT });
  const look = await source.observe([101, 102, 103, 104].map(vmid), new AbortController().signal);
  const { complete, gaps, observedAt, vms } = look;
  assert.ok(observedAt !== undefined);
  const { digest: observation } = observe(look);
  const seen = { complete, gaps: gaps.length, observation, observedAt, vms: vms.length };
  const { id } = record(ALICE, { kind: "observe", ...seen }, { observation: look });
  const scope = [vmid(101)];
  const planned = record(ALICE, { kind: "plan", look: id, scope }, { observation: look, wishes: WISHES });
  assert.ok(planned.result.kind === "planned", JSON.stringify(planned.result));
  const of: StepRef | undefined = stepRef(planned.id, planIn(ledger, planned.result), 0);
  assert.ok(of !== undefined, "the plan has a step");
  const requests = [ALICE, CAROL].map((who) => {
    const { id: challenge, result } = record(who, { kind: "challenge", of });
    assert.ok(result.kind === "challenged", JSON.stringify(result));
    return [who, { confirmation: { challenge, explanation: result.explanation }, kind: "apply", of }] as const;
  });
  return { ledger, requests };
};

export type Rivals = {
  readonly stage: (parts: Parts, contest: Contest) => Stage;
  readonly freeze: (stage: Stage) => void;
};

/** `isProvable`: whether a process that is gone can be proven to be gone. */
export const rivals = async (isProvable: boolean): Promise<Rivals> => {
  const { ledger, requests } = await prepare();
  return {
    freeze: ({ ledger: on, place }) =>
      recordAtOnce(on, place.world().nowMs, ALICE, { kind: "freeze", reason: "stop" }, MODE),
    stage: (parts, contest) => {
      const asked: Command<RequestOf<"apply">>[] = [];
      const ask = (process: Process, which: number): void => {
        const [who, request] = requests[contest === "twins" ? 0 : which] ?? assert.fail("two are enough");
        const key = asked[contest === "twins" ? 0 : which]?.key;
        const command = process.command(who, request, key === undefined ? {} : { key });
        asked[which] ??= command;
        process.apply(command);
      };
      return stageOf({
        kernels: 2,
        ledger,
        mode: MODE,
        onStart: (process, stage) => {
          const which = stage.processes().indexOf(process);
          if (process.no <= 2) ask(process, which);
          else {
            void process
              .recover((owner) => isProvable && stage.deaths.has(owner))
              .then((found) => {
                stage.counts.add("intents recovered", found);
                ask(process, which);
              });
          }
        },
        pace: "at-once",
        parts,
        world: WORLD,
      });
    },
  };
};
