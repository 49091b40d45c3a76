// The Proxmox actuator: one durable intent, one call, and what PVE said of it.
//
// It decides nothing again and widens nothing: what it cannot say exactly it does not send. A call leaves after its
// connection stands, or not at all; once it may have left, only PVE's own proof makes it failed. keeps B7, N8

import { type Diagnostic, diagnostic } from "../../../spine/diagnostic-codes.ts";
import type { Action, Instant, Vmid } from "../../../spine/model.ts";
import type { Actuator, DurableIntent, ProviderVerdict, Sent } from "../../actuator.ts";
import { type GuestRef, isConfigDigest, isSnapshotName, parseUpid, whyNoSnapshot } from "../api/names.ts";
import { isSentKind, type SentKind } from "../api/pve-calls.ts";
import type { PveReader } from "../api/pve-reader.ts";
import { isProxyError, type PveReply, refusalSaid } from "../api/pve-reply.ts";
import type { Leave, Sender } from "../api/sender.ts";
import { configDigest, settingsOf } from "../observe/guest-config.ts";
import { whereaboutsOf } from "../observe/whereabouts.ts";
import { type Lost, searchTasks } from "./lost-answer.ts";
import { isAnswered, refusalProvesNothing } from "./proofs.ts";
import { resized } from "./resize.ts";
import { awaitVerdict, type Sleep } from "./verdict.ts";

export type ActuatorOptions = {
  readonly environment: string;
  readonly observing: PveReader; // the token that observes
  readonly now: () => Instant;
  readonly own: PveReader; // the token that applies: it sees its own tasks
  readonly sender: Sender;
  readonly sleep: Sleep;
  readonly tokenName: string;
  /** Where the last observation saw it; if it moved since, PVE refuses the call. */
  readonly whereIs: (vmid: Vmid) => GuestRef | undefined;
};

/** PVE's answer to a call that is done when it answers. */
const AT_ONCE = "at-once";

type Prepared =
  | { readonly kind: "ready"; readonly perform: (leave: Leave) => Promise<PveReply> }
  | { readonly kind: "refused"; readonly why: Diagnostic };

const notSent = (why: Diagnostic): Sent => ({ diagnostics: [diagnostic("not-sent"), why], kind: "failed" });

export const proxmoxActuator = (options: ActuatorOptions): Actuator => ({
  send: async (intent, signal, mayLeave) => {
    const { action, vmid } = intent.step;
    const { kind } = action;
    if (intent.environment !== options.environment) return notSent(diagnostic("environment-other"));
    if (intent.seen.vmid !== vmid) return notSent(diagnostic("vm-other"));
    if (!isSentKind(kind)) return notSent(diagnostic("action-not-offered", { facts: { action: kind } }));
    const guest = options.whereIs(vmid) ?? (await findGuest(options.observing, vmid, signal));
    if (guest === undefined) return notSent(diagnostic("location-not-seen"));
    if (guest.kind !== intent.seen.kind) return notSent(diagnostic("kind-other"));
    const prepared = await preparedOf(options, intent, guest, signal);
    if (prepared.kind === "refused") return notSent(prepared.why);
    const sentAt = options.now();
    const late = diagnostic("send-by-passed", { facts: { sendBy: intent.sendBy } });
    let isWithheld = false;
    const objection = async (): Promise<Diagnostic | undefined> => {
      isWithheld = !(await mayLeave());
      if (isWithheld) return diagnostic("not-sent");
      return options.now() > intent.sendBy ? late : undefined;
    };
    const reply = await prepared.perform({ objection, signal });
    if (isWithheld) return { kind: "withheld" };
    return sentOf(reply, { guest, kind, options, sentAt });
  },
  verdict: async (intent, reference, signal) => {
    if (reference === AT_ONCE) return judged("done", "call-answered-done");
    const task = parseUpid(reference);
    if (task === undefined) return judged("unknown", "reference-not-a-task");
    if (task.vmid !== intent.step.vmid) return judged("unknown", "task-of-another-vm");
    const { observing, own, sleep } = options;
    return awaitVerdict(task, intent, { observing, own, signal, sleep });
  },
});

const judged = (
  kind: ProviderVerdict["kind"],
  code: "call-answered-done" | "reference-not-a-task" | "task-of-another-vm",
): ProviderVerdict => ({ diagnostics: [diagnostic(code)], kind });

const findGuest = async (reader: PveReader, vmid: Vmid, signal: AbortSignal): Promise<GuestRef | undefined> => {
  const list = await reader.resources(signal);
  const where = list.kind === "data" ? whereaboutsOf(list.data) : undefined;
  const row = where?.kind === "list" ? where.rows.get(vmid) : undefined;
  return row?.kind === "at" ? row.guest : undefined;
};

const ready = (perform: (leave: Leave) => Promise<PveReply>): Prepared => ({ kind: "ready", perform });
const refused = (why: Diagnostic): Prepared => ({ kind: "refused", why });

