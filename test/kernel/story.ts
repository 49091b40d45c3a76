// A story: commands decided one after another in memory, sealed as records, read back, and folded. The decider is the
// real one; only the storage is a list.
//
// alice operates here, bob and carol approve with tokens, robo is an agent. Time stands still unless a test moves it.

import assert from "node:assert/strict";
import { ulids } from "../../src/ids.ts";
import { inBytes } from "../../src/kernel/command/blob-bytes.ts";
import { START_GIVEN, startRequest } from "../../src/kernel/command/program.ts";
import { bodyOf } from "../../src/kernel/command/record-body.ts";
import { configHash, type RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import type { Door, RegisteredEntry, Request, RequestOf, StepRef } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { type CommandOptions, commandOf, KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { LOCAL_ROLES } from "../../src/kernel/decide/actors.ts";
import { explanationOf } from "../../src/kernel/decide/agree.ts";
import { decideBy } from "../../src/kernel/decide/decide.ts";
import { shownBefore, stepRef } from "../../src/kernel/decide/step-ref.ts";
import { evolveBy } from "../../src/kernel/evolve/evolve.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { entriesIn, registrationOf } from "../../src/kernel/state/registered-entry.ts";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import { INITIAL, type State } from "../../src/kernel/state/state.ts";
import { VERSIONS, type Versions } from "../../src/kernel/versions.ts";
import { readRecord } from "../../src/ledger/record/read-record.ts";
import { type Actor, GENESIS, type LedgerRecord, type Ulid } from "../../src/ledger/record/record.ts";
import { recordHash, seal } from "../../src/ledger/record/seal.ts";
import type {
  Action,
  DesiredVm,
  Instant,
  Numbers,
  Observation,
  OutcomeEnd,
  OutcomeKind,
  Plan,
  Refusal,
  Sha256,
  Vmid,
  VmState,
} from "../../src/spine/model.ts";
import type { Policy } from "../../src/spine/plan/policy.ts";
import { endedBy } from "../../src/spine/rules/outcome-causes.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { instantOf, later, msOf } from "../../src/spine/values/instant.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { present } from "../../src/spine/values/present.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { desiredFor, OBSERVED_AT, observationOf, VMID, state as vmState, wantRunning } from "../spine/world.ts";
import { granted, type NewSubject } from "./granted.ts";

export type Mode = "four-eyes" | "single-operator";

export const configOf = (
  approval: Mode,
  live = true,
  policy?: Policy,
  numbers: Numbers = "provider",
): RecordedConfig => ({
  environments: {
    away: { adapter: "simulated", approval, live, maxObservationAgeMs: 60_000, numbers },
    home: {
      adapter: "simulated",
      approval,
      live,
      maxObservationAgeMs: 60_000,
      numbers,
      ...(policy === undefined ? {} : { policy }),
    },
  },
  operator: "alice",
});

const person = (id: string, ...roles: readonly string[]): Actor => ({ id, kind: "person", roles });
export const ALICE = person("alice", ...LOCAL_ROLES);
export const BOB = person("bob", "approver");
export const CAROL = person("carol", "approver", "operator");
export const DAN = person("dan", "operator");
export const ROBO: Actor = { id: "robo", kind: "agent", roles: ["agent"] };

/**
 * `config` is the asking process's own, where that is another one. `registered` is what is brought of a step's VM; the
 * entry that is registered when nothing is said, as a door does it.
 */
export type Ask = CommandOptions & {
  readonly by?: Actor;
  readonly registered?: RegisteredEntry | "left-out";
  readonly config?: RecordedConfig;
  readonly door?: Door;
  readonly everywhere?: boolean; // of no environment: of all
  readonly instance?: Ulid;
  /** The public id of the token that is shown, where it is not the one that the subject has. */
  readonly token?: string | undefined;
  readonly words?: Sha256; // in which it was shown, where they are not this program's own
};
/** Kinds of requests whose step is judged on what is registered. */
const BRINGING: ReadonlySet<Request["kind"]> = new Set(["apply", "approve", "challenge", "request-approval"]);

export type Story = {
  readonly ask: (request: Request, asking?: Ask) => Result;
  readonly blobs: Map<Sha256, string>;
  readonly headHash: () => Sha256;
  readonly ids: () => Ulid;
  readonly lines: string[]; // as they are stored
  readonly now: () => Instant;
  readonly pass: (ms: number) => void;
  readonly records: LedgerRecord[];
  readonly state: () => State;
  readonly instance: Ulid;
  readonly other: Ulid; // another process
};

/** `versions` are the rules that there are; a story begins under those of this program. */
export const story = (
  mode: Mode = "single-operator",
  live = true,
  policy?: Policy,
  numbers?: Numbers,
  versions: Versions = VERSIONS,
): Story => {
  const newest = Math.max(...Object.keys(versions).map(Number));
  const own = configOf(mode, live, policy, numbers);
  let ms = msOf(OBSERVED_AT);
  let state = INITIAL;
  let tail = { floor: undefined as Instant | undefined, hash: GENESIS };
  const ids = ulids(
    () => ms,
    (bytes) => new Uint8Array(bytes),
  );
  const [instance, other] = [ids(), ids()];
  const records: LedgerRecord[] = [];
  const lines: string[] = [];
  const blobs = new Map<Sha256, string>();
  const now = (): Instant => instantOf(ms);
  const ask: Story["ask"] = (request, given = {}) => {
    const {
      by = ALICE,
      config = own,
      door = "local",
      everywhere = false,
      instance: from = instance,
      registered,
      words = OWN_WORDS.digest,
      ...asking
    } = given;
    const known = get(state.subjects, by.id)?.token ?? get(state.people, by.id)?.sessions.at(-1)?.token;
    const token = "token" in given ? given.token : known;
    const shown = token === undefined ? {} : { token };
    const desk = { actor: by, configHash: configHash(config), door, ids, instance: from, now, words, ...shown };
    const brought = registered ?? registeredFor(request, asking.environment);
    const whole = brought === "left-out" ? request : { ...request, registered: brought };
    const starting = request.kind === "start" ? { given: { ...START_GIVEN, ...asking.given } } : {};
    const where = everywhere ? {} : { environment: "home" };
    const command = commandOf(desk, whole as Request, { ...where, ...asking, ...starting });
    const decided = inBytes(decideBy(versions, state, command, tail.floor));
    for (const [digest, bytes] of decided.blobs ?? []) {
      const text = new TextDecoder().decode(bytes);
      assert.equal(sha256(text), digest, "a blob's name is its digest");
      blobs.set(digest, text);
    }
    const sealed = seal(decided.draft, { prev: tail.hash, seq: records.length });
    const read = readRecord(sealed.line);
    assert.equal(read.kind, "record");
    if (read.kind !== "record") throw new Error("unreachable");
    records.push(read.record);
    lines.push(new TextDecoder().decode(sealed.line));
    state = evolveBy(versions, newest, state, read.record, bodyOf(read.record));
    tail = { floor: read.record.processTime, hash: recordHash(sealed.line) };
    return bodyOf(read.record)?.result ?? assert.fail("a kernel's record has a result");
  };
  const registeredFor = (request: Request, environment = "home"): RegisteredEntry | "left-out" => {
    const desired = BRINGING.has(request.kind) ? get(state.desired, environment) : undefined;
    const text = desired === undefined ? undefined : blobs.get(desired.digest);
    return text === undefined || !("of" in request)
      ? "left-out"
      : entriesIn({ ...JSON.parse(text), digest: desired?.digest })(request.of.step.vmid);
  };
  const told: Story = {
    ask,
    blobs,
    headHash: () => tail.hash,
    ids,
    instance,
    lines,
    now,
    other,
    pass: (by) => {
      ms += by;
    },
    records,
    state: () => state,
  };
  ask(startRequest(own, "1"), { by: KERNEL_ACTOR });
  giveTokens(told);
  return told;
};

/** A token for everybody who has none. */
export const giveTokens = (told: Story): void => {
  for (const { id, kind, roles } of [BOB, CAROL, DAN, ROBO]) {
    if (get(told.state().subjects, id) !== undefined) continue;
    const subject = {
      id,
      kind: kind as "person" | "agent",
      roles: roles as readonly ("agent" | "approver" | "operator")[],
    };
    told.ask(tokenRequest(told, subject));
  }
};

type CreateToken = Extract<RequestOf<"token">, { readonly act: "create" }>;

/** What makes a token for somebody; its secret is its public id here. */
export const tokenRequest = ({ now, records }: Story, { id, kind, roles, environments }: NewSubject): CreateToken => ({
  act: "create",
  ...freshToken(now(), records.length),
  kind: "token",
  subject: { grants: granted(roles, environments), id, kind },
});
/** The public id of the token that somebody has. */
export const tokenOf = (told: Story, id: string): string =>
  get(told.state().subjects, id)?.token ?? assert.fail(`${id} has a token`);
/** A token's parts, different for each number. */
export const freshToken = (at: Instant, no: number) => {
  const token = `t${String(no).padStart(9, "0")}`;
  return { expiresAt: later(at, 30 * DAY_MS), hash: sha256(token), token };
};

export const refusalsOf = (result: Result): readonly Refusal[] => (result.kind === "refused" ? result.refusals : []);
export const codesOf = (result: Result): readonly string[] => refusalsOf(result).map(({ code }) => code);
export const lastId = ({ records }: Story): Ulid => records.at(-1)?.auditId ?? assert.fail("there is a record");

const STOPPED = vmState({ status: "stopped" });

export type Setting = {
  readonly action?: Action;
  readonly by?: Actor;
  readonly config?: RecordedConfig; // of whoever plans
  readonly door?: Door;
  readonly environment?: string;
  readonly vms?: readonly VmState[];
  readonly entries?: readonly DesiredVm[];
};

/** Registers, observes and plans; the plan's one step is what the rest of a story is about. */
export const planned = (
  told: Story,
  setting: Setting = {},
): { readonly id: Ulid; readonly of: StepRef; readonly result: Result } => {
  const { action, by = ALICE, environment = "home", vms = [STOPPED], entries = [wantRunning()] } = setting;
  // Whoever has a token comes through the service: where four eyes are required, nothing else is carried.
  const usual = get(told.state().subjects, by.id) === undefined ? "local" : "service";
  const where = { door: setting.door ?? usual, ...present({ config: setting.config }) };
  const desired = desiredFor(entries, environment);
  told.ask(registrationOf(desired, get(told.state().desired, environment)), { environment, given: { desired } });
  const observation = observationOf(vms, { environment, observedAt: told.now() });
  const lookId = looked(told, observation);
  const result = told.ask(
    {
      kind: "plan",
      observation: lookId,
      ...(action === undefined ? {} : { request: { action, vmid: VMID as Vmid } }),
      scope: "all",
    },
    { by, environment, given: { observation, desired, ...remembered(told, environment) }, ...where },
  );
  const id = result.kind === "unchanged" ? result.plan : lastId(told);
  const plan = planIn(told, result);
  const of = stepRef(id, plan, 0) ?? assert.fail(`the plan has a step: ${JSON.stringify(plan.answers)}`);
  return { id, of, result };
};

/** What is remembered of an environment, as whoever asks brings it. */
export const remembered = (told: Story, environment = "home"): Pick<NonNullable<Ask["given"]>, "identities"> => {
  const digest = get(told.state().identities, environment);
  const text = digest === undefined ? undefined : told.blobs.get(digest);
  return text === undefined ? {} : { identities: JSON.parse(text).identities };
};

export type Seen = Pick<RequestOf<"observe">, "tookMs"> & {
  /** This story's own time when it is not said. */
  readonly providerTime?: Instant | "none";
  readonly scope?: readonly Vmid[];
};

export const looked = (told: Story, observation: Observation, asking: Ask & { readonly seen?: Seen } = {}): Ulid => {
  const { digest, observation: whole } = observe(observation);
  const { complete, environment, gaps, observedAt, vms } = whole;
  const { given, seen = {}, ...rest } = asking;
  const { providerTime = told.now(), scope, ...took } = seen;
  const registered = get(told.state().desired, environment)?.digest;
  told.ask(
    {
      complete,
      ...(registered === undefined ? {} : { covers: { registered, ...present({ scope }) } }),
      gaps: gaps.length,
      kind: "observe",
      observation: digest,
      ...present({ observedAt, providerTime: providerTime === "none" ? undefined : providerTime }),
      ...took,
      vms: vms.length,
    },
    { environment, given: { ...given, observation, ...remembered(told, environment) }, ...rest },
  );
  return lastId(told);
};

export const planIn = ({ blobs, state }: Pick<Story, "blobs" | "state">, result: Result): Plan => {
  assert.ok(result.kind === "planned" || result.kind === "unchanged", JSON.stringify(result));
  const blob = result.kind === "planned" ? result.plan : recall(state().plans, result.plan)?.blob;
  const text = blob === undefined ? undefined : blobs.get(blob);
  return JSON.parse(text ?? assert.fail("the plan is a blob")).plan;
};

/** Of a plan that is forgotten nothing can be explained; whoever agrees to it is refused whatever they were shown. */
export const explanationHash = (told: Story, of: StepRef): Sha256 => {
  const plan = recall(told.state().plans, of.plan);
  return plan === undefined ? sha256("a plan that is forgotten") : explanationOf(told.state(), plan, of.step).hash;
};

export const approve = (told: Story, of: StepRef, by: Actor, asking: Ask = {}): Result =>
  told.ask(
    { explanation: explanationHash(told, of), kind: "approve", of, reason: "seen and agreed" },
    { by, ...asking },
  );

/** A person reads, confirms and applies. */
export const apply = (
  told: Story,
  of: StepRef,
  by: Actor = ALICE,
  { name, ...more }: { readonly name?: string } & Pick<Ask, "config" | "door"> = {},
): Result => {
  const challenge = told.ask({ kind: "challenge", of }, { by, ...more });
  if (challenge.kind !== "challenged") return challenge;
  const confirmation = {
    challenge: lastId(told),
    explanation: challenge.explanation,
    ...(name === undefined ? {} : { name }),
  };
  return told.ask({ confirmation, kind: "apply", of: shownBefore(of) }, { by, ...more });
};

/** An end of each kind. */
export const ENDS = {
  failed: endedBy("call-refused", { said: "no" }),
  succeeded: endedBy("provider-done", { said: "OK" }),
  unknown: endedBy("call-unanswered", { said: "no reply" }),
} as const satisfies Readonly<Record<OutcomeKind, OutcomeEnd>>;
