// Identities that are remembered: which VM each vmid was when it was seen for the first time, or accepted since.
// keeps N8
//
// A number and a name are given again; an identity is not. What was remembered stays until somebody accepts another
// one: an observation adds VMs that it sees for the first time, and changes and forgets nothing.
// Not here: how an identity is made (adapters/), who may accept another (kernel/decide/remember-identities.ts).

import type { Sha256, Vmid, VmState } from "../model.ts";
import { sha256 } from "./hash.ts";

/** Ascending by vmid, one for each. */
export type Identities = readonly (readonly [vmid: Vmid, identity: string])[];

export const NO_IDENTITIES: Readonly<Identities> = [];

/** The canonical text: the bytes of the blob that an observation names. */
export const identitiesText = (environment: string, identities: Identities): string =>
  JSON.stringify({ environment, identities, version: 1 });

export const identitiesDigest = (environment: string, identities: Identities): Sha256 =>
  sha256(identitiesText(environment, identities));

export const identityIn = (identities: Identities, vmid: Vmid): string | undefined =>
  identities.find(([one]) => one === vmid)?.[1];

export type Recognised = {
  /** The very same list when nothing was added. */
  readonly after: Identities;
  /** VMs that showed another identity than the remembered one, or none where one is remembered. */
  readonly changed: readonly Vmid[];
};

/** What is remembered after these VMs were seen; `vms` ascend. One that could not be seen tells nothing. */
export const recognised = (before: Identities, vms: readonly VmState[]): Recognised => {
  const known = new Map(before);
  const added: (readonly [Vmid, string])[] = [];
  const changed: Vmid[] = [];
  for (const { identity, status, vmid } of vms) {
    if (status === "unknown") continue;
    const was = known.get(vmid);
    if (was === undefined && identity !== undefined) added.push([vmid, identity]);
    if (was !== undefined && was !== identity) changed.push(vmid);
  }
  return { after: added.length === 0 ? before : ascending([...before, ...added]), changed };
};

/** With this identity in the place of the remembered one. */
export const withIdentity = (before: Identities, vmid: Vmid, identity: string): Identities =>
  ascending([...before.filter(([one]) => one !== vmid), [vmid, identity]]);

const ascending = (identities: Identities): Identities => identities.toSorted(([one], [other]) => one - other);