const preparedOf = async (
  { observing, sender }: ActuatorOptions,
  { seen, step }: DurableIntent,
  guest: GuestRef,
  signal: AbortSignal,
): Promise<Prepared> => {
  const { action } = step;
  switch (action.kind) {
    case "vm.start":
      return ready((leave) => sender.start(guest, leave));
    case "vm.shutdown":
      return ready((leave) => sender.shutdown(guest, leave));
    case "vm.stop":
      return ready((leave) => sender.stop(guest, leave));
    case "vm.reboot":
      return ready((leave) => sender.reboot(guest, leave));
    case "vm.resume":
    case "vm.reset":
    case "vm.suspend":
      return guest.kind === "ct"
        ? refused(diagnostic("action-not-provable", { facts: { action: action.kind } }))
        : still(sender, guest, action.kind);
    case "vm.delete":
      return ready((leave) => sender.destroy(guest, leave));
    case "vm.snapshot.create":
    case "vm.snapshot.rollback":
    case "vm.snapshot.delete":
      return snapshot(sender, guest, action);
    case "vm.resize":
      return resize(observing, sender, guest, action, seen.revision, signal);
    default:
      return refused(diagnostic("action-not-offered", { facts: { action: action.kind } }));
  }
};

const still = (sender: Sender, guest: GuestRef, kind: "vm.reset" | "vm.resume" | "vm.suspend"): Prepared => {
  const calls = { "vm.reset": sender.reset, "vm.resume": sender.resume, "vm.suspend": sender.suspend };
  return ready((leave) => calls[kind](guest, leave));
};

const snapshot = (
  sender: Sender,
  guest: GuestRef,
  action: Extract<Action, { readonly snapshot: string }>,
): Prepared => {
  const name = action.snapshot;
  // A backup that broke off leaves a snapshot of a container behind, under a name that nobody else may make.
  const isNew = action.kind === "vm.snapshot.create" || guest.kind === "vm";
  const why = isNew ? whyNoSnapshot(name, guest.kind) : undefined;
  if (why !== undefined) return refused(why);
  if (!isSnapshotName(name)) return refused(diagnostic("snapshot-name-impossible"));
  const calls = {
    "vm.snapshot.create": sender.createSnapshot,
    "vm.snapshot.delete": sender.deleteSnapshot,
    "vm.snapshot.rollback": sender.rollback,
  };
  return ready((leave) => calls[action.kind](guest, name, leave));
};

/** How sizes map onto PVE's settings depends on the settings, so they are read once more; the digest ties both. */
const resize = async (
  observing: PveReader,
  sender: Sender,
  guest: GuestRef,
  action: Extract<Action, { readonly kind: "vm.resize" }>,
  revision: string | undefined,
  signal: AbortSignal,
): Promise<Prepared> => {
  if (!isConfigDigest(revision)) return refused(diagnostic("revision-not-seen"));
  const reply = await observing.config(guest, signal);
  const settings = reply.kind === "data" ? settingsOf(reply.data) : undefined;
  if (settings === undefined) return refused(diagnostic("configuration-not-read"));
  if (configDigest(settings) !== revision) return refused(diagnostic("configuration-changed"));
  const sizes = resized(action, settings, guest.kind);
  return sizes.kind === "refused" ? sizes : ready((leave) => sender.configure(guest, sizes.sizes, revision, leave));
};

type Attempt = {
  readonly guest: GuestRef;
  readonly kind: SentKind;
  readonly options: ActuatorOptions;
  readonly sentAt: Instant;
};

const sentOf = (reply: PveReply, attempt: Attempt): Sent | Promise<Sent> => {
  switch (reply.kind) {
    case "data":
      return taken(reply.data, attempt) ?? lost([diagnostic("answer-without-task")], "cut", attempt);
    case "none":
      return reply.left
        ? lost([diagnostic("answer-lost"), reply.why], reply.isLate === true ? "late" : "cut", attempt)
        : notSent(reply.why);
    case "unreadable":
      return lost([diagnostic("answer-unreadable"), reply.why], "cut", attempt);
    case "refused": {
      const refusal = diagnostic("call-refused", refusalSaid(reply));
      if (refusalProvesNothing(reply)) return { diagnostics: [refusal], kind: "failed" };
      if (isAnswered(reply)) return lost([refusal], "answered", attempt);
      const inconclusive = diagnostic("answer-inconclusive", refusalSaid(reply));
      return lost([inconclusive], isProxyError(reply.status) ? "late" : "cut", attempt);
    }
  }
};

const taken = (data: unknown, { guest, kind }: Attempt): Sent | undefined => {
  if (kind === "vm.resize" && guest.kind === "ct" && data === null) return { kind: "sent", reference: AT_ONCE };
  const task = parseUpid(data);
  return task !== undefined && task.vmid === guest.vmid ? { kind: "sent", reference: task.upid } : undefined;
};

const lost = (
  diagnostics: readonly Diagnostic[],
  how: Lost["how"],
  { guest, kind, options, sentAt }: Attempt,
): Promise<Sent> => {
  const { now, own, sleep, tokenName } = options;
  return searchTasks({ diagnostics, guest, how, kind, now, reader: own, sentAt, sleep, tokenName });
};
