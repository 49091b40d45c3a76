// What the people of a world do: each act is one intention, carried through a process step by step, while everybody
// else goes on. They want different things, repeat themselves, use each other's keys, and are told no.
//
// Who may do what is not decided here; most of what the kernel refuses is asked for by somebody.

import { START_GIVEN } from "../../src/kernel/command/program.ts";
import type { Command, RegisteredEntry, Request, StepRef } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { shownBefore } from "../../src/kernel/decide/step-ref.ts";
import { entries, get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { entriesIn } from "../../src/kernel/state/registered-entry.ts";
import type { IntentState } from "../../src/kernel/state/state.ts";
import type { SubmissionAnswer } from "../../src/ledger/write/submission.ts";
import type { VmState } from "../../src/spine/model.ts";
import { instantOf } from "../../src/spine/values/instant.ts";
import type { Chance } from "../fuzz/chance.ts";
import { askingAgain, explanationFor } from "./board.ts";
import { STAFF, startOf } from "./cast.ts";
import { peopleActsFor } from "./people-acts.ts";
import {
  type Act,
  elsewhere,
  idOf,
  plans,
  recorded,
  registers,
  remembering,
  replans,
  resultOf,
  type Scene,
  seenBy,
  VMIDS,
} from "./planning-acts.ts";
import type { GoneOf, Process, Who } from "./process.ts";
import { desiredStateIn, ENVIRONMENT, newestIn } from "./registrations.ts";
import type { Stage } from "./stage.ts";
import { eyesOf, mints, restores, revokesToken, rotates } from "./token-acts.ts";

const KERNEL: Who = { actor: KERNEL_ACTOR, door: "local" };

const ask = (scene: Scene, who: Who, process: Process, request: Request): Promise<SubmissionAnswer> =>
  process.submit(process.command(who, request, elsewhere(scene)));

/**
 * What a door brings of a step's VM: as the ledger has it, at times as its process knew it; at times nothing at all.
 */
const entryFor = (
  { chance, stage: { ledger } }: Scene,
  process: Process,
  of: StepRef,
): { readonly registered?: RegisteredEntry } => {
  if (chance.oneIn(60)) return {};
  const desired = chance.oneIn(10)
    ? desiredStateIn(ledger, process.state(), ENVIRONMENT)
    : newestIn(ledger, ENVIRONMENT);
  return { registered: desired === undefined ? "none" : entriesIn(desired)(of.step.vmid) };
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

const REASONS = [{}, {}, { reason: "needed" }, { reason: " " }] as const;

/** By the plan, not by chance: what decides nothing leaves every other choice of a world as it was. */
const reasonFor = ({ plan }: StepRef) => REASONS[plan.charCodeAt(plan.length - 1) % REASONS.length];

const waits: Act = async (scene, who, process) => {
  const of = someStep(scene, process);
  if (of !== undefined) {
    await ask(scene, who, process, { kind: "request-approval", of, ...reasonFor(of), ...entryFor(scene, process, of) });
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

/**
 * Whoever makes tokens has one made for a name that nobody bears, and agrees with that to what they want themselves.
 */
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
  const whose = STAFF.find(({ actor }) => actor.id === before?.actor.id);
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
  // At times an observation that was pushed, which ends nothing.
  const kind = scene.chance.oneIn(25) ? "ingest" : "observe";
  const given = { given: { observation: taken.shown } };
  const id = await recorded(scene, seenBy(who, kind), process, kind, taken);
  if (id === undefined) return;
  const request = { intent: intent.id, kind: "reconcile", observation: id } as const;
  await process.submit(process.command(who, request, { ...given, ...elsewhere(scene) }));
};

/** Somebody sees that a VM is another one than before, and says that it is meant; at times of one that is not. */
const acceptsIdentity: Act = async (scene, who, process) => {
  const taken = await process.observe([...VMIDS], []);
  const remembered = new Map(remembering(scene, process).identities);
  const isOther = ({ identity, vmid: of }: VmState): boolean =>
    identity !== undefined && remembered.has(of) && remembered.get(of) !== identity;
  const seen = taken.shown.vms.find(isOther) ?? (scene.chance.oneIn(6) ? taken.shown.vms[0] : undefined);
  if (seen === undefined) return;
  const shown = await recorded(scene, who, process, "observe", taken);
  if (shown === undefined) return;
  const given = { given: { observation: taken.shown, ...remembering(scene, process) } };
  const request = {
    identity: seen.identity ?? "",
    kind: "accept-identity",
    observation: shown,
    reason: "rebuilt",
    vmid: seen.vmid,
  } as const;
  await process.submit(process.command(who, request, { ...given, ...elsewhere(scene) }));
};

const ENOUGH_MS = 60_000;

/** Whoever sees that the last record is from the future; at times somebody who only thinks so. */
const acceptsClock: Act = async (scene, who, process) => {
  const head = scene.stage.ledger.records.at(-1)?.processTime;
  const isAhead = head !== undefined && head > instantOf(scene.stage.provider.world().nowMs + ENOUGH_MS);
  if (!isAhead && !scene.chance.oneIn(20)) return;
  // Mostly whoever accepts it has set it right before.
  if (!scene.chance.oneIn(4)) process.unskew();
  const { size } = await process.refresh();
  await ask(scene, who, process, { kind: "accept-clock", reason: "it is set right", size });
};

const notes: Act = async (scene, who, process) => {
  await ask(scene, who, process, { kind: "annotate", text: "it was a quiet night" });
};

/**
 * Between the claim of a step and its call: a freeze stops it, and whoever denies or cancels is told that it is too
 * late.
 */
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
export const actsFor = (
  who: Who,
  chance: Chance,
  isServed: boolean,
): readonly (readonly [weight: number, act: Act])[] => [
  ...ROWS.filter((row) => isBusinessOf(row, who) || chance.oneIn(12)).map(({ act, weight }) => [weight, act] as const),
  ...(isServed ? peopleActsFor(who) : []),
];

/** What a process does when it comes up: it tells under which configuration, and looks after what was left open. */
export const comesUp = async (stage: Stage, process: Process, goneOf: GoneOf): Promise<void> => {
  await process.submit(process.command(KERNEL, startOf(stage.configFor(process.no)), { given: START_GIVEN }));
  stage.counts.add("intents recovered", await process.recover(goneOf));
};

/**
 * A process takes what another is at work on for left behind: it has no proof of an end, and mostly asks long before
 * its time.
 */
export const hurries = async (process: Process): Promise<void> => {
  for (const [, { environment, id }] of entries(process.state().open)) {
    const request = { ground: "past-settle-by", intent: id, kind: "recover" } as const;
    await process.submit(process.command(KERNEL, request, { causationId: id, environment }));
  }
};
