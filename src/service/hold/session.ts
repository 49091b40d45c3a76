// A session at the kernel: the opened ledger with the kernel over it, and one proven caller. Everything that changes
// anything goes through one.
//
// A held writer serves many sessions. Its first record is the configuration; then, and whenever a request comes,
// intents whose performer is provably gone become outcome unknown: never by a timer, and never for whoever only reads.
// What was recorded is in the anchor soon: before every call to a provider, after every outcome, and at the end. Keeps
// P7-F2, B2.

import { configToRecord } from "../../formats/dedalus/config-to-record.ts";
import { START_GIVEN, START_WORDS, servingStartRequest, startRequest } from "../../kernel/command/program.ts";
import { configHash } from "../../kernel/command/recorded-config.ts";
import type { Door, Request } from "../../kernel/command/request.ts";
import type { Result } from "../../kernel/command/result.ts";
import { type Grants, rolesHeldIn } from "../../kernel/command/role-grants.ts";
import { answerRefusals, resultOf } from "../../kernel/command/submission-result.ts";
import { type CommandDesk, type CommandOptions, commandOf, KERNEL_ACTOR } from "../../kernel/command-desk.ts";
import { askerRefusal, type Reader } from "../../kernel/decide/actors.ts";
import { recall } from "../../kernel/state/recent.ts";
import { openIntents, orphans } from "../../kernel/state/recovery.ts";
import { rulesUnder } from "../../kernel/state/rules-in-force.ts";
import type { IntentState, State } from "../../kernel/state/state.ts";
import { VERSIONS } from "../../kernel/versions.ts";
import { type OpenWriter, openWriterOn } from "../../kernel/writer.ts";
import type { Head, OwnerLock, OwnerLocks } from "../../ledger/engine.ts";
import type { Ledger } from "../../ledger/open.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import { judgedAt } from "../../ledger/write/floor.ts";
import type { Instant, Refusal, Sha256 } from "../../spine/model.ts";
import type { Where } from "../../spine/rules/next-steps.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedByKernel } from "../answer.ts";
import type { Watch } from "../progress.ts";
import { aboutStep } from "./about-step.ts";
import type { ProvenCaller } from "./callers.ts";
import type { FittingIndex } from "./held-terms.ts";
import { type LedgerAtDesk, type OpenDesk, savedStateAt } from "./open-ledger.ts";
import { saveApart } from "./save-apart.ts";
import { configurationFor, configurationOf, type Sight, sightOf, stateFor } from "./sight.ts";
import { type InTurn, turns } from "./turns.ts";

export type CommandAnswer =
  | { readonly kind: "granted"; readonly record: LedgerRecord; readonly replayed: boolean; readonly result: Result }
  | RefusedAnswer;

/** How long the process lives that holds the service: for one request, or for many. */
export type Life = "one-request" | "long";

/** A writer that is open, with what every session at it shares. */
export type Held = {
  /** Records what this process acts under, once, and ends what others left open, every time. */
  readonly begin: () => Promise<RefusedAnswer | undefined>;
  readonly desk: OpenDesk;
  /** One observation that is asked for, of an environment at a time: whoever comes second waits. */
  readonly inTurn: InTurn;
  /** Of this process at the kernel; it speaks for itself. */
  readonly kernel: CommandDesk;
  readonly ledger: Ledger;
  /** Shows that this process lives, from before each claim to its end: nobody else ends what it performs. */
  readonly own: () => Promise<OwnerLock | Refusal>;
  /** Nothing is performed any more. */
  readonly disown: () => Promise<void>;
  readonly owners: () => Promise<OwnerLocks>;
  /** The size of the ledger when it was opened. */
  readonly since: number;
  readonly writer: OpenWriter;
};

/**
 * What is read of a ledger: one state, the head it is the fold of, and who asks. State and configuration have what the
 * caller sees, and nothing else; of whatever is read from the ledger itself `sees` is asked. keeps B3
 */
export type Reading = {
  readonly actor: Reader["actor"];
  readonly at: Instant;
  readonly desk: OpenDesk;
  readonly door: Door;
  /** When what proved the caller ends; absent at the ledger's own files, and of a request that writes. */
  readonly endsAt?: Instant;
  readonly grants: Grants;
  readonly head: Head;
  /** Where to look for what is older than the state; absent where nothing is looked for. */
  readonly index?: () => Promise<FittingIndex | undefined>;
  readonly ledger: Ledger;
  readonly sees: Sight;
  readonly state: State;
};

