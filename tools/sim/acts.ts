// What the people of a world do: each act is one intention, carried through a process step by step, while everybody
// else goes on. They want different things, repeat themselves, use each other's keys, and are told no.
//
// Who may do what is not decided here; most of what the kernel refuses is asked for by somebody.

import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { detailsFor } from "../../src/kernel/perform.ts";
import { entries, get } from "../../src/kernel/persistent-map.ts";
import { recall } from "../../src/kernel/recent.ts";
import { entriesIn, registrationOf } from "../../src/kernel/registered-entry.ts";
import type { Command, RegisteredEntry, Request, RequestOf, StepRef } from "../../src/kernel/request.ts";
import type { Result } from "../../src/kernel/result.ts";
import type { IntentState } from "../../src/kernel/state.ts";
import { shownBefore } from "../../src/kernel/step-ref.ts";
import type { Ulid } from "../../src/ledger/record.ts";
import type { Answer } from "../../src/ledger/submission.ts";
import type { Identities } from "../../src/spine/identities.ts";
import { instantOf } from "../../src/spine/instant.ts";
import type { Action, Observation, Vmid, VmState, Wishes } from "../../src/spine/model.ts";
import { observe } from "../../src/spine/observation.ts";
import type { Chance } from "../fuzz/chance.ts";
import { askingAgain, type Board, explanationFor, identitiesOf } from "./board.ts";
import { CAST, OTHER_ENVIRONMENT, PROBE } from "./cast.ts";
import type { Process, Taken, Who } from "./process.ts";
import { DESIRED, ENVIRONMENT, isChanged, newestIn, REGISTRATIONS, vmid, WISHES, wishesIn } from "./registrations.ts";
import type { Stage } from "./stage.ts";
import { eyesOf, mints, restores, revokesToken, rotates } from "./token-acts.ts";

export type Scene = { readonly board: Board; readonly chance: Chance; readonly stage: Stage };
export type Act = (scene: Scene, who: Who, process: Process) => Promise<void>;

const KERNEL: Who = { actor: KERNEL_ACTOR, door: "local" };

const OF_RUNNING: readonly [Action, ...Action[]] = [
  { kind: "vm.stop" },
  { kind: "vm.stop" },
  { kind: "vm.shutdown" },
  { kind: "vm.reboot" },
  { kind: "vm.reset" },
  { kind: "vm.suspend" },
  { kind: "vm.resume" },
  { cpus: 2, kind: "vm.resize" },
];
const OF_STOPPED: readonly [Action, ...Action[]] = [
  { kind: "vm.start" },
  { kind: "vm.start" },
  { kind: "vm.delete" },
  { cpus: 4, kind: "vm.resize" },
  { kind: "vm.clone", name: "copy-01", to: vmid(201) },
];
const OF_SNAPSHOTS: readonly [Action, ...Action[]] = [
  { kind: "vm.snapshot.create", snapshot: "before" },
  { kind: "vm.snapshot.rollback", snapshot: "before" },
  { kind: "vm.snapshot.delete", snapshot: "before" },
];
const VMIDS: readonly Vmid[] = DESIRED.map((wish) => wish.vmid);

const resultOf = (answer: Answer): Result | undefined =>
  answer.kind === "recorded" ? (answer.record.body["result"] as Result) : undefined;
const idOf = (answer: Answer): Ulid | undefined => (answer.kind === "recorded" ? answer.record.auditId : undefined);

/** Once in a while somebody names the wrong environment. */
const elsewhere = ({ chance }: Scene): { readonly environment?: string } =>
  chance.oneIn(40) ? { environment: OTHER_ENVIRONMENT } : {};

const ask = (scene: Scene, who: Who, process: Process, request: Request): Promise<Answer> =>
  process.submit(process.command(who, request, elsewhere(scene)));

/** What a door brings of a step's VM: as the ledger has it, at times as its process knew it; at times nothing at all. */
const entryFor = (
  { chance, stage: { ledger } }: Scene,
  process: Process,
  of: StepRef,
): { readonly registered?: RegisteredEntry } => {
  if (chance.oneIn(60)) return {};
  const wishes = chance.oneIn(10) ? wishesIn(ledger, process.state(), ENVIRONMENT) : newestIn(ledger, ENVIRONMENT);
  return { registered: wishes === undefined ? "none" : entriesIn(wishes)(of.step.vmid) };
};

