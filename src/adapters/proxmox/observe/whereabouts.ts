// Where each VM is, from the cluster's list. Nothing else of a row is believed: its status may be five minutes old.
//
// A row that cannot be read is a doubt about the list, and two rows of one vmid are a doubt about that VM. Keeps N1.

import { isName } from "../../../formats/fields.ts";
import { isObject } from "../../../formats/json/json-shape.ts";
import { type Diagnostic, diagnostic } from "../../../spine/diagnostic-codes.ts";
import type { Vmid } from "../../../spine/model.ts";
import { type Doubt, doubt } from "../../../spine/observed-codes.ts";
import { shownText } from "../../../spine/values/shown-text.ts";
import { type GuestRef, isNodeName } from "../api/names.ts";
import { textOf, vmidOf } from "../api/values.ts";

export type WhereaboutsRow =
  | { readonly kind: "at"; readonly guest: GuestRef; readonly name: string; readonly lastReport: string }
  | { readonly kind: "doubtful"; readonly because: Doubt };

export type Whereabouts =
  | { readonly kind: "list"; readonly rows: ReadonlyMap<Vmid, WhereaboutsRow>; readonly unread: number }
  | { readonly kind: "unreadable"; readonly why: Diagnostic };

export const whereaboutsOf = (data: unknown): Whereabouts => {
  if (!Array.isArray(data)) return { kind: "unreadable", why: diagnostic("answer-not-a-list") };
  const rows = new Map<Vmid, WhereaboutsRow>();
  let unread = 0;
  for (const entry of data) {
    const vmid = isObject(entry) ? vmidOf(entry["vmid"]) : undefined;
    if (vmid === undefined) unread += 1;
    else rows.set(vmid, rows.has(vmid) ? TWICE : rowOf(entry, vmid));
  }
  return { kind: "list", rows, unread };
};

const TWICE: WhereaboutsRow = { because: doubt("listed-twice", { facts: { times: 2 } }), kind: "doubtful" };
/** A map, because what a list says may be the name of something that every object inherits. */
const KINDS: ReadonlyMap<unknown, GuestRef["kind"]> = new Map([
  ["lxc", "ct"],
  ["qemu", "vm"],
]);

const rowOf = (entry: Readonly<Record<string, unknown>>, vmid: Vmid): WhereaboutsRow => {
  const kind = KINDS.get(entry["type"]);
  if (kind === undefined) return { because: doubt("kind-not-shown"), kind: "doubtful" };
  const node = entry["node"];
  if (!isNodeName(node)) {
    const said = typeof node === "string" ? { said: shownText(node).slice(0, 60) } : {};
    return { because: doubt("node-impossible", said), kind: "doubtful" };
  }
  return {
    guest: { kind, node, vmid },
    kind: "at",
    // PVE's own word for a guest that nobody reported of (pve-manager PVE/API2/Cluster.pm, resources).
    lastReport: shownText(textOf(entry["status"]) ?? "unknown").slice(0, 40),
    name: isName(entry["name"]) ? entry["name"] : "",
  };
};
