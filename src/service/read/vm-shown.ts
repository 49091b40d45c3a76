// vm: what is known of one VM, in one answer: what is desired of it, what was observed of it last, as it was recorded,
// what a plan on that would answer, what is under way, and the recent plans that concern it.
//
// No provider is asked. Not here: the judgement (judge-fleet.ts), every record of the VM (vm-history.ts).

import { get } from "../../kernel/state/persistent-map.ts";
import { recentEntries } from "../../kernel/state/recent.ts";
import { type State, vmKey } from "../../kernel/state/state.ts";
import type { Instant, Observation, Vmid, VmState } from "../../spine/model.ts";
import { identityIn } from "../../spine/values/identities.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { Reading } from "../hold/session.ts";
import { type EnvironmentListed, listEnvironments } from "./environments.ts";
import { aged, type FleetVm, judgedIn, type ObservationAged, stateBeside } from "./fleet.ts";
import type { IntentShown } from "./intent-shown.ts";
import type { Judging } from "./judge-fleet.ts";
import { readKnownVms } from "./known-vms.ts";
import { type PlanOfVm, plansOfVm, type ReadAnswers } from "./plans-of-vm.ts";
import { readIdentities } from "./recorded.ts";
import { readBlobText } from "./registered.ts";
import { resolveVm, type VmRef } from "./vm-references.ts";

/** In the only environment where none is named. */
export type VmRequest = { readonly environment?: string; readonly vm: VmRef };

/** As it is stored: where it came from is no part of an observation. */
export type StoredState = Omit<VmState, "source">;
export type VmShown = EnvironmentListed & {
  readonly at: Instant;
  /** The intent whose outcome is unknown. */
  readonly blocked?: IntentShown;
  /** The newest intent that ended, of the last day or two. */
  readonly last?: IntentShown;
  /** The newest observation that tells of it, and what it says; absent where none of the last day or two does. */
  readonly observed?: ObservationAged & { readonly state?: StoredState };
  readonly open?: IntentShown;
  readonly plans: readonly PlanOfVm[];
  /** The identity that was seen first under its number, or was accepted since. */
  readonly rememberedIdentity?: string;
  /** Absent where it is not registered any more. */
  readonly vm?: FleetVm;
  readonly vmid: Vmid;
};

/** By judgements and plans that are not read twice. */
export const vmReader =
  (judge: Judging, readAnswers: ReadAnswers) =>
  async (reading: Reading, { environment, vm: ref }: VmRequest): Promise<VmShown | RefusedAnswer> => {
    const { at, desk, ledger, state } = reading;
    const named = environmentAt(environment, desk);
    if ("code" in named) return refusedInput([named]);
    const { name } = named;
    const vmid = resolveVm(ref, await readKnownVms(ledger.engine, state, name));
    if (typeof vmid === "object") return refusedInput([vmid]);
    const listed = (await listEnvironments(reading)).environments.find((one) => one.environment === name);
    if (listed === undefined) throw new Error(`the environment ${name} is configured and not listed`);
    const { observations, vms } = await judgedIn(judge, reading, listed);
    const found = vms.find(({ entry }) => entry.vmid === vmid);
    const vm = found === undefined ? undefined : (await stateBeside(reading, name, observations, vmid))(found);
    const [used] = aged(
      observations.filter(({ id }) => id === vm?.observation),
      at,
    );
    const observed =
      used === undefined ? undefined : { ...used, ...present({ state: await stateIn(reading, used, vmid) }) };
    return {
      ...listed,
      at,
      ...present({
        blocked: get(state.blocked, vmKey(name, vmid)),
        last: lastEnded(state, name, vmid),
        observed,
        open: get(state.open, vmKey(name, vmid)),
        rememberedIdentity: identityIn(await readIdentities(ledger.engine, state, name), vmid),
        vm,
      }),
      plans: await plansOfVm(reading, name, vmid, readAnswers),
      vmid,
    };
  };

const stateIn = async (
  { ledger }: Reading,
  { digest }: ObservationAged,
  vmid: Vmid,
): Promise<StoredState | undefined> => {
  const { vms }: Observation = JSON.parse(await readBlobText(ledger.engine, digest));
  return vms.find((one) => one.vmid === vmid);
};

const lastEnded = (state: State, environment: string, vmid: Vmid): IntentShown | undefined =>
  Array.from(recentEntries(state.intents), ([, intent]) => intent)
    .filter((intent) => intent.environment === environment && intent.vmid === vmid && intent.end !== undefined)
    .reduce<IntentShown | undefined>((last, one) => (last === undefined || last.id < one.id ? one : last), undefined);
