// The service of a process that lives long: each request meets the configuration as it is written when it comes.
//
// What was edited is taken up as a restart would: another service on the same ledger, whose first record is its
// `start`, and the one before finishes what it was asked. A call that it is about to make is held against that start
// like any other. Where the account itself would be another (ledger, anchor, signing key) nothing is taken up: whoever
// runs the process restarts it. While the file cannot be used, what is read is read and what stops a call is taken,
// under the configuration before; nothing else is. Not here: what a request does (local-service.ts). Keeps P7-A2,
// P7-A3.

import { configToRecord } from "../formats/dedalus/config-to-record.ts";
import { configHash } from "../kernel/command/recorded-config.ts";
import type { Sha256 } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { canonical } from "../spine/values/canonical.ts";
import { sha256 } from "../spine/values/hash.ts";
import { type RefusedAnswer, refusedByKernel, refusedInput } from "./answer.ts";
import { askedLately } from "./hold/asked-lately.ts";
import { type LocalService, openService } from "./local-service.ts";
import type { Configuration, Ports } from "./ports.ts";
import type { DoorActs, Operation, Service } from "./service.ts";

type Serving = { readonly account: Sha256; readonly hash: Sha256; readonly service: LocalService };

export const openReloadingService = (first: Configuration, ports: Ports): LocalService => {
  const serve = (configuration: Configuration): Serving => ({
    ...digestsOf(configuration),
    service: openService(configuration, ports, "long"),
  });
  let now = serve(first);
  /** The value that was found to say what is served: the same one again needs no second look. */
  let seen = first;
  let isBegun = false;
  const retired: Promise<readonly RefusedAnswer[]>[] = [];
  let closed: Promise<readonly RefusedAnswer[]> | undefined;

  /** The service of what is written now, or why there is none. */
  const configured = askedLately(ports.configured, ports.clock.monotonicMs);
  const reload = (): LocalService | RefusedAnswer => {
    const read = configured();
    if (read.kind === "bad") return refusedInput(read.problems);
    if (read.value === seen) return now.service;
    const found = digestsOf(read.value);
    if (found.hash === now.hash) {
      seen = read.value;
      return now.service;
    }
    if (found.account !== now.account) return refusedByKernel([refuse("configuration-differs", { cause: "restart" })]);
    retired.push(now.service.close());
    now = serve(read.value);
    seen = read.value;
    // What could not begin is told to the next request that writes.
    if (isBegun) void now.service.begin();
    return now.service;
  };
  const writtenNow = (): LocalService | RefusedAnswer => (closed === undefined ? reload() : now.service);
  /** What is read shows, and what stops a call stops it, whatever is written. */
  const always =
    <R, T>(chosen: (service: Service & DoorActs) => Operation<R, T>): Operation<R, T> =>
    (caller, request, watch) => {
      const service = writtenNow();
      return chosen("kind" in service ? now.service : service)(caller, request, watch);
    };
  const written =
    <R, T>(chosen: (service: Service & DoorActs) => Operation<R, T>): Operation<R, T> =>
    async (caller, request, watch) => {
      const service = writtenNow();
      return "kind" in service ? service : chosen(service)(caller, request, watch);
    };

  return {
    acceptClock: written(({ acceptClock }) => acceptClock),
    acceptIdentity: written(({ acceptIdentity }) => acceptIdentity),
    annotate: written(({ annotate }) => annotate),
    answered: always(({ answered }) => answered),
    apply: async (caller, request, watch, isWanted) => {
      const service = writtenNow();
      return "kind" in service ? service : service.apply(caller, request, watch, isWanted);
    },
    approve: written(({ approve }) => approve),
    begin: (watch) => {
      isBegun = true;
      return now.service.begin(watch);
    },
    posture: () => now.service.posture(),
    blob: always(({ blob }) => blob),
    cancel: always(({ cancel }) => cancel),
    challenge: written(({ challenge }) => challenge),
    checkpoint: written(({ checkpoint }) => checkpoint),
    checkpoints: always(({ checkpoints }) => checkpoints),
    comparePlans: always(({ comparePlans }) => comparePlans),
    createToken: written(({ createToken }) => createToken),
    deny: always(({ deny }) => deny),
    desired: always(({ desired }) => desired),
    drift: written(({ drift }) => drift),
    examine: written(({ examine }) => examine),
    explain: always(({ explain }) => explain),
    export: always((service) => service.export),
    findInvitation: always(({ findInvitation }) => findInvitation),
    findPasskey: always(({ findPasskey }) => findPasskey),
    fleet: always(({ fleet }) => fleet),
    freeze: always(({ freeze }) => freeze),
    history: always(({ history }) => history),
    ingest: written(({ ingest }) => ingest),
    intent: always(({ intent }) => intent),
    inventory: written((service) => service.inventory),
    invite: written(({ invite }) => invite),
    makePlan: written(({ makePlan }) => makePlan),
    observe: written(({ observe }) => observe),
    people: always(({ people }) => people),
    environments: always(({ environments }) => environments),
    plans: always(({ plans }) => plans),
    prepareApply: written(({ prepareApply }) => prepareApply),
    prove: always(({ prove }) => prove),
    recall: (...asked) => {
      const service = writtenNow();
      return ("kind" in service ? now.service : service).recall(...asked);
    },
    reconcile: written(({ reconcile }) => reconcile),
    records: always(({ records }) => records),
    redeem: written(({ redeem }) => redeem),
    register: written(({ register }) => register),
    replay: always(({ replay }) => replay),
    requestApproval: written(({ requestApproval }) => requestApproval),
    allowances: always(({ allowances }) => allowances),
    review: always(({ review }) => review),
    rules: always(({ rules }) => rules),
    revoke: always(({ revoke }) => revoke),
    revokeToken: always(({ revokeToken }) => revokeToken),
    rotateToken: written(({ rotateToken }) => rotateToken),
    signIn: written(({ signIn }) => signIn),
    signOut: always(({ signOut }) => signOut),
    showPlan: always(({ showPlan }) => showPlan),
    stateAfter: always(({ stateAfter }) => stateAfter),
    status: always(({ status }) => status),
    tokens: always(({ tokens }) => tokens),
    unfreeze: written(({ unfreeze }) => unfreeze),
    verify: always(({ verify }) => verify),
    vm: always(({ vm }) => vm),
    vms: always(({ vms }) => vms),
    whatIf: always(({ whatIf }) => whatIf),
    whoami: always(({ whoami }) => whoami),
    close: () => {
      closed ??= Promise.all([now.service.close(), ...retired]).then((told) => told.flat());
      return closed;
    },
  };
};

/** Of the whole, as a start records it; and of what says which ledger this is, and by what it is proven. */
const digestsOf = ({ config, policies }: Configuration): Omit<Serving, "service"> => {
  const recorded = configToRecord(config, policies);
  const { anchor, ledger, signingKey } = recorded;
  return { account: sha256(canonical({ anchor, ledger, signingKey })), hash: configHash(recorded) };
};