/** Somebody's step: mostly one of the youngest that nobody took, at times any that there ever was. */
const someStep = ({ board: { steps }, chance }: Scene, process: Process): StepRef | undefined => {
  const { plans: known } = process.state();
  const isFree = ({ index, plan }: StepRef): boolean => {
    const state = recall(known, plan);
    return state !== undefined && state.closed === undefined && get(state.consumed, String(index)) === undefined;
  };
  const from = chance.oneIn(5) ? steps : steps.filter(isFree);
  return from.at(-1 - chance.below(Math.min(2, from.length || 1)));
};

const lookRequest = (kind: "ingest" | "observe", { look, tookMs }: Taken): RequestOf<"ingest" | "observe"> => {
  const { digest, observation } = observe(look);
  const { complete, gaps, observedAt, vms } = observation;
  const when = observedAt === undefined ? {} : { observedAt };
  const clock = look.providerTime === undefined ? {} : { providerTime: look.providerTime };
  return { complete, gaps: gaps.length, kind, observation: digest, ...when, ...clock, tookMs, vms: vms.length };
};

/** What the process remembers of the VMs when it asks. */
const remembering = ({ stage }: Scene, process: Process): { readonly identities: Identities } => ({
  identities: identitiesOf(stage.ledger, process.state()),
});

/** Its record; asked once more when another process has remembered something in between. */
const recorded = async (
  scene: Scene,
  who: Who,
  process: Process,
  kind: "ingest" | "observe",
  taken: Taken,
): Promise<Ulid | undefined> => {
  const asked = (): Promise<Answer> => {
    const given = { given: { observation: taken.look, ...remembering(scene, process) } };
    return process.submit(process.command(who, lookRequest(kind, taken), given));
  };
  const first = await asked();
  const result = resultOf(first);
  const isMoved = result?.kind === "refused" && result.refusals.some(({ code }) => code === "identities-moved");
  return idOf(isMoved ? await asked() : first);
};

/** What is pushed comes from the sensor; an agent pushes itself, which it may not. */
const seenBy = (who: Who, kind: "ingest" | "observe"): Who =>
  kind === "ingest" && who.actor.kind === "person" ? PROBE : who;

/** One that the VM may have; at times one that it may not, or whatever the desired file comes to. */
const someAction = (look: Observation, target: Vmid, chance: Chance): Action | undefined => {
  if (chance.oneIn(5)) return undefined;
  const isRunning = look.vms.find((state) => state.vmid === target)?.status === "running";
  return chance.pick(isRunning !== chance.oneIn(12) ? OF_RUNNING : OF_STOPPED);
};

export const plans: Act = async (scene, who, process) => {
  const { chance } = scene;
  const target = VMIDS[chance.oneIn(10) ? chance.below(VMIDS.length) : chance.below(2)] ?? vmid(101);
  const isOfSnapshots = chance.oneIn(6);
  const taken = await process.observe([...VMIDS, vmid(201)], isOfSnapshots ? ["snapshots"] : []);
  const { look } = taken;
  const action = isOfSnapshots ? chance.pick(OF_SNAPSHOTS) : someAction(look, target, chance);
  const kind = chance.oneIn(25) ? "ingest" : "observe";
  const id = await recorded(scene, seenBy(who, kind), process, kind, taken);
  if (id === undefined) return;
  const request = action === undefined ? {} : { request: { action, vmid: target } };
  const scope = action === undefined && chance.oneIn(2) ? [vmid(101), vmid(102)] : "all";
  const wishes = newestIn(scene.stage.ledger, ENVIRONMENT) ?? WISHES;
  const asking = { given: { observation: look, wishes, ...remembering(scene, process) }, ...elsewhere(scene) };
  await process.submit(process.command(who, { kind: "plan", look: id, ...request, scope }, asking));
};

/** The same is asked for again, on a fresh look: in an unchanged world that is the same plan. */
const replans: Act = async (scene, who, process) => {
  const before = scene.board.asked.findLast((one) => one.kind === "plan" && one.actor.id === who.actor.id);
  if (before?.kind !== "plan") return;
  const { request } = before.request;
  const taken = await process.observe([...VMIDS, vmid(201)], request === undefined ? [] : detailsFor(request.action));
  const id = await recorded(scene, who, process, "observe", taken);
  if (id === undefined) return;
  const wishes = newestIn(scene.stage.ledger, ENVIRONMENT) ?? WISHES;
  const given = { observation: taken.look, wishes, ...remembering(scene, process) };
  await process.submit(process.command(who, { ...before.request, kind: "plan", look: id }, { given }));
};

