// What differs between two states of one VM, by field: for whoever must see why a plan no longer fits.
//
// What a place means by an identity, a revision or a boot is opaque, so of these only that they differ is told.

import type { VmState } from "../model.ts";
import { bytesText } from "../words/template.ts";

/** Never compared: `source` is for display, and a vmid says which VM is meant. */
export type ChangedField = Exclude<keyof VmState, "source" | "vmid">;

const list = (values: readonly string[] | undefined): string =>
  values === undefined || values.length === 0 ? "none" : values.join(" ");

/** How a value is shown; undefined where only the name of the field says something. */
const SHOWN: { readonly [F in ChangedField]: ((state: VmState) => string) | undefined } = {
  because: undefined,
  boot: undefined,
  cpus: ({ cpus }) => String(cpus ?? "not seen"),
  hindrances: ({ hindrances }) => list(hindrances?.map(({ because }) => because)),
  identity: undefined,
  kind: ({ kind }) => kind,
  maxmem: ({ maxmem }) => (maxmem === undefined ? "not seen" : bytesText(maxmem)),
  name: ({ name }) => name,
  paused: ({ paused }) => (paused === true ? "yes" : "no"),
  pending: undefined,
  resize: ({ resize }) => resize ?? "restart",
  revision: undefined,
  snapshots: ({ snapshots }) => list(snapshots?.names),
  status: ({ status }) => status,
  tags: ({ tags }) => list(tags),
};

export const CHANGEABLE = Object.keys(SHOWN) as readonly ChangedField[];

/** In order of their names; values of two looks are alike when they are written alike. */
export const changedFields = (before: VmState, after: VmState): readonly ChangedField[] =>
  CHANGEABLE.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));

/** `status stopped → running, boot`: each field with both values, where they say something. */
export const changesText = (before: VmState, after: VmState): string =>
  changedFields(before, after)
    .map((field) => {
      const [was, is] = [SHOWN[field]?.(before), SHOWN[field]?.(after)];
      return was === undefined || is === undefined || was === is ? field : `${field} ${was} → ${is}`;
    })
    .join(", ");
