// Who is in a simulated world, what is configured and registered, and the ledger that every world begins with.
//
// alice operates at the machine itself; the others come with tokens through the service. Under four eyes alice cannot
// apply, so that every combination of asking, approving and applying comes up.

import assert from "node:assert/strict";
import { ulids } from "../../src/ids.ts";
import { START_GIVEN, startRequest } from "../../src/kernel/command/program.ts";
import { configHash, type RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import type { Command, Request, RequestOf } from "../../src/kernel/command/request.ts";
import type { Role } from "../../src/kernel/command/roles.ts";
import { servingDigest } from "../../src/kernel/command/serving.ts";
import { commandOf, KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { LOCAL_ROLES } from "../../src/kernel/decide/actors.ts";
import { evolve } from "../../src/kernel/fold-versions.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import { INITIAL } from "../../src/kernel/state/state.ts";
import { decide } from "../../src/kernel/versions.ts";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import type { Policy } from "../../src/spine/plan/policy.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { instantOf } from "../../src/spine/values/instant.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { type SimLedger, simLedger } from "./ledger.ts";
import type { Who } from "./process.ts";
import { ENVIRONMENT, REGISTERED } from "./registrations.ts";

export type Mode = "four-eyes" | "single-operator";
export const START_MS = 1_794_736_800_000; // 2026-11-15T10:00:00Z
export const OTHER_ENVIRONMENT = "away";

type Section = RecordedConfig["environments"][string];
/** What an operator edits in the section of the environment. */
export type Edit = {
  readonly address?: string;
  readonly approval?: Mode;
  /** Whether people sign in at a service; told by the world, and never edited. */
  readonly isServed?: boolean;
  readonly policy?: Policy;
};

const environment = (approval: Mode, name: string, { address, policy }: Edit = {}): Section => ({
  adapter: "simulated",
  approval,
  live: true,
  maxObservationAgeMs: 60_000,
  numbers: "provider",
  ...(policy === undefined ? {} : { policy }),
  section: { ...(address === undefined ? {} : { address }), environment: name },
});

export const SESSION_HOURS = 12;

export const configOf = (approval: Mode, edit: Edit = {}): RecordedConfig => ({
  environments: {
    [OTHER_ENVIRONMENT]: environment(approval, OTHER_ENVIRONMENT),
    [ENVIRONMENT]: environment(edit.approval ?? approval, ENVIRONMENT, edit),
  },
  ledger: { engine: "simulation" },
  operator: "alice",
  ...(edit.isServed === true ? { service: { sessions: { hours: SESSION_HOURS, idleMinutes: 30 } } } : {}),
});

/** What a process says when it starts: where people sign in, that it serves. */
export const startOf = (config: RecordedConfig): RequestOf<"start"> => ({
  ...startRequest(config, "0"),
  ...(config.service === undefined ? {} : { serves: servingDigest(config) }),
});

/** The public id of a token of somebody: the first of them, or a later one. */
export const tokenIdOf = (id: string, no = 0): string =>
  `${id.padEnd(6, "x").slice(0, 6)}${String(no).padStart(4, "0")}`;
const token = (id: string, kind: "agent" | "person", ...roles: readonly Role[]): Who => ({
  actor: { id, kind, roles },
  door: "service",
  token: tokenIdOf(id),
});
export const ALICE: Who = { actor: { id: "alice", kind: "person", roles: LOCAL_ROLES }, door: "local" };
export const BOB = token("bob", "person", "approver");
export const CAROL = token("carol", "person", "approver", "operator");
export const DAN = token("dan", "person", "operator");
export const ROBO = token("robo", "agent", "agent");
export const BOTO = token("boto", "agent", "agent");
/** Pushes what it saw, and can do nothing else. */
export const PROBE = token("probe", "agent", "sensor");
export const CAST: readonly [Who, ...Who[]] = [ALICE, BOB, CAROL, DAN, ROBO, BOTO];

/** Signs in by a passkey, and out; she holds nothing before she does. */
export const FAY: Who = {
  actor: { id: "fay", kind: "person", roles: ["approver", "operator"] },
  door: "service",
  token: "nothing yet",
};
/** Operates in the other environment, and is nobody in this one. */
export const HAL: Who = { ...token("hal", "person", "operator"), environments: [OTHER_ENVIRONMENT] };
/** Those of a world where a service is. */
export const STAFF: readonly [Who, ...Who[]] = [...CAST, FAY, HAL];

export type Given = NonNullable<Command["given"]>;

/** Decided on the whole ledger, and durable at once: what happened before a world begins, or all in one moment. */
export const recordAtOnce = (
  ledger: SimLedger,
  nowMs: number,
  who: Who,
  request: Request,
  config: RecordedConfig,
  given: Given = {},
  decided: typeof decide = decide,
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
  const words = OWN_WORDS.digest;
  const desk = { ...who, configHash: configHash(config), ids, instance: ids(), now: () => instantOf(nowMs), words };
  const command = commandOf(desk, request, { environment: ENVIRONMENT, given });
  const { blobs, draft } = decided(state, command, ledger.records.at(-1)?.processTime);
  const { line, record } = seal(draft, { prev, seq });
  const commit = { blobs: blobs ?? new Map(), keys: [keyUseOf(record)], lines: [line] };
  assert.equal(ledger.land(commit, seq, nowMs).kind, "ok");
};

const ROLES: readonly Role[] = ["agent", "approver", "operator", "sensor"];
/** What makes a token; its secret is its public id here. */
export const tokenFor = (
  { id, kind, roles }: Actor,
  name: string,
  endMs: number,
): Extract<RequestOf<"token">, { readonly act: "create" }> => ({
  act: "create",
  expiresAt: instantOf(endMs),
  hash: sha256(name),
  kind: "token",
  subject: {
    grants: [{ environments: "all", roles: roles.filter((role): role is Role => ROLES.some((one) => one === role)) }],
    id,
    kind: kind === "agent" ? "agent" : "person",
  },
  token: name,
});
const FIRST_LIFE_MS = 30 * DAY_MS;

const secretOf = (id: string, no: number) => sha256(`invitation ${no} of ${id}`);
/** The passkey of an invitation's redeemer: another with each. */
export const passkeyOf = (id: string, no: number): string => `passkey-${String(no).padStart(8, "0")}-of-${id}`;

export const invitationOf = (id: string, no: number, nowMs: number): RequestOf<"invite"> => ({
  expiresAt: instantOf(nowMs + DAY_MS),
  grants: [{ environments: "all", roles: ["approver", "operator"] }],
  kind: "invite",
  secret: secretOf(id, no),
  subject: id,
});
export const redemptionOf = (id: string, no: number): RequestOf<"redeem"> => ({
  by: { algorithm: "ES256", credential: passkeyOf(id, no), kind: "passkey", publicKey: "A".repeat(64) },
  kind: "redeem",
  secret: secretOf(id, no),
  subject: id,
});

const prologue = (mode: Mode, isServed = false): SimLedger => {
  const ledger = simLedger();
  const config = configOf(mode, { isServed });
  const record = (who: Who, request: Request): void =>
    recordAtOnce(ledger, START_MS, who, request, config, { ...START_GIVEN, desired: REGISTERED });
  record({ actor: KERNEL_ACTOR, door: "local" }, startOf(config));
  for (const { actor } of [...CAST.slice(1), PROBE]) {
    record(ALICE, tokenFor(actor, tokenIdOf(actor.id), START_MS + FIRST_LIFE_MS));
  }
  record(ALICE, registrationOf(REGISTERED));
  if (isServed) {
    const hal = tokenFor(HAL.actor, tokenIdOf("hal"), START_MS + FIRST_LIFE_MS);
    const grants = [{ environments: [OTHER_ENVIRONMENT], roles: ["operator"] }] as const;
    record(ALICE, { ...hal, subject: { ...hal.subject, grants } });
    record(ALICE, invitationOf(FAY.actor.id, 0, START_MS));
    record({ actor: KERNEL_ACTOR, door: "service" }, redemptionOf(FAY.actor.id, 0));
  }
  return ledger;
};

/** Made once for each mode; a world goes on from a copy. */
export const PROLOGUES: Readonly<Record<Mode, SimLedger>> = {
  "four-eyes": prologue("four-eyes"),
  "single-operator": prologue("single-operator"),
};

/** The same, where a service is. */
export const SERVED_PROLOGUES: Readonly<Record<Mode, SimLedger>> = {
  "four-eyes": prologue("four-eyes", true),
  "single-operator": prologue("single-operator", true),
};
