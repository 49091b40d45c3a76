// A guest's snapshots. The list ends with a pseudo entry for the present state, which names its parent.
//
// A VM's entry says with `vmstate` whether it holds RAM, and a rollback to one that does starts the guest
// (pve-guest-common src/PVE/AbstractConfig.pm, snapshot_rollback; the list: qemu-server src/PVE/API2/Qemu.pm). A
// container's never does (pve-container src/PVE/API2/LXC/Snapshot.pm has no such key).

import { isName } from "../../../formats/fields.ts";
import { isObject } from "../../../formats/json/json-shape.ts";
import type { Snapshots } from "../../../spine/model.ts";
import { type GuestRef, PRESENT_STATE } from "../api/names.ts";
import { textOf, wholeOf } from "../api/values.ts";

/** Undefined when the list cannot be read whole; then nothing is said of snapshots. */
export const snapshotsOf = (data: unknown, kind: GuestRef["kind"]): Snapshots | undefined => {
  if (!Array.isArray(data) || !data.every(isObject)) return undefined;
  const present = data.filter((entry) => entry["name"] === PRESENT_STATE);
  const kept = data.filter((entry) => entry["name"] !== PRESENT_STATE);
  const names = kept.map((entry) => entry["name"]);
  if (present.length !== 1 || !names.every(isName) || new Set(names).size !== names.length) return undefined;
  const parent = textOf(present[0]?.["parent"]);
  if (parent !== undefined && !names.includes(parent)) return undefined;
  const withRam = kind === "ct" ? [] : withRamIn(kept);
  return {
    names: names.toSorted(),
    ...(parent === undefined ? {} : { parent }),
    ...(withRam === undefined ? {} : { withRam }),
  };
};

/** Undefined when one entry does not say it: what is not told is not taken for no. */
const withRamIn = (entries: readonly Readonly<Record<string, unknown>>[]): readonly string[] | undefined => {
  const said = entries.map((entry) => wholeOf(entry["vmstate"]));
  if (!said.every((one) => one === 0 || one === 1)) return undefined;
  return entries
    .flatMap((entry, at) => (said[at] === 1 ? [entry["name"]] : []))
    .filter(isName)
    .sort();
};
