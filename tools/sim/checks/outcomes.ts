// What is recorded of an intent is true of the world: no success that the world denies, no failure after which
// something happened; unknown blocks its VM until somebody looks; and every intent comes to an end.

import { parseJson } from "../../../src/formats/json/json-text.ts";
import type { RequestOf } from "../../../src/kernel/command/request.ts";
import { deedsOf, type Effect, truthOf } from "../../../src/simulator/world/journal.ts";
import type { ActionKind, Observation } from "../../../src/spine/model.ts";
import { instantOf, later } from "../../../src/spine/values/instant.ts";
import { sentBy, settledBy } from "./clocks.ts";
import { type Check, type Entry, type EntryOf, entriesOf, intentsIn, isGranted, isKind } from "./evidence.ts";

type Outcome = EntryOf<"outcome"> & { readonly intent: EntryOf<"apply"> };

const outcomesIn = (stage: Parameters<Check>[0]["stage"]): readonly Outcome[] => {
  const intents = new Map(intentsIn(stage).map((intent) => [intent.record.auditId as string, intent]));
  return entriesOf(stage).flatMap((entry) => {
    const intent = isKind(entry, "outcome") && isGranted(entry) ? intents.get(entry.request.intent) : undefined;
    return isKind(entry, "outcome") && intent !== undefined ? [{ ...entry, intent }] : [];
  });
};

/** What somebody else may have done in our place, so that the observation after is right and our call did nothing. */
const SHOWN_BY: Readonly<Partial<Record<ActionKind, readonly Effect[]>>> = {
  "vm.delete": ["destroyed"],
  "vm.reboot": ["launched", "executing"],
  "vm.shutdown": ["powered-off"],
  "vm.start": ["launched", "executing"],
  "vm.stop": ["powered-off"],
};

export const trueSuccess: Check = ({ stage }) => {
  const { journal } = stage.provider.world();
  return outcomesIn(stage)
    .filter(({ intent, request }) => {
      // Where there is nothing to see, its record says that it is the provider's word alone.
      if (request.outcome !== "succeeded" || request.cause === "provider-done-alone") return false;
      const { auditId, seq } = intent.record;
      if (truthOf(journal, auditId) === "all") return false;
      const { action, vmid } = intent.request.of.step;
      const sinceMs = stage.ledger.landedMs[seq] ?? 0;
      return !journal.some(
        (entry) =>
          entry.kind === "deed" &&
          entry.vmid === vmid &&
          entry.atMs >= sinceMs &&
          SHOWN_BY[action.kind]?.includes(entry.effect) === true,
      );
    })
    .map(({ request }) => `success of ${request.intent} is recorded, and the world denies it`);
};

/** Whether the guest runs after a rollback is what its step said to those who agreed. */
export const trueRollback: Check = ({ stage }) => {
  const { journal } = stage.provider.world();
  return outcomesIn(stage)
    .filter(({ intent, request }) => {
      const { action, facts } = intent.request.of.step;
      if (request.outcome !== "succeeded" || action.kind !== "vm.snapshot.rollback") return false;
      if (request.cause === "provider-done-alone") return false;
      const isStarted = deedsOf(journal, request.intent).some(({ effect }) => effect === "executing");
      return isStarted !== (facts["statusAfter"] === "running");
    })
    .map(({ request }) => `rollback ${request.intent} succeeded, and the guest is not as its step said`);
};

/**
 * Failed means that nothing of it is left. What our call began and somebody else undid before we looked cannot be told
 * from nothing (docs/simulation.md); what it did after that, or what stayed, can.
 */
export const trueFailure: Check = ({ stage }) => {
  const { journal } = stage.provider.world();
  return outcomesIn(stage)
    .filter(({ intent, record, request }) => {
      const ours = deedsOf(journal, request.intent);
      const last = ours.at(-1);
      if (request.outcome !== "failed" || last === undefined) return false;
      const toldMs = stage.ledger.landedMs[record.seq] ?? 0;
      const isUndone = journal
        .slice(journal.indexOf(last) + 1)
        .some(
          (entry) =>
            entry.kind === "deed" &&
            entry.vmid === intent.request.of.step.vmid &&
            entry.cause.kind === "other" &&
            entry.atMs <= toldMs,
        );
      return !isUndone;
    })
    .map(({ request }) => `failure of ${request.intent} is recorded, and it did something`);
};

/**
 * Whether the recorded observation shows the VM, or that it is gone, with nothing at work on it; read from its blob
 * alone.
 */
const tells = (
  { ledger }: Parameters<Check>[0]["stage"],
  shown: RequestOf<"observe"> | undefined,
  vmid: number,
): boolean => {
  const bytes = shown === undefined ? undefined : ledger.blobs.get(shown.observation);
  const read = bytes === undefined ? undefined : parseJson(new TextDecoder().decode(bytes), "observation");
  if (read?.kind !== "ok") return false;
  const { complete, vms } = read.value as Pick<Observation, "complete" | "vms">;
  const state = vms.find((one) => one.vmid === vmid);
  if (state === undefined) return complete;
  return state.status !== "unknown" && !(state.blockers ?? []).some(({ actions }) => actions === "all");
};