export type ServiceSession = Pick<Held, "desk" | "inTurn" | "ledger" | "own" | "writer"> & {
  /** The one request whose record answers the caller: it carries the caller's key. */
  readonly answer: (request: Request, asking?: CommandOptions) => Promise<CommandAnswer>;
  /** A request on the way to that. */
  readonly ask: (request: Request, asking?: CommandOptions) => Promise<CommandAnswer>;
  /** What the answering record says of itself, for those who submit it otherwise. */
  readonly answering: Pick<CommandOptions, "asked" | "correlationId" | "key">;
  readonly caller: ProvenCaller;
  readonly kernel: CommandDesk;
  readonly watch: Watch;
};

export const holdLedger = async ({ desk, ledger }: LedgerAtDesk, inTurn: InTurn, life: Life): Promise<Held> => {
  const writeApart = life === "long" ? saveApart(desk) : undefined;
  const writer = await openWriterOn(ledger.engine, { ...savedStateAt(ledger, desk), ...present({ writeApart }) });
  if (life === "long") writer.follow();
  const { clock, ids, ledger: port } = desk.ports;
  const nextId = ids.ulids();
  const kernel: CommandDesk = {
    actor: KERNEL_ACTOR,
    configHash: configHash(configToRecord(desk.config, desk.policies)),
    door: "local",
    ids: nextId,
    instance: nextId(),
    now: clock.now,
    words: START_WORDS,
  };
  let locks: Promise<OwnerLocks> | undefined;
  const owners = () => {
    locks ??= port.owners(desk.config.ledger, desk.home);
    return locks;
  };
  const own = async (): Promise<OwnerLock | Refusal> => (await owners()).hold(kernel.instance);
  const disown = async (): Promise<void> => (await locks)?.close();
  const ground = {
    desk,
    disown,
    inTurn,
    kernel,
    ledger,
    own,
    owners,
    since: writer.chain().tree.size,
    writer,
  };
  // Of two requests that meet the same orphan, one ends it.
  const recovering = turns();
  let started: Promise<RefusedAnswer | undefined> | undefined;
  const begin = async (): Promise<RefusedAnswer | undefined> => {
    const isFirst = started === undefined;
    started ??= recordStart(ground);
    const refused = await started;
    // Whoever could not begin has not begun: the next request tries again.
    if (refused !== undefined) started = undefined;
    else if (!isFirst) await recovering("orphans", () => recoverOrphans(ground));
    return refused;
  };
  return { ...ground, begin };
};

/** What a request is about, for the next step of whoever is refused. */
const whereOf = (request: Request, environment: string | undefined, state: State): Where => {
  const plan = "of" in request ? recall(state.plans, request.of.plan) : undefined;
  return {
    ...present({ environment }),
    ...("of" in request ? { plan: request.of.plan, step: request.of.index + 1 } : {}),
    ...("of" in request && plan !== undefined ? aboutStep(state, plan, request.of) : {}),
    ...("plan" in request ? { plan: request.plan } : {}),
  };
};

const asker =
  (writer: OpenWriter, kernel: CommandDesk, always: CommandOptions): ServiceSession["ask"] =>
  async (request, asking = {}) => {
    const answer = await writer.submit(commandOf(kernel, request, { ...asking, ...always }));
    const result = resultOf(answer);
    if (answer.kind !== "recorded" || result === undefined || result.kind === "refused") {
      const where = whereOf(request, asking.environment, writer.state());
      const refused = { ...refusedByKernel(answerRefusals(answer)), where };
      return answer.kind === "recorded" && answer.replayed ? { ...refused, replayed: true } : refused;
    }
    return { kind: "granted", record: answer.record, replayed: answer.replayed, result };
  };

/** The kernel is asked with the roles that hold in the environment of each command. */
export const askingAs = ({ actor, grants, token }: ProvenCaller): Pick<CommandDesk, "actor" | "grants" | "token"> => ({
  actor: { ...actor, roles: rolesHeldIn(grants, undefined) },
  grants,
  ...present({ token }),
});