/**
 * Something about the VM that is at work, where one is; otherwise back to what was registered at first, because a world in
 * which a VM is protected for good has little to show.
 */
const someRegistration = ({ chance, stage }: Scene, process: Process): Wishes | undefined => {
  const [at] = [...entries(process.state().open)].map(([, intent]) => intent.vmid);
  const [first, ...rest] = REGISTRATIONS.filter((wishes) => at !== undefined && isChanged(wishes, at));
  if (first !== undefined) return chance.pick([first, ...rest]);
  if (newestIn(stage.ledger, ENVIRONMENT) !== WISHES) return WISHES;
  return chance.oneIn(4) ? chance.pick(REGISTRATIONS) : undefined;
};
const registers: Act = async (scene, who, process) => {
  const wishes = someRegistration(scene, process);
  if (wishes === undefined) return;
  await process.submit(process.command(who, registrationOf(wishes), { given: { wishes }, ...elsewhere(scene) }));
};

const waits: Act = async (scene, who, process) => {
  const of = someStep(scene, process);
  if (of !== undefined) {
    await ask(scene, who, process, { kind: "request-approval", of, ...entryFor(scene, process, of) });
  }
};

const approves: Act = async (scene, who, process) => {
  const of = someStep(scene, process);
  const known = of === undefined ? undefined : explanationFor(process.state(), of);
  if (of === undefined || known === undefined) return;
  const explanation = scene.chance.oneIn(30) ? of.step.hash : known;
  const reason = scene.chance.oneIn(40) ? " " : "seen";
  const registered = entryFor(scene, process, of);
  await ask(scene, who, process, { explanation, kind: "approve", of, reason, ...registered });
};

/** Whoever makes tokens has one made for a name that nobody bears, and agrees with that to what they want themselves. */
const agreesWithOneself: Act = async (scene, who, process) => {
  const eyes = scene.board.holding(eyesOf(who));
  if (get(process.state().subjects, eyes.actor.id) === undefined) await mints(scene, who, process);
  else await approves(scene, eyes, process);
};

const withSteps = (scene: Scene, steps: readonly StepRef[]): Scene => ({ ...scene, board: { ...scene.board, steps } });
/** Steps that somebody agreed to. */
const agreedIn = ({ board: { steps } }: Scene, process: Process): readonly StepRef[] =>
  steps.filter((of) => recall(process.state().plans, of.plan)?.approvals.some(({ step }) => step === of.step.hash));

/** At times of another plan than the one that was agreed to, which is then not what people read any more. */
const denies: Act = async (scene, who, process) => {
  const some = someStep(withSteps(scene, agreedIn(scene, process)), process) ?? someStep(scene, process);
  if (some === undefined) return;
  const isSame = ({ plan, step: { action, vmid: target } }: StepRef): boolean =>
    plan !== some.plan && target === some.step.vmid && action.kind === some.step.action.kind;
  const of = (scene.chance.oneIn(3) ? undefined : scene.board.steps.findLast(isSame)) ?? some;
  await ask(scene, who, process, { kind: "deny", of, reason: "not today" });
};

const revokes: Act = async (scene, who, process) => {
  const { approvals } = scene.board;
  const own = approvals.filter(({ by }) => by === who.actor.id);
  const one = (own.length > 0 ? own : approvals).at(-1);
  if (one === undefined) return;
  await ask(scene, who, process, { approval: one.id, kind: "revoke", plan: one.plan, reason: "on second thought" });
};

const cancels: Act = async (scene, who, process) => {
  const of = someStep(scene, process);
  if (of !== undefined) await ask(scene, who, process, { kind: "cancel", plan: of.plan, reason: "not needed" });
};

const typed = (of: StepRef, { chance }: Scene): { readonly name?: string } =>
  of.step.action.kind === "vm.delete" && !chance.oneIn(4) ? { name: of.step.name } : {};

/** Mostly an agent minds its own business, and people what was agreed to; at times they take up whatever there is. */
const stepFor = (scene: Scene, { actor: { id, kind } }: Who, process: Process): StepRef | undefined => {
  const { board, chance } = scene;
  const own = board.steps.filter(({ plan }) => recall(process.state().plans, plan)?.requester.id === id);
  const from = kind === "agent" ? own : agreedIn(scene, process);
  return someStep(withSteps(scene, chance.oneIn(kind === "agent" ? 4 : 2) ? board.steps : from), process);
};

