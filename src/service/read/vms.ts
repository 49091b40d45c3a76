// list: the registered VMs with what is wanted of them, and beside each how the last recorded observation saw it.
//
// No provider is asked. An observation of one action sees one VM, so each VM has the newest that saw it; the state
// remembers those of the last day or two, and older ones are not searched for. An apply observes its VM again at its
// end: where its outcome proves what the VM is, that is newer; where it does not, it is told that something was applied
// since.

import { STATUS_PROVEN } from "../../kernel/apply/postcondition.ts";
import { entries } from "../../kernel/state/persistent-map.ts";
import type { IntentState } from "../../kernel/state/state.ts";
import type { ActionKind, DesiredVm, Instant, Observation, Vmid, VmState } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { Reading } from "../hold/session.ts";
import { isSince, lastIntents, observedLately, secondsSince } from "./lately.ts";
import { readBlobText, readRegisteredIn } from "./registered.ts";
import { resolveVms, strangerIn, type VmRef } from "./vm-references.ts";

/**
 * Of every environment where none is named. With words for VMs only those, in their order, of one environment: one word
 * that means nothing refuses all.
 */
export type VmListRequest = { readonly environment?: string; readonly vms?: readonly VmRef[] };

export type VmListed = {
  readonly environment: string;
  readonly name: string;
  /** Absent where no observation of the last day or two saw it. */
  readonly observed?: {
    readonly ageSeconds: number;
    readonly at: Instant;
    /** Running, and its guest is not executing. */
    readonly paused?: true;
    /** What was applied to it since, and does not say what it is now. */
    readonly since?: Pick<IntentState, "action" | "end" | "id">;
    readonly status: VmState["status"];
  };
  readonly protected?: true;
  readonly target: DesiredVm["target"];
  readonly vmid: Vmid;
};
export type VmList = { readonly at: Instant; readonly vms: readonly VmListed[] };

export const listVms = async (reading: Reading, request: VmListRequest): Promise<VmList | RefusedAnswer> => {
  const { at, desk, state } = reading;
  const { environment } = request;
  if (request.vms !== undefined) return listNamed(reading, environment, request.vms);
  if (environment !== undefined) {
    const named = environmentAt(environment, desk);
    if ("code" in named) return refusedInput([named]);
  }
  const names = Array.from(entries(state.desired), ([name]) => name)
    .filter((name) => environment === undefined || name === environment)
    .sort();
  const vms: VmListed[] = [];
  for (const name of names) vms.push(...(await vmsOf(reading, name)));
  return { at, vms };
};

const listNamed = async (
  reading: Reading,
  environment: string | undefined,
  refs: readonly VmRef[],
): Promise<VmList | RefusedAnswer> => {
  const named = environmentAt(environment, reading.desk);
  if ("code" in named) return refusedInput([named]);
  const known = await vmsOf(reading, named.name);
  const meant = strangerIn(refs, known) ?? resolveVms(refs, known, "vms");
  if ("code" in meant) return refusedInput([meant]);
  const byVmid = new Map(known.map((one) => [one.vmid, one]));
  return { at: reading.at, vms: meant.flatMap((vmid) => byVmid.get(vmid) ?? []) };
};

const vmsOf = async (reading: Reading, environment: string): Promise<readonly VmListed[]> => {
  const desired = await readRegisteredIn(reading.ledger.engine, reading.state, environment);
  const wanted = (desired?.entries ?? []).filter((entry) => entry.kind === "desired");
  const seen = await lastSeen(reading, environment, new Set(wanted.map(({ vmid }) => vmid)));
  const last = lastIntents(reading.state, environment);
  return wanted.map(({ name, protected: isProtected, target, vmid }) => ({
    environment,
    name,
    ...present({ observed: seenSince(seen.get(vmid), last.get(vmid), reading.at), protected: isProtected }),
    target,
    vmid,
  }));
};

const lastSeen = async (
  { at: now, ledger, state }: Reading,
  environment: string,
  wanted: Set<Vmid>,
): Promise<ReadonlyMap<Vmid, NonNullable<VmListed["observed"]>>> => {
  const seen = new Map<Vmid, NonNullable<VmListed["observed"]>>();
  for (const { at, digest } of observedLately(state, environment)) {
    if (wanted.size === 0) break;
    const { vms }: Observation = JSON.parse(await readBlobText(ledger.engine, digest));
    for (const { paused, status, vmid } of vms) {
      if (wanted.delete(vmid))
        seen.set(vmid, { ageSeconds: secondsSince(at, now), at, ...present({ paused }), status });
    }
  }
  return seen;
};

const PROVEN: { readonly [K in ActionKind]?: "paused" | "running" | "stopped" } = STATUS_PROVEN;

const seenSince = (seen: VmListed["observed"], intent: IntentState | undefined, now: Instant): VmListed["observed"] => {
  if (intent === undefined) return seen;
  const { action, end, endedAt, id } = intent;
  if (seen !== undefined && !isSince(intent, seen.at)) return seen;
  const proven = end?.outcome === "succeeded" ? PROVEN[action] : undefined;
  if (proven !== undefined && endedAt !== undefined) {
    const shown = proven === "paused" ? ({ paused: true, status: "running" } as const) : ({ status: proven } as const);
    return { ageSeconds: secondsSince(endedAt, now), at: endedAt, ...shown };
  }
  return seen === undefined ? undefined : { ...seen, since: { action, ...present({ end }), id } };
};
