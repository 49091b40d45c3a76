// What a token may do where, as PVE itself says: the one proof that a list was not silently shortened.
//
// A path that the answer does not name has no rights; a right that does not propagate holds on that path alone. PVE
// lists both in another order every time, so they are put in order here.

import { isObject } from "../../../formats/json/json-shape.ts";
import type { Vmid } from "../../../spine/model.ts";
import { isSet } from "../api/values.ts";

/** By path, then by privilege; the value says whether it propagates. */
export type RightsByPath = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

export const rightsOf = (data: unknown): RightsByPath | undefined => {
  if (!isObject(data)) return undefined;
  const rights = new Map<string, ReadonlyMap<string, boolean>>();
  for (const [path, privileges] of inOrder(data)) {
    if (!isObject(privileges)) return undefined;
    rights.set(path, new Map(inOrder(privileges).map(([name, propagates]) => [name, isSet(propagates)])));
  }
  return rights;
};

const inOrder = (value: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] =>
  Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));

export const has = (rights: RightsByPath, path: string, privilege: string): boolean =>
  rights.get(path)?.has(privilege) === true;

export const pathOfVm = (vmid: Vmid): string => `/vms/${vmid}`;

/** Worth asking about one VM; a narrower entry may still take the right away there, and then it is not listed here. */
export const mayReach = (rights: RightsByPath, vmid: Vmid, privilege: string): boolean =>
  has(rights, pathOfVm(vmid), privilege) || ["/vms", "/"].some((path) => rights.get(path)?.get(privilege) === true);

/**
 * Rights at paths, as `right,right@path,path`: no right and no path has either sign. All of many paths are not counted
 * up.
 */
export const rightsAtPaths = (rights: readonly string[], paths: readonly string[], of: number): string =>
  `${rights.join()}@${paths.length > 1 && paths.length === of ? "/vms/*" : paths.join()}`;