type VmIntents = { open: string | undefined; unknown: string | undefined };

/**
 * One intent at a time for each VM, one outcome for each intent, and nothing after unknown but an observation that is
 * late enough.
 */
export const blocks: Check = ({ stage }) => {
  const found: string[] = [];
  const byVm = new Map<number, VmIntents>();
  const vmOf = new Map<string, { readonly at: number; readonly intent: EntryOf<"apply">; readonly vmid: number }>();
  const intentsOf = (vmid: number): VmIntents => {
    const known = byVm.get(vmid) ?? { open: undefined, unknown: undefined };
    byVm.set(vmid, known);
    return known;
  };
  const ended = (entry: Entry, intent: string, isUnknown: boolean): void => {
    const { vmid } = vmOf.get(intent) ?? { vmid: 0 };
    const now = intentsOf(vmid);
    if (entry.result.kind === "ended" && entry.result.late) return;
    if (now.open !== intent) found.push(`${intent} has an outcome at ${entry.record.seq} and was not open`);
    now.open = undefined;
    if (isUnknown) now.unknown = intent;
  };
  const observations = new Map<string, EntryOf<"observe">>();
  const granted = entriesOf(stage).filter(isGranted);
  for (const [at, entry] of granted.entries()) {
    if (isKind(entry, "observe")) observations.set(entry.record.auditId, entry);
    else if (isKind(entry, "apply")) {
      const { vmid } = entry.request.of.step;
      const now = intentsOf(vmid);
      if (now.open !== undefined) found.push(`VM ${vmid} has two open intents at ${entry.record.seq}`);
      if (now.unknown !== undefined) found.push(`VM ${vmid} was not blocked at ${entry.record.seq}`);
      now.open = entry.record.auditId;
      vmOf.set(entry.record.auditId, { at, intent: entry, vmid });
    } else if (isKind(entry, "outcome")) ended(entry, entry.request.intent, entry.request.outcome === "unknown");
    else if (isKind(entry, "recover")) ended(entry, entry.request.intent, true);
    else if (isKind(entry, "reconcile")) {
      const of = vmOf.get(entry.request.intent);
      const { vmid = 0 } = of ?? {};
      const settleBy = of === undefined ? "" : settledBy(of.intent, granted.slice(of.at, at));
      const now = intentsOf(vmid);
      if (now.unknown !== entry.request.intent)
        found.push(`${entry.request.intent} was reconciled and blocked nothing`);
      const shown = observations.get(entry.request.observation);
      // By the clock of the processes alone, from when it began.
      if (shown === undefined || later(shown.record.processTime, -(shown.request.tookMs ?? 0)) <= settleBy) {
        found.push(`${entry.request.intent} was reconciled by no look, or an early one`);
      }
      if (!tells(stage, shown?.request, vmid))
        found.push(`${entry.request.intent} was reconciled by an observation that does not tell`);
      now.unknown = undefined;
    }
  }
  return found;
};

/** Nobody's intent is taken from them while they live and have time. */
export const recovered: Check = ({ isSkewed, stage }) => {
  const intents = new Map(intentsIn(stage).map((intent) => [intent.record.auditId as string, intent]));
  const entries = entriesOf(stage);
  return entries.flatMap((entry, to) => {
    const intent = isKind(entry, "recover") && isGranted(entry) ? intents.get(entry.request.intent) : undefined;
    if (!isKind(entry, "recover") || intent === undefined) return [];
    const { instance } = intent.record;
    const between = entries.slice(intent.record.seq, to);
    if (entry.request.ground === "owner-ended") {
      const diedAt = stage.deaths.get(instance);
      const isDead = diedAt !== undefined && diedAt <= entry.record.seq;
      return isDead ? [] : [`${entry.request.intent} was recovered while its owner lived`];
    }
    // Where no clock jumps, the stamps are true times.
    const at = isSkewed ? entry.record.processTime : instantOf(stage.ledger.landedMs[entry.record.seq] ?? 0);
    const isEarly = at <= (entry.request.ground === "owner-unlocked" ? sentBy : settledBy)(intent, between);
    return isEarly ? [`${entry.request.intent} was recovered before its time`] : [];
  });
};

/** Only when the world has come to rest: nothing is open any more. */
export const ended: Check = ({ stage }) => {
  const over = new Set(
    entriesOf(stage).flatMap((entry) =>
      (isKind(entry, "outcome") || isKind(entry, "recover")) && isGranted(entry)
        ? [entry.request.intent as string]
        : [],
    ),
  );
  return intentsIn(stage)
    .filter(({ record }) => !over.has(record.auditId))
    .map(({ record }) => `${record.auditId} has no outcome and nobody who performs it`);
};

export const neverThrows: Check = ({ stage }) =>
  stage.traces.flatMap(({ failure }) => (failure() === undefined ? [] : [`the performer threw: ${String(failure())}`]));
