// A guest's snapshots. The list ends with a pseudo entry for the present state, which names its parent.

import { isName } from "../../formats/fields.ts";
import { isObject } from "../../formats/json-shape.ts";
import type { Snapshots } from "../../spine/model.ts";
import { textOf } from "./values.ts";

const PRESENT = "current";

/** Undefined when the list cannot be read whole; then nothing is said of snapshots. */
export const snapshotsOf = (data: unknown): Snapshots | undefined => {
  if (!Array.isArray(data) || !data.every(isObject)) return undefined;
  const present = data.filter((entry) => entry["name"] === PRESENT);
  const names = data.map((entry) => entry["name"]).filter((name) => name !== PRESENT);
  if (present.length !== 1 || !names.every(isName) || new Set(names).size !== names.length) return undefined;
  const parent = textOf(present[0]?.["parent"]);
  if (parent !== undefined && !names.includes(parent)) return undefined;
  return { names: names.sort(), ...(parent === undefined ? {} : { parent }) };
};
