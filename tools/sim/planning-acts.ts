// Observing, planning and registering, as the people of a world do it; and what every act is given.

import { detailsFor } from "../../src/kernel/apply/perform-apply.ts";
import type { RequestOf } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { entries, get } from "../../src/kernel/state/persistent-map.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { SubmissionAnswer } from "../../src/ledger/write/submission.ts";
import type { Action, DesiredState, Observation, Vmid } from "../../src/spine/model.ts";
import type { Identities } from "../../src/spine/values/identities.ts";
import { observe } from "../../src/spine/values/observation.ts";
import type { Chance } from "../fuzz/chance.ts";
import { type Board, identitiesOf } from "./board.ts";
import { OTHER_ENVIRONMENT, PROBE } from "./cast.ts";
import type { Process, Taken, Who } from "./process.ts";
import { DESIRED, ENVIRONMENT, isChanged, newestIn, REGISTERED, REGISTRATIONS, vmid } from "./registrations.ts";
import type { Stage } from "./stage.ts";

export type Scene = { readonly board: Board; readonly chance: Chance; readonly stage: Stage };
export type Act = (scene: Scene, who: Who, process: Process) => Promise<void>;

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
export const VMIDS: readonly Vmid[] = DESIRED.map((entry) => entry.vmid);

export const resultOf = (answer: SubmissionAnswer): Result | undefined =>
  answer.kind === "recorded" ? (answer.record.body["result"] as Result) : undefined;
export const idOf = (answer: SubmissionAnswer): Ulid | undefined =>
  answer.kind === "recorded" ? answer.record.auditId : undefined;

/** Once in a while somebody names the wrong environment. */
export const elsewhere = ({ chance }: Scene): { readonly environment?: string } =>
  chance.oneIn(40) ? { environment: OTHER_ENVIRONMENT } : {};

const lookRequest = (kind: "ingest" | "observe", { shown, tookMs }: Taken): RequestOf<"ingest" | "observe"> => {
  const { digest, observation } = observe(shown);
  const { complete, gaps, observedAt, vms } = observation;
  const when = observedAt === undefined ? {} : { observedAt };
  const clock = shown.providerTime === undefined ? {} : { providerTime: shown.providerTime };
  return { complete, gaps: gaps.length, kind, observation: digest, ...when, ...clock, tookMs, vms: vms.length };
};

/** What the process remembers of the VMs when it asks. */
export const remembering = ({ stage }: Scene, process: Process): { readonly identities: Identities } => ({
  identities: identitiesOf(stage.ledger, process.state()),
});

/** Its record; asked once more when another process has remembered something in between. */
export const recorded = async (
  scene: Scene,
  who: Who,
  process: Process,
  kind: "ingest" | "observe",
  taken: Taken,
): Promise<Ulid | undefined> => {
  const asked = (): Promise<SubmissionAnswer> => {
    const given = { given: { observation: taken.shown, ...remembering(scene, process) } };
    return process.submit(process.command(who, lookRequest(kind, taken), given));
  };
  const first = await asked();
  const result = resultOf(first);
  const isMoved = result?.kind === "refused" && result.refusals.some(({ code }) => code === "identities-moved");
  return idOf(isMoved ? await asked() : first);
};

/** What is pushed comes from the sensor; an agent pushes itself, which it may not. */
export const seenBy = (who: Who, kind: "ingest" | "observe"): Who =>
  kind === "ingest" && who.actor.kind === "person" ? PROBE : who;

/** One that the VM may have; at times one that it may not, or whatever the desired file comes to. */
const someAction = (shown: Observation, target: Vmid, chance: Chance): Action | undefined => {
  if (chance.oneIn(5)) return undefined;
  const isRunning = shown.vms.find((state) => state.vmid === target)?.status === "running";
  return chance.pick(isRunning !== chance.oneIn(12) ? OF_RUNNING : OF_STOPPED);
};

export const plans: Act = async (scene, who, process) => {
  const { chance } = scene;
  const target = VMIDS[chance.oneIn(10) ? chance.below(VMIDS.length) : chance.below(2)] ?? vmid(101);
  const isOfSnapshots = chance.oneIn(6);
  const taken = await process.observe([...VMIDS, vmid(201)], isOfSnapshots ? ["snapshots"] : []);
  const { shown } = taken;
  const action = isOfSnapshots ? chance.pick(OF_SNAPSHOTS) : someAction(shown, target, chance);
  const kind = chance.oneIn(25) ? "ingest" : "observe";
  const id = await recorded(scene, seenBy(who, kind), process, kind, taken);
  if (id === undefined) return;
  const request = action === undefined ? {} : { request: { action, vmid: target } };
  const scope = action === undefined && chance.oneIn(2) ? [vmid(101), vmid(102)] : "all";
  const desired = newestIn(scene.stage.ledger, ENVIRONMENT) ?? REGISTERED;
  const asking = { given: { observation: shown, desired, ...remembering(scene, process) }, ...elsewhere(scene) };
  await process.submit(process.command(who, { kind: "plan", observation: id, ...request, scope }, asking));
};

/** The same is asked for again, on a fresh observation: in an unchanged world that is the same plan. */
export const replans: Act = async (scene, who, process) => {
  const before = scene.board.asked.findLast((one) => one.kind === "plan" && one.actor.id === who.actor.id);
  if (before?.kind !== "plan") return;
  const { request } = before.request;
  const taken = await process.observe([...VMIDS, vmid(201)], request === undefined ? [] : detailsFor(request.action));
  const id = await recorded(scene, who, process, "observe", taken);
  if (id === undefined) return;
  const desired = newestIn(scene.stage.ledger, ENVIRONMENT) ?? REGISTERED;
  const given = { observation: taken.shown, desired, ...remembering(scene, process) };
  await process.submit(process.command(who, { ...before.request, kind: "plan", observation: id }, { given }));
};

/**
 * Something about the VM that is at work, where one is; otherwise back to what was registered at first, because a world
 * in which a VM is protected for good has little to show.
 */
const someRegistration = ({ chance, stage }: Scene, process: Process): DesiredState | undefined => {
  const [at] = [...entries(process.state().open)].map(([, intent]) => intent.vmid);
  const [first, ...rest] = REGISTRATIONS.filter((desired) => at !== undefined && isChanged(desired, at));
  if (first !== undefined) return chance.pick([first, ...rest]);
  if (newestIn(stage.ledger, ENVIRONMENT) !== REGISTERED) return REGISTERED;
  return chance.oneIn(4) ? chance.pick(REGISTRATIONS) : undefined;
};
export const registers: Act = async (scene, who, process) => {
  const desired = someRegistration(scene, process);
  if (desired === undefined) return;
  const request = registrationOf(desired, get(process.state().desired, ENVIRONMENT));
  await process.submit(process.command(who, request, { given: { desired }, ...elsewhere(scene) }));
};
