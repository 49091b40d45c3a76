// Entries of PVE's access list that take everything away: no grant beside or above them mends it, they must be removed.
//
// The role NoAccess at a path, or propagated to it, leaves nothing of all other roles (pve-access-control
// src/PVE/AccessControl.pm, roles). The list is shown whole only to those who have Sys.Audit on /access.

import { isObject } from "../../../formats/json/json-shape.ts";
import type { Vmid } from "../../../spine/model.ts";
import { shownText } from "../../../spine/values/shown-text.ts";
import type { ApiToken } from "../api/pve-token.ts";
import { isSet, textOf } from "../api/values.ts";
import { pathOfVm } from "../observe/permissions.ts";
import { quoted } from "./grants.ts";

export type NoAccess = {
  readonly isPropagated: boolean;
  readonly of: "group" | "token" | "user";
  readonly path: string;
  readonly who: string;
};

const ROLE = "NoAccess";
const PATH = /^\/(?:[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*)?$/;

/** In order, whatever the order of the answer; what cannot be read is nobody's. */
export const noAccessIn = (data: unknown): readonly NoAccess[] =>
  (Array.isArray(data) ? data : [])
    .flatMap((entry: unknown): readonly NoAccess[] => {
      if (!isObject(entry) || entry["roleid"] !== ROLE) return [];
      const [path, of, who] = [textOf(entry["path"]), entry["type"], textOf(entry["ugid"])];
      if (path === undefined || !PATH.test(path) || who === undefined) return [];
      if (of !== "group" && of !== "token" && of !== "user") return [];
      return [{ isPropagated: isSet(entry["propagate"]), of, path, who }];
    })
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));

const orderOf = ({ of, path, who }: NoAccess): string => `${path} ${of} ${who}`;

/** Those that may stand between this token and a VM. A group's counts: whether the user is in it is not asked. */
export const noAccessAt = (entries: readonly NoAccess[], { name, user }: ApiToken, vmid: Vmid): readonly NoAccess[] =>
  entries.filter(({ isPropagated, of, path, who }) => {
    if (of !== "group" && who !== (of === "user" ? user : name)) return false;
    return path === pathOfVm(vmid) || (isPropagated && (path === "/" || path === "/vms" || path.startsWith("/pool/")));
  });

/** Who is shut out where, as `who@path`; a group has the sign before it by which user.cfg writes one. */
export const noAccessEntry = ({ of, path, who }: NoAccess): string =>
  shownText(`${of === "group" ? "@" : ""}${who}@${path}`);

export const removal = ({ of, path, who }: NoAccess, { user }: ApiToken): string =>
  `pveum acl delete ${path} --${of}s ${quoted(who)} --roles ${ROLE}${of === "group" ? `   # if ${user} is in it` : ""}`;

/** For a path whose entries were not seen. */
export const possibleRemovals = (path: string, { name, user }: ApiToken): readonly string[] => [
  `pveum acl delete ${path} --users ${quoted(user)} --roles ${ROLE}   # if it stands there: pveum acl list`,
  `pveum acl delete ${path} --tokens ${quoted(name)} --roles ${ROLE}   # if it stands there`,
];