const applies: Act = async (scene, who, process) => {
  const of = stepFor(scene, who, process);
  if (of === undefined) return;
  if (who.actor.kind === "agent") {
    const registered = entryFor(scene, process, of);
    process.apply(process.command(who, { kind: "apply", of, ...registered }, elsewhere(scene)));
    return;
  }
  const answer = await ask(scene, who, process, { kind: "challenge", of, ...entryFor(scene, process, of) });
  const [challenge, result] = [idOf(answer), resultOf(answer)];
  const explanation = result?.kind === "challenged" ? result.explanation : of.step.hash;
  const confirmation = { challenge: challenge ?? of.plan, explanation, ...typed(of, scene) };
  // Where nothing was registered since the challenge, the entry need not be shown again.
  const registered = scene.chance.oneIn(2) ? {} : entryFor(scene, process, of);
  const given = scene.chance.oneIn(12) ? { of } : { confirmation, of: shownBefore(of), ...registered };
  process.apply(process.command(who, { kind: "apply", ...given }, elsewhere(scene)));
};

/** What was asked before is asked again, under its key: by whoever asked, at whichever door. */
const repeats: Act = async ({ board, chance, stage }, _, process) => {
  const { asked } = board;
  const applied = asked.filter(isApply);
  const from = applied.length > 0 && !chance.oneIn(3) ? applied : asked;
  const before = chance.oneIn(3) ? from[chance.below(Math.max(1, from.length))] : from.at(-1);
  const whose = CAST.find(({ actor }) => actor.id === before?.actor.id);
  if (before === undefined || whose === undefined) return;
  stage.counts.add("commands repeated");
  const isOther = chance.oneIn(10);
  const other: Request = { kind: "annotate", text: "under another's key" };
  const command = process.command(board.holding(whose), isOther ? other : requestOf(before), askingAgain(before));
  if (isApply(command)) process.apply(command);
  else await process.submit(command);
};

const requestOf = ({ kind, request }: Command): Request => ({ kind, ...request }) as Request;

const isApply = (command: Command): command is Command<"apply"> => command.kind === "apply";

const freezes: Act = async (scene, who, process) => {
  await ask(scene, who, process, { kind: "freeze", reason: "something is wrong" });
};
const unfreezes: Act = async (scene, who, process) => {
  if (process.state().freezes.size === 0 && !scene.chance.oneIn(10)) return;
  await ask(scene, who, process, { kind: "unfreeze", reason: "it was nothing" });
};

const reconciles: Act = async (scene, who, process) => {
  const intent = [...entries(process.state().blocked)].map(([, one]) => one).at(0);
  if (intent === undefined) return;
  const taken = await process.observe([intent.vmid], []);
  // At times a look that was pushed, which ends nothing.
  const kind = scene.chance.oneIn(25) ? "ingest" : "observe";
  const given = { given: { observation: taken.look } };
  const id = await recorded(scene, seenBy(who, kind), process, kind, taken);
  if (id === undefined) return;
  const request = { intent: intent.id, kind: "reconcile", look: id } as const;
  await process.submit(process.command(who, request, { ...given, ...elsewhere(scene) }));
};

/** Somebody sees that a VM is another one than before, and says that it is meant; at times of one that is not. */
const acceptsIdentity: Act = async (scene, who, process) => {
  const taken = await process.observe([...VMIDS], []);
  const remembered = new Map(remembering(scene, process).identities);
  const isOther = ({ identity, vmid: of }: VmState): boolean =>
    identity !== undefined && remembered.has(of) && remembered.get(of) !== identity;
  const seen = taken.look.vms.find(isOther) ?? (scene.chance.oneIn(6) ? taken.look.vms[0] : undefined);
  if (seen === undefined) return;
  const look = await recorded(scene, who, process, "observe", taken);
  if (look === undefined) return;
  const given = { given: { observation: taken.look, ...remembering(scene, process) } };
  const request = {
    identity: seen.identity ?? "",
    kind: "accept-identity",
    look,
    reason: "rebuilt",
    vmid: seen.vmid,
  } as const;
  await process.submit(process.command(who, request, { ...given, ...elsewhere(scene) }));
};

const ENOUGH_MS = 60_000;

