// What differs between two states of one VM, by field: for whoever must see why a plan no longer fits.
//
// What a provider means by an identity, a revision or a boot is opaque, so of these only that they differ is told. The
// words are in words/steps/outcome-words.ts.

import type { Fact, VmChange, VmState } from "../model.ts";

/** Never compared: `source` and `node` are for display, and a vmid says which VM is meant. */
export type ChangedField = VmChange["field"];

/** What is told of a value; undefined where only the name of the field says something. */
const TOLD: { readonly [F in ChangedField]: ((state: VmState) => Fact | undefined) | undefined } = {
  because: undefined,
  blockers: ({ blockers = [] }) => blockers.map(({ code }) => code),
  boot: undefined,
  cpus: ({ cpus }) => cpus,
  identity: undefined,
  kind: ({ kind }) => kind,
  maxmem: ({ maxmem }) => maxmem,
  name: ({ name }) => name,
  paused: ({ paused }) => paused === true,
  pending: undefined,
  resize: ({ resize }) => resize ?? "restart",
  revision: undefined,
  snapshots: ({ snapshots }) => snapshots?.names ?? [],
  status: ({ status }) => status,
  tags: ({ tags = [] }) => tags,
};

export const CHANGEABLE = Object.keys(TOLD) as readonly ChangedField[];

/** In order of their names; values of two observations are alike when they are written alike. */
export const changedFields = (before: VmState, after: VmState): readonly ChangedField[] =>
  CHANGEABLE.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));

/** A hundred snapshots are not for reading, and a record has its bounds. */
const TOLD_LENGTH_MAX = 200;

/** Each field with both values, where they say something. */
export const changesOf = (before: VmState, after: VmState): readonly VmChange[] =>
  changedFields(before, after).map((field) => {
    const [was, now] = [TOLD[field]?.(before), TOLD[field]?.(after)];
    const [wasText = "", nowText = ""] = [JSON.stringify(was), JSON.stringify(now)];
    if (wasText === nowText || wasText.length + nowText.length > TOLD_LENGTH_MAX) return { field };
    return { field, ...(now === undefined ? {} : { now }), ...(was === undefined ? {} : { was }) };
  });
