// The service on a ledger of its own: proves the caller, opens what the request needs, and lets one operation
// answer.
//
// Operations are loaded when they are first asked for, so that a process with one request loads no more than that.
// A process with one request signs its checkpoint when it closes; one that lives long, soon after each record, at
// most once a second, and after every outcome. Not here: what is asked (service.ts), how it is done (act/, read/).

import type { Readable } from "../kernel/decide/actors.ts";
import { judgedAt } from "../ledger/write/floor.ts";
import { present } from "../spine/values/present.ts";
import type { ServiceAct } from "./act/act.ts";
import type { Answering } from "./act/answer-once.ts";
import type { ApplyRequest } from "./act/apply.ts";
import type { Performing } from "./act/perform-step.ts";
import { isRefused, type RefusedAnswer, refusedBy, refusedByKernel } from "./answer.ts";
import { fleetReadsOf } from "./fleet-reads.ts";
import { anchoringOf } from "./hold/anchoring.ts";
import { awaitRecord } from "./hold/await-record.ts";
import { type Caller, isNamedByToken, type ProvenCaller, proveCaller, proveReader } from "./hold/callers.ts";
import { holdingOf, type OpenLedger, type ReadMode } from "./hold/holding.ts";
import { keepTerms } from "./hold/keep-terms.ts";
import { type Recall, type RecalledOperation, recallAnswer } from "./hold/recall-answer.ts";
import { rememberAnswers } from "./hold/remembered-answers.ts";
import { refuseThere, seenBy } from "./hold/seen-ledger.ts";
import type { Held, Life, Reading, ServiceSession } from "./hold/session.ts";
import { configurationFor, sightOf } from "./hold/sight.ts";
import { orUnregisteredIn } from "./or-unregistered.ts";
import { doorActsOf, peopleActsOf } from "./people-acts.ts";
import type { Configuration, Ports } from "./ports.ts";
import type { Watch } from "./progress.ts";
import type { DriftRequest } from "./read/drift.ts";
import type { proofsOf } from "./read/records.ts";
import type { DoorActs, Operation, Service } from "./service.ts";
import { type Tending, tendingOf } from "./tending.ts";
import { requestsUnderWay } from "./under-way.ts";
import { NO_LEDGER, type ReadGround, type ReadingOf, walkingReadsOf } from "./walking-reads.ts";
import { walksOnDemand } from "./walks-on-demand.ts";

export type LocalService = Service & DoorActs & Tending & { readonly recall: Recall };