/** Whoever sees that the last record is from the future; at times somebody who only thinks so. */
const acceptsClock: Act = async (scene, who, process) => {
  const head = scene.stage.ledger.records.at(-1)?.processTime;
  const isAhead = head !== undefined && head > instantOf(scene.stage.place.world().nowMs + ENOUGH_MS);
  if (!isAhead && !scene.chance.oneIn(20)) return;
  // Mostly whoever accepts it has set it right before.
  if (!scene.chance.oneIn(4)) process.unskew();
  const { size } = await process.refresh();
  await ask(scene, who, process, { kind: "accept-clock", reason: "it is set right", size });
};

const notes: Act = async (scene, who, process) => {
  await ask(scene, who, process, { kind: "annotate", text: "it was a quiet night" });
};

/** Between the claim of a step and its call: a freeze stops it, and whoever denies or cancels is told that it is too late. */
export const stops: Act = async (scene, who, process) => {
  const { board, chance } = scene;
  const [open] = claimedIn(process);
  const of = board.steps.find(({ index, plan }) => plan === open?.plan && index === open.index);
  if (of === undefined) return;
  const reason = "stop it";
  const no = chance.pick<Request>([
    { kind: "deny", of, reason },
    { kind: "cancel", plan: of.plan, reason },
  ]);
  await ask(
    scene,
    who,
    process,
    who.actor.roles.includes("operator") && chance.oneIn(2) ? { kind: "freeze", reason } : no,
  );
};

/** What is claimed, and of which no call was heard yet. */
export const claimedIn = (process: Process): readonly IntentState[] =>
  [...entries(process.state().open)].flatMap(([, intent]) => (intent.reference === undefined ? [intent] : []));

type Row = { readonly act: Act; readonly role: "agent" | "approver" | "operator"; readonly weight: number };

/** How often each is done, and whose business it is; an agent's is an operator's too. */
const ROWS: readonly Row[] = [
  { act: plans, role: "agent", weight: 9 },
  { act: replans, role: "agent", weight: 4 },
  { act: registers, role: "operator", weight: 8 },
  { act: waits, role: "agent", weight: 3 },
  { act: approves, role: "approver", weight: 24 },
  { act: denies, role: "approver", weight: 2 },
  { act: revokes, role: "approver", weight: 2 },
  { act: cancels, role: "agent", weight: 1 },
  { act: applies, role: "agent", weight: 32 },
  { act: repeats, role: "agent", weight: 6 },
  { act: freezes, role: "operator", weight: 2 },
  { act: unfreezes, role: "operator", weight: 20 },
  { act: reconciles, role: "operator", weight: 14 },
  { act: acceptsClock, role: "operator", weight: 10 },
  { act: acceptsIdentity, role: "operator", weight: 2 },
  { act: notes, role: "approver", weight: 1 },
  { act: mints, role: "operator", weight: 1 },
  { act: agreesWithOneself, role: "operator", weight: 4 },
  { act: rotates, role: "agent", weight: 1 },
  { act: rotates, role: "approver", weight: 1 },
  { act: revokesToken, role: "operator", weight: 0.5 },
  { act: restores, role: "operator", weight: 4 },
];

const isBusinessOf = ({ role }: Row, { actor: { roles } }: Who): boolean =>
  roles.includes(role) || (role === "agent" && roles.includes("operator"));

/** Mostly people do what is theirs to do; now and then somebody tries something else. */
export const actsFor = (who: Who, chance: Chance): readonly (readonly [weight: number, act: Act])[] =>
  ROWS.filter((row) => isBusinessOf(row, who) || chance.oneIn(12)).map(({ act, weight }) => [weight, act]);

/** What a process does when it comes up: it tells under which configuration, and looks after what was left open. */
export const comesUp = async (stage: Stage, process: Process, isEnded: (owner: Ulid) => boolean): Promise<void> => {
  await process.submit(process.command(KERNEL, { config: stage.configFor(process.no), kind: "start", version: "0" }));
  stage.counts.add("intents recovered", await process.recover(isEnded));
};

/** A process takes what another is at work on for left behind: it has no proof of an end, and mostly asks long before its time. */
export const hurries = async (process: Process): Promise<void> => {
  for (const [, { environment, id }] of entries(process.state().open)) {
    const request = { ground: "past-settle-by", intent: id, kind: "recover" } as const;
    await process.submit(process.command(KERNEL, request, { causationId: id, environment }));
  }
};
