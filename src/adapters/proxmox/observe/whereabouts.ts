// Where each VM is, from the cluster's list. Nothing else of a row is believed: its status may be five minutes old.
//
// A row that cannot be read is a doubt about the list, and two rows of one vmid are a doubt about that VM. Keeps N1.

import { isName } from "../../../formats/fields.ts";
import { isObject } from "../../../formats/json/json-shape.ts";
import type { Vmid } from "../../../spine/model.ts";
import { type Guest, isNodeName } from "../api/names.ts";
import { shownText } from "../api/shown.ts";
import { textOf, vmidOf } from "../api/values.ts";

export type Row =
  | { readonly kind: "at"; readonly guest: Guest; readonly name: string; readonly lastReport: string }
  | { readonly kind: "doubtful"; readonly because: string };

export type Whereabouts =
  | { readonly kind: "list"; readonly rows: ReadonlyMap<Vmid, Row>; readonly unread: number }
  | { readonly kind: "unreadable"; readonly because: string };

export const whereaboutsOf = (data: unknown): Whereabouts => {
  if (!Array.isArray(data)) return { because: "the list of guests is not a list", kind: "unreadable" };
  const rows = new Map<Vmid, Row>();
  let unread = 0;
  for (const entry of data) {
    const vmid = isObject(entry) ? vmidOf(entry["vmid"]) : undefined;
    if (vmid === undefined) unread += 1;
    else rows.set(vmid, rows.has(vmid) ? TWICE : rowOf(entry, vmid));
  }
  return { kind: "list", rows, unread };
};

const TWICE: Row = { because: "the cluster lists it twice", kind: "doubtful" };
/** A map, because what a list says may be the name of something that every object inherits. */
const KINDS: ReadonlyMap<unknown, Guest["kind"]> = new Map([
  ["lxc", "ct"],
  ["qemu", "vm"],
]);

const rowOf = (entry: Readonly<Record<string, unknown>>, vmid: Vmid): Row => {
  const kind = KINDS.get(entry["type"]);
  if (kind === undefined)
    return { because: "the cluster does not say whether it is a VM or a container", kind: "doubtful" };
  const node = entry["node"];
  if (!isNodeName(node)) {
    const shown = typeof node === "string" ? `"${shownText(node).slice(0, 60)}"` : "nothing";
    return { because: `the cluster names ${shown} as its node, which cannot be a node`, kind: "doubtful" };
  }
  return {
    guest: { kind, node, vmid },
    kind: "at",
    lastReport: shownText(textOf(entry["status"]) ?? "nothing").slice(0, 40),
    name: isName(entry["name"]) ? entry["name"] : "",
  };
};