/** `asked` is the digest of what the door was asked; it goes with the caller's key. */
export const sessionAt = (
  held: Held,
  caller: ProvenCaller,
  asked: Sha256 | undefined,
  watch: Watch,
): ServiceSession => {
  const { inTurn, ledger, own, writer } = held;
  const desk = configurationOf(held.desk, caller);
  const { correlationId, door, key } = caller;
  const kernel: CommandDesk = { ...held.kernel, ...askingAs(caller), door };
  const along = correlationId === undefined ? {} : { correlationId };
  const answering = { ...along, ...(key === undefined || asked === undefined ? {} : { asked, key }) };
  return {
    answer: asker(writer, kernel, answering),
    answering,
    ask: asker(writer, kernel, along),
    caller,
    desk,
    inTurn,
    kernel,
    ledger,
    own,
    watch,
    writer,
  };
};

/**
 * Before a provider is asked for it: whether the caller may ask for this in this environment, on the ledger as it is
 * now. It leaves no record.
 */
export const checkAsker = async (
  { caller, desk, kernel, writer }: ServiceSession,
  kind: Request["kind"],
  environment: string,
): Promise<RefusedAnswer | undefined> => {
  const state = await writer.refresh();
  const version = VERSIONS[rulesUnder(state, kernel.configHash)];
  if (version === undefined) throw new Error("a ledger of rules that this program does not have is not opened");
  const at = judgedAt(desk.ports.clock.now(), writer.chain().floor);
  const actor = { ...caller.actor, roles: rolesHeldIn(caller.grants, environment) };
  const refusal = askerRefusal(version.may, state, { ...kernel, actor, environment }, kind, at);
  return refusal === undefined ? undefined : refusedByKernel([refusal]);
};

/** The ledger as this session knows it now. */
export const readingIn = ({ caller, desk, ledger, writer }: ServiceSession): Reading => {
  const { floor, hash, tree } = writer.chain();
  const head = { hash, size: tree.size };
  const { actor, door, grants } = caller;
  const at = judgedAt(desk.ports.clock.now(), floor);
  const sees = sightOf(caller);
  const state = stateFor(writer.state(), caller);
  return { actor, at, desk: configurationFor(desk, sees), door, grants, head, ledger, sees, state };
};

type HeldGround = Omit<Held, "begin">;

/** The first record of every process is its configuration; then what crashed before is said. */
const recordStart = async (ground: HeldGround): Promise<RefusedAnswer | undefined> => {
  const { desk, kernel, writer } = ground;
  const ask = asker(writer, kernel, {});
  const startOf = desk.ports.serves === true ? servingStartRequest : startRequest;
  const started = await ask(
    {
      ...present({ anchor: desk.anchor?.claim() }),
      ...startOf(configToRecord(desk.config, desk.policies), desk.ports.version),
    },
    { given: START_GIVEN },
  );
  if (started.kind === "refused") return started;
  desk.ports.hears.started?.(kernel.instance);
  await recoverOrphans(ground);
  await removeStaleLocks(ground);
  return undefined;
};

const recoverOrphans = async ({ desk, kernel, owners, writer }: HeldGround): Promise<void> => {
  const open = openIntents(writer.state());
  if (open.length === 0) return;
  const gone = await (await owners()).gone([...new Set(open.map(({ owner }) => owner))]);
  const recovered: IntentState[] = [];
  const ask = asker(writer, kernel, {});
  for (const { intent, request } of orphans(writer.state(), kernel.now(), kernel.instance, (one) => gone.get(one))) {
    const asked = await ask(request, { causationId: intent.id, environment: intent.environment });
    if (asked.kind === "granted") recovered.push(intent);
  }
  if (recovered.length > 0) desk.ports.hears.recovered(recovered);
};

/**
 * The lock of an owner that is gone is of use until its intents are ended. They are looked for after its end was
 * proven: it can have made no more since.
 */
const removeStaleLocks = async ({ desk, owners, writer }: HeldGround): Promise<void> => {
  try {
    const locks = await owners();
    const ended = locks.ended();
    if (ended.length === 0) return;
    const needed = new Set(openIntents(await writer.refresh()).map(({ owner }) => owner));
    for (const owner of ended) if (!needed.has(owner)) locks.remove(owner);
  } catch (error) {
    await desk.ports.hears.note({ cause: "locks-left", facts: { said: String(error) } });
  }
};