export const openService = (configuration: Configuration, ports: Ports, life: Life): LocalService => {
  const holding = holdingOf(configuration, ports, life);
  const { operator } = configuration.config;
  const orUnregistered = orUnregisteredIn(configuration);
  const answering: Answering = new Map();
  const performing: Performing = new Map();
  const { keepAnchored, keepOutcome } = anchoringOf(ports, life);
  const { startThread } = life === "long" ? ports : {};
  const { close: closeWalks, walksApart } = walksOnDemand(startThread, configuration, ports.hears.note);
  const answers = life === "long" ? rememberAnswers() : undefined;
  const terms = keepTerms(startThread, configuration, ports.hears.note);

  const { close, guarded, isClosed } = requestsUnderWay(ports.hears.note, {
    after: async () => {
      await Promise.allSettled(Array.from(performing.values(), ({ ended }) => ended));
      return holding.close();
    },
    before: async () => {
      await closeWalks();
      await terms.stop();
    },
  });

  /** On the ledger as it is now: another process may have made the token a moment ago, or revoked it. */
  const proveAt = async (caller: Caller, held: Held): Promise<ProvenCaller | RefusedAnswer> => {
    await held.writer.refresh();
    const known = { floor: held.writer.chain().floor, state: held.writer.state() };
    const proven = proveCaller(caller, known, operator, ports.clock.now());
    if ("code" in proven) return refusedByKernel([proven]);
    ports.hears.proven?.(proven.actor);
    return proven;
  };

  const sessionFor = async (
    caller: Caller,
    named: { readonly brings?: true; readonly isBrake?: true; readonly operation: string },
    request: object,
    watch: Watch,
  ): Promise<{ readonly held: Held; readonly session: ServiceSession } | RefusedAnswer> => {
    const held = await holding.write(named.isBrake === true, watch);
    if ("kind" in held) return held;
    const proven = await proveAt(caller, held);
    if ("kind" in proven) return proven;
    const refused = named.brings === true ? undefined : await held.begin();
    if (refused !== undefined) return refused;
    const { sessionAt } = await import("./hold/session.ts");
    const { requestDigest: digestOf } = await import("./act/answer-once.ts");
    const asked = caller.key === undefined ? undefined : digestOf(caller.key, named.operation, request);
    if (typeof asked === "object") return refusedBy(asked);
    return { held, session: sessionAt(held, proven, asked, watch) };
  };

  const act =
    <R extends object, T extends object>(operation: string, load: () => Promise<ServiceAct<R, T>>): Operation<R, T> =>
    (caller, request, watching) =>
      guarded(watching, async (watch) => {
        const one = await load();
        const bound = caller.door === "agent" ? (one.derivedBy?.(request) ?? request) : request;
        const opened = await sessionFor(caller, { ...one, operation }, bound, watch);
        if ("kind" in opened) return opened;
        const { answerOnce } = await import("./act/answer-once.ts");
        const answer = await answerOnce(opened.session, one, request, answering);
        const beside = await keepAnchored(opened.held, "in-time");
        return beside.length === 0 ? answer : { ...answer, beside: [...(answer.beside ?? []), ...beside] };
      });

  /** Opens what is read, proves who reads, and answers on the head that the value stands on. */
  const reading: ReadingOf = (readable, mode, answer) => (caller, request, watching) =>
    guarded(watching, async (watch) => {
      const open = await holding.read(mode, watch);
      if ("kind" in open) return open;
      const behind = await awaitRecord(open, caller);
      let state: ReturnType<OpenLedger["folded"]> | undefined;
      const folded: OpenLedger["folded"] = () => {
        state ??= open.folded();
        return state;
      };
      const known = isNamedByToken(caller) ? await folded() : undefined;
      const proven = proveReader(caller, known, operator, ports.clock.now(), readable);
      if ("code" in proven) return refusedByKernel([proven]);
      ports.hears.proven?.(proven.actor);
      if (behind !== undefined) return behind;
      const ground = { ...open, ...seenBy(open, proven, folded), caller: proven };
      const { head, value } = await answer(ground, request, watch);
      return isRefused(value) ? value : { head, kind: "ok", replayed: false, value };
    });

  /** For whoever must not wait for a ledger that cannot be opened: only a token needs one to be known. */
  const provenReader = async (
    caller: Caller,
    watch: Watch,
    readable: Readable,
  ): Promise<ProvenCaller | RefusedAnswer> => {
    const open = isNamedByToken(caller) ? await holding.read("view", watch) : undefined;
    if (open !== undefined && "kind" in open) return open;
    const proven = proveReader(caller, await open?.folded(), operator, ports.clock.now(), readable);
    return "code" in proven ? refusedByKernel([proven]) : proven;
  };

  /** The state that the request is answered on, and who asks. */
  const readingOn = async ({ caller, desk, folded, index, ledger, sees }: ReadGround): Promise<Reading> => {
    const { floor, head, state } = await folded();
    const { actor, door, endsAt, grants } = caller;
    const reader = { actor, door, ...present({ endsAt }), grants };
    return { ...reader, at: judgedAt(ports.clock.now(), floor), desk, head, index, ledger, sees, state };
  };

  const read = <R extends object, T extends object>(
    load: () => Promise<(reading: Reading, request: R) => Promise<T | RefusedAnswer>>,
    readable: Readable = "account",
    mode: ReadMode = "read",
  ): Operation<R, T> =>
    reading(readable, mode, async (open, request) => {
      const ground = await readingOn(open);
      return { head: ground.head, value: await (await load())(ground, request) };
    });

  /** What stands on the state alone, and is asked for again and again: on the same head it is the same for a moment. */
  const recall: Recall = (...asked) =>
    answers === undefined || isClosed() ? undefined : recallAnswer({ answers, holding, ports }, ...asked);
  const readOften = <R extends object, T extends object>(
    name: RecalledOperation,
    load: () => Promise<(reading: Reading, request: R) => Promise<T | RefusedAnswer>>,
  ): Operation<R, T> => {
    const compute: Operation<R, T> = reading("account", "read", async (open, request) => {
      const ground = await readingOn(open);
      const { at, head } = ground;
      const value = await (await load())(ground, request);
      if (!isRefused(value)) answers?.keep({ at, head, name }, open.caller, request, value);
      return { head, value };
    });
    return (caller, request, watch) => {
      const known = recall(name, caller, request);
      if (known === undefined) return compute(caller, request, watch);
      ports.hears.proven?.(known.actor);
      return Promise.resolve({ head: known.head, kind: "ok", replayed: false, value: known.value as T });
    };
  };

  /** Of the records themselves: nothing needs to be folded, but to know whose token it is. */
  const walk = <R extends object, T extends object>(
    load: () => Promise<(open: ReadGround, request: R, watch: Watch) => Promise<T | RefusedAnswer>>,
    readable: Readable = "account",
    mode: ReadMode = "read",
  ): Operation<R, T> =>
    reading(readable, mode, async (open, request, watch) => ({
      head: await open.ledger.engine.head(),
      value: await (await load())(open, request, watch),
    }));

  /** One for every proof that is asked for: what it has read of the tree it does not read again. */
  let proofs: Promise<ReturnType<typeof proofsOf>> | undefined;
  const proving = () => {
    proofs ??= import("./read/records.ts").then((records) => records.proofsOf());
    return proofs;
  };

  const fleetReads = fleetReadsOf(readOften);
  const explainNow = readOften("explain", async () => (await import("./read/explain-recorded.ts")).explainOne);
  const explainShown: Service["explain"] = reading("account", "read", async (open, request, watch) => {
    const { explainThen } = await import("./apart/explain-apart.ts");
    return explainThen(await walksApart(), await readingOn(open), request, watch, open.caller.signal);
  });

  return {
    ...doorActsOf(act, read),
    ...peopleActsOf(act),
    ...walkingReadsOf(reading, walksApart),
    ...tendingOf(holding, guarded, configuration, terms.start),
    acceptClock: act("accept-clock", async () => (await import("./act/accept.ts")).acceptClock),
    acceptIdentity: act("accept-identity", async () => (await import("./act/accept.ts")).acceptIdentity),
    answered: read(async () => (await import("./read/answered.ts")).showAnswered),
    apply: (caller, request, watch, isWanted) =>
      act("apply", async () => {
        const [{ applyStep }, { readApplying }] = [
          await import("./act/apply.ts"),
          await import("./act/perform-step.ts"),
        ];
        return {
          perform: async (session, asked: ApplyRequest) => {
            const answer = await applyStep(session, asked, performing, isWanted);
            if (answer.kind === "ok") answer.value.underway?.ended.then(keepOutcome(session), keepOutcome(session));
            return answer;
          },
          valueIn: readApplying(performing),
        };
      })(caller, request, watch),
    annotate: act("annotate", async () => (await import("./act/annotate.ts")).annotate),
    approve: act("approve", async () => (await import("./act/decisions.ts")).approveStep),
    blob: walk(async () => (await import("./read/blob.ts")).showBlob),
    cancel: act("cancel", async () => (await import("./act/decisions.ts")).cancelPlan),
    checkpoint: act("checkpoint", async () => (await import("./act/ledger-checkpoint.ts")).recordCheckpoint),
    checkpoints: walk(async () => (await import("./read/checkpoints.ts")).listCheckpoints, "proof"),
    challenge: act("challenge", async () => (await import("./act/decisions.ts")).challenge),
    close,
    comparePlans: read(async () => (await import("./read/compare-plans.ts")).comparePlans),
    deny: act("deny", async () => (await import("./act/decisions.ts")).denyStep),
    desired: read(async () => (await import("./read/desired-shown.ts")).showDesired),
    drift: orUnregistered(
      reading("account", "read", async (open, request: DriftRequest, watch) => {
        const ground = await readingOn(open);
        const refused = refuseThere(open.caller, "drift", request.environment, open.desk);
        if (refused !== undefined) return { head: ground.head, value: refused };
        const { showDrift } = await import("./read/drift.ts");
        return { head: ground.head, value: await showDrift(ground, request, open.inTurn, watch) };
      }),
    ),
    environments: readOften("environments", async () => (await import("./read/environments.ts")).listEnvironments),
    examine: reading("installation", "view", async ({ caller, ledger }, request, watch) => {
      const { examine } = await import("./examine/examine.ts");
      const value = await examine(configuration, ports, caller, request, watch);
      return { head: await ledger.engine.head(), value };
    }),
    explain: (caller, asked, watch) => (asked.words ? explainShown : explainNow)(caller, asked, watch),
    fleet: orUnregistered(fleetReads.fleet),
    freeze: act("freeze", async () => (await import("./act/freeze.ts")).freezeEnvironment),
    history: orUnregistered(walk(async () => (await import("./read/vm-history.ts")).showHistory)),
    intent: read(async () => (await import("./read/intent-shown.ts")).showIntent),
    inventory: (caller, request, watching) =>
      guarded(watching, async (watch) => {
        const reader = await provenReader(caller, watch, "account");
        if ("kind" in reader) return reader;
        const seen = configurationFor(configuration, sightOf(reader));
        const refused = refuseThere(reader, "inventory", request.environment, seen);
        if (refused !== undefined) return refused;
        const { showInventory } = await import("./read/import.ts");
        const value = await showInventory(seen, ports, request, watch);
        return isRefused(value) ? value : { head: NO_LEDGER, kind: "ok", replayed: false, value };
      }),
    ingest: act("ingest", async () => (await import("./act/ingest.ts")).ingest),
    makePlan: act("plan", async () => (await import("./act/make-plan.ts")).makePlan),
    observe: act("observe", async () => (await import("./act/observe.ts")).observeEnvironment),
    people: read(async () => (await import("./read/people-list.ts")).listPeople, "people"),
    plans: readOften("plans", async () => (await import("./read/plans.ts")).listPlans),
    prove: walk(proving),
    records: walk(async () => (await import("./read/records.ts")).showRecords, "account", "view"),
    prepareApply: (caller, request, watching) =>
      guarded(watching, async (watch) => {
        const at = await sessionFor(caller, { operation: "prepare-apply" }, request, watch);
        return "kind" in at ? at : (await import("./act/apply.ts")).prepareApply(at.session, request);
      }),
    recall,
    reconcile: act("reconcile", async () => (await import("./act/reconcile.ts")).reconcile),
    register: act("register", async () => (await import("./act/register.ts")).register),
    requestApproval: act("request-approval", async () => (await import("./act/decisions.ts")).requestStepApproval),
    revoke: act("revoke", async () => (await import("./act/decisions.ts")).revokeApproval),
    rules: read(async () => (await import("./read/rule-list.ts")).listRules),
    allowances: (caller, request, watching) =>
      guarded(watching, async (watch) => {
        const at = await sessionFor(caller, { isBrake: true, operation: "allowances" }, request, watch);
        return "kind" in at ? at : (await import("./act/allowances.ts")).listAllowances(at.session, request);
      }),
    review: (caller, request, watching) =>
      guarded(watching, async (watch) => {
        // What is only read waits for nothing that a record would need.
        const at = await sessionFor(caller, { isBrake: true, operation: "review" }, request, watch);
        if ("kind" in at) return at;
        const open = await holding.read("read", watch);
        if ("kind" in open) return open;
        return (await import("./act/review-step.ts")).reviewStep(at.session, request, open.index);
      }),
    showPlan: readOften("showPlan", async () => (await import("./read/plans.ts")).showPlan),
    status: read(async () => (await import("./read/status.ts")).showStatus, "account", "view"),
    tokens: read(async () => (await import("./read/tokens.ts")).listTokens, "tokens"),
    unfreeze: act("unfreeze", async () => (await import("./act/freeze.ts")).unfreezeEnvironment),
    verify: (caller, _, watching) =>
      guarded(watching, async (watch) => {
        const reader = await provenReader(caller, watch, "records");
        if ("kind" in reader) return reader;
        const apart = await walksApart();
        if (apart !== undefined) return apart.walk({ kind: "verify" }, watch, caller.signal);
        const { verifyLedger } = await import("./ledger/verify-configured.ts");
        return verifyLedger(configuration, ports, {}, watch);
      }),
    vm: orUnregistered(fleetReads.vm),
    vms: orUnregistered(readOften("vms", async () => (await import("./read/vms.ts")).listVms)),
    whoami: readOften("whoami", async () => async ({ actor, endsAt, grants }) => ({
      actor,
      ...present({ expiresAt: endsAt }),
      grants,
    })),
  };
};
