// Who is in a simulated world, what is configured and registered, and the ledger that every world begins with.
//
// alice operates at the machine itself; the others come with tokens through the service. Under four eyes alice cannot
// apply, so that every combination of asking, approving and applying comes up.

import assert from "node:assert/strict";
import { ulids } from "../../src/ids.ts";
import { LOCAL_ROLES } from "../../src/kernel/actors.ts";
import { commandOf, KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { type ConfigSnapshot, configHash } from "../../src/kernel/config-snapshot.ts";
import { decide } from "../../src/kernel/decide.ts";
import { evolve } from "../../src/kernel/evolve.ts";
import type { Command, Request, Role } from "../../src/kernel/request.ts";
import { INITIAL } from "../../src/kernel/state.ts";
import { useOf } from "../../src/ledger/asked.ts";
import type { Actor } from "../../src/ledger/record.ts";
import { seal } from "../../src/ledger/seal.ts";
import { sha256 } from "../../src/spine/hash.ts";
import { instantOf } from "../../src/spine/instant.ts";
import { type DesiredVm, isVmid, type Vmid, type Wishes } from "../../src/spine/model.ts";
import type { Policy } from "../../src/spine/safety.ts";
import { wishesOf } from "../../src/spine/wishes.ts";
import { type SimLedger, simLedger } from "./ledger.ts";
import { ENVIRONMENT, type Who } from "./process.ts";

export type Mode = "four-eyes" | "single-operator";
export const START_MS = 1_794_736_800_000; // 2026-11-15T10:00:00Z
export const OTHER_ENVIRONMENT = "away";

const environment = (approval: Mode, name: string, policy?: Policy): ConfigSnapshot["environments"][string] => ({
  adapter: "simulated",
  approval,
  live: true,
  maxObservationAgeMs: 60_000,
  ...(policy === undefined ? {} : { policy }),
  section: { environment: name },
});

export const configOf = (approval: Mode, policy?: Policy): ConfigSnapshot => ({
  environments: {
    [OTHER_ENVIRONMENT]: environment(approval, OTHER_ENVIRONMENT),
    [ENVIRONMENT]: environment(approval, ENVIRONMENT, policy),
  },
  ledger: { engine: "simulation" },
  operator: "alice",
});

const token = (id: string, kind: "agent" | "person", ...roles: readonly Role[]): Who => ({
  actor: { id, kind, roles },
  door: "service",
});
export const ALICE: Who = { actor: { id: "alice", kind: "person", roles: LOCAL_ROLES }, door: "local" };
export const BOB = token("bob", "person", "approver");
export const CAROL = token("carol", "person", "approver", "operator");
export const DAN = token("dan", "person", "operator");
export const ROBO = token("robo", "agent", "agent");
/** Pushes what it saw, and can do nothing else. */
export const PROBE = token("probe", "agent", "sensor");
export const CAST: readonly [Who, ...Who[]] = [ALICE, BOB, CAROL, DAN, ROBO];

export const vmid = (value: number): Vmid => {
  assert.ok(isVmid(value), `${value} is a vmid`);
  return value;
};

/** 103 is production by its name, 104 by its entry; both are running and are never to be interrupted. */
export const DESIRED: readonly DesiredVm[] = [
  { kind: "desired", name: "web-01", target: "running", vmid: vmid(101) },
  { kind: "desired", name: "batch-01", stop: "shutdown", target: "stopped", vmid: vmid(102) },
  { kind: "desired", name: "prod-mail", target: "running", vmid: vmid(103) },
  { kind: "desired", name: "vault-01", protected: true, target: "running", vmid: vmid(104) },
];
const made = wishesOf(ENVIRONMENT, DESIRED);
assert.ok(!("kind" in made), "one wish for each VM");
export const WISHES: Wishes = made;

export type Given = NonNullable<Command["given"]>;

/** Decided on the whole ledger, and durable at once: what happened before a world begins, or all in one moment. */
export const recordAtOnce = (
  ledger: SimLedger,
  nowMs: number,
  who: Who,
  request: Request,
  mode: Mode,
  given: Given = {},
): void => {
  const state = ledger.records.reduce(evolve, INITIAL);
  const { hash: prev, size: seq } = ledger.head();
  const ids = ulids(
    () => nowMs,
    (bytes) =>
      new Uint8Array(bytes)
        .fill(31, 0, 1)
        .fill(seq & 31, 15, 16)
        .fill(seq >> 5, 14, 15),
  );
  const desk = { ...who, configHash: configHash(configOf(mode)), ids, instance: ids(), now: () => instantOf(nowMs) };
  const command = commandOf(desk, request, { environment: ENVIRONMENT, given });
  const { blobs, draft } = decide(state, command, ledger.records.at(-1)?.processTime);
  const { line, record } = seal(draft, { prev, seq });
  const commit = { blobs: blobs ?? new Map(), keys: [useOf(record)], lines: [line] };
  assert.equal(ledger.land(commit, seq, nowMs).kind, "ok");
};

const ROLES: readonly Role[] = ["agent", "approver", "operator", "sensor"];
const subjectOf = ({ id, kind, roles }: Actor): Extract<Request, { readonly kind: "token" }>["subject"] => ({
  id,
  kind: kind === "agent" ? "agent" : "person",
  roles: roles.filter((role): role is Role => ROLES.some((one) => one === role)),
});

const prologue = (mode: Mode): SimLedger => {
  const ledger = simLedger();
  const record = (who: Who, request: Request): void =>
    recordAtOnce(ledger, START_MS, who, request, mode, { wishes: WISHES });
  record({ actor: KERNEL_ACTOR, door: "local" }, { config: configOf(mode), kind: "start", version: "0" });
  for (const { actor } of [...CAST.slice(1), PROBE]) {
    record(ALICE, { act: "create", hash: sha256(actor.id), kind: "token", subject: subjectOf(actor) });
  }
  record(ALICE, { kind: "desire", vms: DESIRED.length, wishes: WISHES.digest });
  return ledger;
};

/** Made once for each mode; a world goes on from a copy. */
export const PROLOGUES: Readonly<Record<Mode, SimLedger>> = {
  "four-eyes": prologue("four-eyes"),
  "single-operator": prologue("single-operator"),
};
